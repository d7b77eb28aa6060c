package check_test

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

type (
	stay struct {
		From string `json:"from" validate:"datetime=2006-01-02"`
		To   string `json:"to" validate:"datetime=2006-01-02,gtefield=From"`
	}
	stays struct {
		From  string   `json:"from" validate:"datetime=2006-01-02"`
		Days  []string `json:"days" validate:"dive,datetime=02.01.2006,gtfield=From"`
		Until *string  `json:"until" validate:"omitempty,datetime=2006-01-02,gtfield=From"`
		Left  *string  `json:"left" validate:"omitempty,datetime=2006-01-02"`
		Last  string   `json:"last" validate:"omitempty,datetime=2006-01-02,ltefield=Left"`
		Deep  struct {
			Open  string `json:"open" validate:"datetime=15:04"`
			Close string `json:"close" validate:"datetime=3:04PM,gtcsfield=Open"`
		} `json:"deep"`
		Part nightOf `json:"part"`
		Back string  `json:"back" validate:"omitempty,datetime=2006-01-02,ltfield=Part.Night"`
	}
	nightOf struct {
		Night string `json:"night" validate:"datetime=2006-01-02"`
	}
	instants struct {
		From string    `json:"from" validate:"datetime=2006-01-02T15:04:05Z07:00"`
		To   string    `json:"to" validate:"datetime=2006-01-02T15:04:05Z07:00,gtfield=From"`
		A    time.Time `json:"a"`
		B    time.Time `json:"b" validate:"ltefield=A"`
	}
)

func TestStringsWithALayoutAreComparedAsDates(t *testing.T) {
	t.Parallel()
	s := compile[stay](t)
	s.finds(`{"from":"2026-05-01","to":"2026-05-01"}`)
	s.finds(`{"from":"2026-05-01","to":"2026-06-01"}`)
	s.finds(`{"from":"2026-05-02","to":"2026-05-01"}`, "to", "to must not be before from")
	s.finds(`{"from":"2026-05-02","to":"soon"}`, "to", "to must be a date or time in the format 2006-01-02")
	s.finds(`{"from":"soon","to":"2026-05-01"}`, "from", "from must be a date or time in the format 2006-01-02")
}

func TestDatesAreComparedInListsPointersAndNestedStructs(t *testing.T) {
	t.Parallel()
	s := compile[stays](t)
	const deep = `,"deep":{"open":"09:00","close":"5:00PM"},"part":{"night":"2026-01-09"}`
	s.finds(`{"from":"2026-12-31","days":["01.01.2027"],"until":"2027-01-01","left":"2026-01-02","last":"2026-01-02","back":"2026-01-08"` + deep + `}`)
	s.finds(`{"from":"2026-12-31","days":["01.01.2027","31.12.2026"],"until":"2026-12-31","left":"2026-01-02","last":"2026-01-03","back":"2026-01-09",`+
		`"deep":{"open":"17:00","close":"5:00PM"},"part":{"night":"2026-01-09"}}`,
		"days[1]", "days[1] must be after from", "until", "until must be after from", "last", "last must not be after left",
		"deep.close", "close must be after open", "back", "back must be before part.night")
	s.finds(`{"from":"2026-12-31","until":null,"left":null` + deep + `}`)
}

func TestInstantsAreComparedAcrossTimeZones(t *testing.T) {
	t.Parallel()
	s := compile[instants](t)
	s.finds(`{"from":"2026-01-01T10:00:00+02:00","to":"2026-01-01T09:00:00Z","a":"2026-01-01T00:00:00Z","b":"2026-01-01T00:00:00Z"}`)
	s.finds(`{"from":"2026-01-01T10:00:00Z","to":"2026-01-01T11:00:00+02:00","a":"2026-01-01T00:00:00Z","b":"2026-01-01T00:00:01Z"}`,
		"to", "to must be after from", "b", "b must not be after a")
}

func TestStringsWithoutALayoutHaveNoOrder(t *testing.T) {
	t.Parallel()
	type word string
	for name, of := range map[string]any{
		"no layout": struct{ From, To string }{},
		"both without": struct {
			From string
			To   string `validate:"gtfield=From"`
		}{},
		"only the other": struct {
			From string `validate:"datetime=2006-01-02"`
			To   string `validate:"gtefield=From"`
		}{},
		"only its own": struct {
			From string
			To   string `validate:"datetime=2006-01-02,ltfield=From"`
		}{},
		"pointers and named types": struct {
			From *word
			To   *word `validate:"ltefield=From"`
		}{},
		"elements": struct {
			From string
			To   []string `validate:"dive,gtfield=From"`
		}{},
		"alternatives": struct {
			From string
			To   string `validate:"gtcsfield=From|eq=x"`
		}{},
		"the layout of the list": struct {
			From string   `validate:"datetime=2006-01-02"`
			To   []string `validate:"dive,ltecsfield=From"`
		}{},
	} {
		_, err := tryCompile(reflect.TypeOf(of))
		if name == "no layout" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		want := `orders strings only as dates or times; give To and From the rule datetime, such as datetime=2006-01-02, or compare them in a validation.Struct`
		if err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one line with %q", name, err, want)
		}
	}
}
