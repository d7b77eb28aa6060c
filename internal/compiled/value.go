package compiled

import (
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Source is a type with what is compiled of it, once for an API: operations that read or write
// the type differ in their views of it alone.
type Source struct {
	Type     *model.Type
	Codec    *codec.Codec
	Checker  *check.Checker // nil where no body is of the type
	Views    *model.Views
	Response *Value // as answers show it

	values map[*model.View]*Value
}

// Value is what an operation reads or writes: a view of a type.
type Value struct {
	Type    *model.Type
	View    *model.View // of the struct that the type is or holds; nil for none
	Codec   *codec.Codec
	Decoder *codec.Decoder // of a body
	Encoder *codec.Encoder // of an answer
	Checker *check.Checker // of a body
	Each    *Value         // of the elements of a list of structs; nil for all else
}

// Value returns the value of a view, the same one each time. It is for one goroutine, when an
// API is made.
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
