package codec

import (
	"strconv"

	"github.com/trove-api/trove/internal/model"
)

// step leads from a value to one inside: by a field, by a key of a map or, where both
// are empty, by an index.
type step struct {
	field *model.Field
	key   string
	isKey bool
	index int
}

// path is where a value stands in the body, from the top down.
type path []step

// String returns the path by JSON names: "lines[1].count".
func (p path) String() string {
	return string(p.render(func(f *model.Field) string { return f.Name }))
}

// goPath returns the path by Go's names: "Lines[1].Count".
func (p path) goPath() string {
	return string(p.render(func(f *model.Field) string { return f.GoPath }))
}

// leaf returns the last member with the indices behind it: "count", or "tags[1]".
func (p path) leaf() string {
	start := len(p) - 1
	for start > 0 && p[start].field == nil {
		start--
	}
	return p[max(start, 0):].String()
}

func (p path) render(name func(*model.Field) string) []byte {
	var b []byte
	for i, s := range p {
		switch {
		case s.field != nil && i > 0:
			b = append(append(b, '.'), name(s.field)...)
		case s.field != nil:
			b = append(b, name(s.field)...)
		case s.isKey:
			b = append(append(append(b, '['), s.key...), ']')
		default:
			b = append(strconv.AppendInt(append(b, '['), int64(s.index), 10), ']')
		}
	}
	return b
}
