package model_test

import (
	"encoding"
	"errors"
	"reflect"
	"testing"

	"github.com/trove-api/trove/internal/model"
)

// both has both methods, which other types let say the same.
type both struct{}

func (both) AppendText(b []byte) ([]byte, error) { return append(b, "appended"...), nil }
func (both) MarshalText() ([]byte, error)        { return []byte("marshalled"), nil }

type marshals struct{ text string }

func (m *marshals) MarshalText() ([]byte, error) { return []byte(m.text), nil }
func (m *marshals) UnmarshalText(text []byte) error {
	m.text = string(text)
	if m.text == "" {
		return errors.New("is empty")
	}
	return nil
}

type appends struct{ text string }

func (a appends) AppendText(b []byte) ([]byte, error) { return append(b, a.text...), nil }

var _ encoding.TextUnmarshaler = (*marshals)(nil)

func TestMarshalText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		value any
		want  string
		fails bool
	}{
		{"a type with both methods is asked to append, as encoding/json/v2 does", both{}, "appended", false},
		{"a value that has no address is asked by a method of its pointer", marshals{"ann"}, "ann", false},
		{"a type that only appends", appends{"bob"}, "bob", false},
		{"a type with neither has no text", 1, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text, err := model.MarshalText(reflect.ValueOf(test.value))
			if string(text) != test.want || (err != nil) != test.fails {
				t.Errorf("got %q, %v", text, err)
			}
		})
	}
}

func TestUnmarshalText(t *testing.T) {
	t.Parallel()
	var own marshals
	if err := model.UnmarshalText(reflect.ValueOf(&own).Elem(), []byte("ann")); err != nil || own.text != "ann" {
		t.Errorf("got %q, %v", own.text, err)
	}
	if model.UnmarshalText(reflect.ValueOf(&own).Elem(), nil) == nil {
		t.Error("the type's own error is lost")
	}
	if model.UnmarshalText(reflect.ValueOf(&appends{}).Elem(), nil) == nil {
		t.Error("a type reads itself that has no method to")
	}
}
