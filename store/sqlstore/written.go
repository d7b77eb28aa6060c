package sqlstore

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/model"
)

// written lists the values of a record that is to be written, after it has set in the
// record what is kept of it: what is answered now is then what will be read. What only the
// database knows is returned by the statement that writes: see [statements].
func (p *plan) written(v reflect.Value) ([]any, error) {
	if err := p.records.Normalize(v.Addr()); err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	return p.values(v)
}

// isKeptExactly reports whether values of a type, kept as what they are or as JSON, are
// read as they were written. The types that have a form of their own say themselves what
// they make of it, and so does the database of free JSON.
func isKeptExactly(t *model.Type, open map[*model.Struct]bool) bool {
	switch t.Kind {
	case model.Text, model.Custom, model.Any:
		return false
	case model.Key:
		return !slices.ContainsFunc(t.Parts, func(f *model.Field) bool { return f.Type.Kind == model.Text })
	case model.List, model.Array, model.Map:
		return isKeptExactly(t.Elem, open)
	case model.Object:
		if open[t.Struct] {
			return true
		}
		open[t.Struct] = true
		if t.Struct.Others { // a value that differs from zero in them alone would become zero
			return false
		}
		for _, f := range t.Struct.Fields {
			if !isKeptExactly(f.Type, open) {
				return false
			}
		}
	}
	return true
}
