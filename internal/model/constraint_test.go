package model_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// stay is embedded by records that differ in their constraints.
type stay struct {
	ID     int64     `json:"id"`
	Room   *int64    `json:"room"`
	Guest  int64     `json:"guest" api:"ref=Guest"`
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Until  *time.Time
	Number int32    `json:"number"`
	Name   string   `json:"name" api:"unique"`
	City   string   `json:"city" validate:"max=500"`
	Secret string   `json:"secret" api:"hidden"`
	Tags   []string `json:"tags"`
}

func constraints(list ...store.Constraint) []store.Constraint { return list }

type (
	unknownField      struct{ stay }
	unknownLimit      struct{ stay }
	noFields          struct{ stay }
	descendingUnique  struct{ stay }
	descendingUnknown struct{ stay }
	bothDirections    struct{ stay }
	noValues          struct{ stay }
	twiceTheField     struct{ stay }
	equalOnes         struct{ stay }
	ofList            struct{ stay }
	ofReference       struct{ stay }
	nilOfNotNull      struct{ stay }
	wrongValue        struct{ stay }
	ofTwoTypes        struct{ stay }
	ofStrings         struct{ stay }
	uniqueAlready     struct{ stay }
	notConstructed    struct{ stay }
	panics            struct{ stay }
	otherMethod       struct{ stay }
	sound             struct{ stay }
)

func (unknownField) Constraints() []store.Constraint { return constraints(store.Unique("rom", "name")) }

func (unknownLimit) Constraints() []store.Constraint {
	return constraints(store.Unique("room", "name").Only("nmae", "a"))
}
func (noFields) Constraints() []store.Constraint { return constraints(store.Index()) }

func (descendingUnique) Constraints() []store.Constraint {
	return constraints(store.Unique("-room"))
}

func (descendingUnknown) Constraints() []store.Constraint {
	return constraints(store.Index("-rom"))
}

func (bothDirections) Constraints() []store.Constraint {
	return constraints(store.Index("room", "-room"))
}

func (noValues) Constraints() []store.Constraint {
	return constraints(store.Unique("room", "name").Except("name"))
}

func (twiceTheField) Constraints() []store.Constraint {
	return constraints(store.Unique("room", "room"))
}

func (equalOnes) Constraints() []store.Constraint {
	return constraints(store.Unique("room", "name"), store.Unique("room", "name").Message("Again."))
}
func (ofList) Constraints() []store.Constraint { return constraints(store.Unique("room", "tags")) }
func (ofReference) Constraints() []store.Constraint {
	return constraints(store.Unique("room").Only("guest", int64(1)))
}

func (nilOfNotNull) Constraints() []store.Constraint {
	return constraints(store.Unique("room").Only("name", nil))
}

func (wrongValue) Constraints() []store.Constraint {
	return constraints(store.Unique("room").Only("number", 1, 1.5))
}

func (ofTwoTypes) Constraints() []store.Constraint {
	return constraints(store.NoOverlap("from", "number"))
}

func (ofStrings) Constraints() []store.Constraint {
	return constraints(store.NoOverlap("name", "city"))
}

func (uniqueAlready) Constraints() []store.Constraint {
	return constraints(store.Unique("name"))
}
func (notConstructed) Constraints() []store.Constraint { return constraints(store.Constraint{}) }
func (panics) Constraints() []store.Constraint         { panic("no") }
func (otherMethod) Constraints() []string              { return nil }

// Constraints has a pointer receiver.
func (*sound) Constraints() []store.Constraint {
	return constraints(
		store.NoOverlap("from", "Until", "room").Only("name", "a").Except("room", nil, int64(3)),
		store.Unique("room", "city"), store.Unique("room", "secret", "name").Message("Taken."), store.Unique("guest", "secret"),
		store.Index("city", "name"), store.NoOverlap("from", "to", "secret"),
	)
}

func TestMistakesInConstraintsAreErrors(t *testing.T) {
	t.Parallel()
	for want, record := range map[string]any{
		`unknownField: Unique("rom", "name") has the field "rom", which is not a field of the record; did you mean "room"?`: unknownField{},
		`has the field "nmae", which is not a field of the record; did you mean "name"?`:                                    unknownLimit{},
		`Index() has no fields`: noFields{},
		`Unique("-room") has the field "-room", which is not a field of the record`:                     descendingUnique{},
		`Index("-rom") has the field "rom", which is not a field of the record; did you mean "room"?`:   descendingUnknown{},
		`Index("room", "-room") names the field "room" twice`:                                           bothDirections{},
		`has no values in Except("name"); add at least one`:                                             noValues{},
		`names the field "room" twice`:                                                                  twiceTheField{},
		`Constraints() has two equal constraints, Unique("room", "name"); remove one`:                   equalOnes{},
		`has the field "tags" of type []string, which cannot be compared`:                               ofList{},
		`has the field "guest" of type int64 in Only; allowed:`:                                         ofReference{},
		`has nil in Only("name"), which cannot be null`:                                                 nilOfNotNull{},
		`has a value of type float64 in Only("number"), which is not a value of the field's type int32`: wrongValue{},
		`has a period from "from" of type time.Time to "number" of type int32; allowed: two`:            ofTwoTypes{},
		`has a period that begins at "name" of type string; allowed: two times, dates or`:               ofStrings{},
		`Unique("name") repeats the word unique or id of the field; remove one`:                         uniqueAlready{},
		`is not a constraint; create it with store.Unique, store.NoOverlap or store.Index`:              notConstructed{},
		`panics: the method Constraints panicked: no`:                                                   panics{},
		`the method Constraints has the type func() []string; allowed: func() []store.Const`:            otherMethod{},
	} {
		_, err := model.Compile(reflect.TypeOf(record))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: the error is %v, want %s", record, err, want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%T: the error has several lines: %v", record, err)
		}
	}
}

func TestConstraintsAreCompiled(t *testing.T) {
	t.Parallel()
	s, err := model.Compile(reflect.TypeFor[sound]())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Constraints) != 6 {
		t.Fatalf("there are %d constraints", len(s.Constraints))
	}
	for i, want := range []store.ConstraintError{
		{Fields: []string{"from", "Until", "room"}, Message: "The period (from, Until) overlaps that of another record with the same room."},
		{Fields: []string{"room", "city"}, Message: "The combination of room and city is already in use."},
		{Fields: []string{"room", "name"}, Message: "Taken."},
		{Fields: []string{"guest"}, Message: "The change conflicts with another record."},
		{},
		{Fields: []string{"from", "to"}, Message: "The change conflicts with another record."},
	} {
		if got := s.Constraints[i].Broken; !reflect.DeepEqual(got, want) {
			t.Errorf("the error of constraint %d is %#v, want %#v", i, got, want)
		}
	}
	if got, want := len(s.Constraints[0].Where), 3; got != want {
		t.Errorf("the first constraint has %d conditions, want %d: one of Only, and that the room is not null and not 3", got, want)
	}
	for name, most := range map[string]int{"city": 320, "name": 320, "secret": 320} {
		if got := s.Field(name).MaxIndexed(); got != most {
			t.Errorf("%s has at most %d characters, want %d", name, got, most)
		}
	}
	for _, name := range []string{"to", "Until"} {
		if _, ok := s.Field(name).Rules.Find(model.NotBefore); !ok {
			t.Errorf("%s may be before its beginning", name)
		}
	}
}
