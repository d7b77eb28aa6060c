package catalog

import (
	"fmt"
	"time"
)

// Size is the number of items in a new store.
const Size = 10_000

// Seed returns the items of a new store. A hundred of them share a name.
func Seed() []Item {
	categories := []string{"weapon", "armour", "gem", "scroll"}
	items := make([]Item, Size)
	for i := range items {
		items[i] = Item{
			ID:          int64(i + 1),
			Name:        Name(i % 100),
			Description: description,
			Category:    categories[i%len(categories)],
			Email:       fmt.Sprintf("keeper%d@example.com", i%1000),
			Price:       i % 5000,
			FoundAt:     time.Date(1826, 1, 1+i%365, 12, 0, 0, 0, time.UTC),
			Rating:      i % 6,
			Available:   i%3 > 0,
			CreatedAt:   time.Date(2026, 5, 17, 8, 30, 15, 250_000_000, time.UTC),
		}
	}
	return items
}

// description is as long as people write them.
const description = "Found by the river below the old mill, a little worn at the edges but complete; sold as seen. The keeper before " +
	"the last had it from a caravan out of the east, and never learned what the runes on the inner side of the rim mean. " +
	"It is said to hum on nights without a moon, which nobody here has heard, and it has lain in a dry chest since. " +
	"Whoever takes it ought to take the chest, too: the lid fits no other."

// Name returns one of the hundred names.
func Name(i int) string { return fmt.Sprintf("Treasure number %03d", i) }
