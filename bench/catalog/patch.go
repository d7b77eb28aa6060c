package catalog

import "time"

// Patch is the body of a Patch, for contenders that cannot decode onto a record.
type Patch struct {
	_           struct{}   `additionalProperties:"false"`
	Name        *string    `json:"name,omitempty" validate:"omitempty,min=1,max=100" minLength:"1" maxLength:"100"`
	Description *string    `json:"description,omitempty" validate:"omitempty,max=500" maxLength:"500"`
	Category    *string    `json:"category,omitempty" validate:"omitempty,oneof=weapon armour gem scroll" enum:"weapon,armour,gem,scroll"`
	Email       *string    `json:"email,omitempty" validate:"omitempty,email" format:"email"`
	Price       *int       `json:"price,omitempty" validate:"omitempty,gte=0,lte=1000000" minimum:"0" maximum:"1000000"`
	FoundAt     *time.Time `json:"foundAt,omitempty"`
	Rating      *int       `json:"rating,omitempty" validate:"omitempty,gte=0,lte=5" minimum:"0" maximum:"5"`
	Available   *bool      `json:"available,omitempty"`
}

// Apply sets the fields of the input that the patch has.
func (p *Patch) Apply(in *Input) {
	set(&in.Name, p.Name)
	set(&in.Description, p.Description)
	set(&in.Category, p.Category)
	set(&in.Email, p.Email)
	set(&in.Price, p.Price)
	set(&in.FoundAt, p.FoundAt)
	set(&in.Rating, p.Rating)
	set(&in.Available, p.Available)
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}
