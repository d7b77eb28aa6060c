package catalog

import "time"

// Input is the body of a Post or Put. In addition to the tags of validator, it has those of contenders that check
// bodies with a schema.
type Input struct {
	_           struct{}  `additionalProperties:"false"`
	Name        string    `json:"name" validate:"required,max=100" required:"true" minLength:"1" maxLength:"100"`
	Description string    `json:"description" validate:"max=500" required:"true" maxLength:"500"`
	Category    string    `json:"category" validate:"oneof=weapon armour gem scroll" required:"true" enum:"weapon,armour,gem,scroll"`
	Email       string    `json:"email" validate:"email" required:"true" format:"email"`
	Price       int       `json:"price" validate:"gte=0,lte=1000000" required:"true" minimum:"0" maximum:"1000000"`
	FoundAt     time.Time `json:"foundAt" required:"true"`
	Rating      int       `json:"rating" validate:"gte=0,lte=5" required:"true" minimum:"0" maximum:"5"`
	Available   bool      `json:"available" required:"true"`
}

// Input returns the fields that clients send.
func (i *Item) Input() Input {
	return Input{
		Name: i.Name, Description: i.Description, Category: i.Category, Email: i.Email,
		Price: i.Price, FoundAt: i.FoundAt, Rating: i.Rating, Available: i.Available,
	}
}

// Item returns a record of the input, with the fields that the service sets.
func (in *Input) Item(id int64, createdAt time.Time) *Item {
	return &Item{
		ID: id, Name: in.Name, Description: in.Description, Category: in.Category, Email: in.Email,
		Price: in.Price, FoundAt: in.FoundAt, Rating: in.Rating, Available: in.Available,
		CreatedAt: createdAt,
	}
}
