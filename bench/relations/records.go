package relations

import (
	"fmt"
	"time"
)

// User is the owner of treasures.
type User struct {
	ID    int64  `json:"id" api:"id"`
	Name  string `json:"name" validate:"required,max=100"`
	Email string `json:"email" validate:"email"`
}

// Tag is a label of treasures.
type Tag struct {
	ID   int64  `json:"id" api:"id"`
	Name string `json:"name" validate:"required,max=100"`
}

// Treasure is the record. It is about 600 bytes of JSON, with an owner and two tags.
type Treasure struct {
	ID          int64     `json:"id" api:"id"`
	Name        string    `json:"name" validate:"required,max=100"`
	Description string    `json:"description" validate:"max=500"`
	Category    string    `json:"category" validate:"oneof=weapon armour gem scroll"`
	Price       int       `json:"price" validate:"gte=0"`
	Quantity    int       `json:"quantity" validate:"gte=0"`
	Available   bool      `json:"available"`
	CreatedAt   time.Time `json:"createdAt"`
	Owner       int64     `json:"owner" api:"ref=User,expand"`
	Tags        []int64   `json:"tags" validate:"max=5" api:"ref=Tag,expand"`
}

// The number of records of each resource.
const (
	treasures = 10_000
	users     = 1_000
	tags      = 50
)

func seedUsers() []User {
	all := make([]User, users)
	for i := range all {
		all[i] = User{ID: int64(i + 1), Name: fmt.Sprintf("Keeper number %03d", i), Email: fmt.Sprintf("keeper%d@example.com", i)}
	}
	return all
}

func seedTags() []Tag {
	all := make([]Tag, tags)
	for i := range all {
		all[i] = Tag{ID: int64(i + 1), Name: fmt.Sprintf("tag %02d", i)}
	}
	return all
}

func seedTreasures() []Treasure {
	all := make([]Treasure, treasures)
	for i := range all {
		all[i] = Treasure{
			ID: int64(i + 1), Name: fmt.Sprintf("Treasure number %05d", i), Description: description, Category: "gem",
			Price: i % 5000, Quantity: i % 90, Available: i%3 > 0, CreatedAt: time.Date(2026, 5, 17, 8, 30, 15, 250_000_000, time.UTC),
			Owner: int64(i*7%users + 1), Tags: []int64{int64(i%tags + 1), int64((i+7)%tags + 1)},
		}
	}
	return all
}

// description is as long as people write them.
const description = "Found by the river below the old mill, a little worn at the edges but complete; sold as seen. The keeper before " +
	"the last had it from a caravan out of the east, and never learned what the runes on the inner side of the rim mean. " +
	"It is said to hum on nights without a moon, which nobody here has heard, and it has lain in a dry chest since."
