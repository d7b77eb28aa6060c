package compiled

import (
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Source is a type and what is compiled from it, once for an API. Operations on the type differ only in their views.
type Source struct {
	Type     *model.Type
	Codec    *codec.Codec
	Checker  *check.Checker // nil if no body has the type
	Views    *model.Views
	Response *Value // the view of responses

	values map[*model.View]*Value
}

// Value is what an operation reads or writes: a view of a type.
type Value struct {
	Type    *model.Type
	View    *model.View // of the struct that the type is or contains; nil for none
	Codec   *codec.Codec
	Decoder *codec.Decoder // of a body
	Encoder *codec.Encoder // of a response
	Checker *check.Checker // of a body
	Each    *Value         // the elements of a list of structs; nil otherwise
	Order   []string       // Members of the View that an operation declares; nil for none
}

// Value returns the value of a view, the same one each time. It is not safe for concurrent use.
func (s *Source) Value(v *model.View) *Value {
	if known := s.values[v]; known != nil {
		return known
	}
	made := &Value{Type: s.Type, View: v, Codec: s.Codec}
	if v != nil && v.Request {
		made.Decoder, made.Checker = s.Codec.Decoder(v), s.Checker
	} else {
		made.Encoder = s.Codec.Encoder(v)
	}
	if s.values == nil {
		s.values = map[*model.View]*Value{}
	}
	s.values[v] = made
	return made
}
