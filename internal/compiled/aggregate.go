package compiled

import (
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
)

// row describes the rows of an aggregation as formats with columns write them.
func (d *typeDescriber) row(columns []parameters.Column) *format.Type {
	made := &format.Type{Kind: format.Object}
	for i := range columns {
		c, t := &columns[i], format.Type{Kind: format.Integer}
		if c.Place != "" {
			leaf := c.Path.Leaf()
			t = *d.typeOfField(&model.ViewField{Field: leaf})
			switch t.Nullable = true; {
			case c.Term.Function == "avg" && t.Kind == format.Integer:
				t.Kind = format.Number
			case c.Term.Function == "" && leaf.Type.Units() != nil:
				t.Format = ""
			}
		}
		made.Fields = append(made.Fields, format.TypeField{Name: c.Flat(), Type: &t, Readable: true, Required: c.Place == ""})
	}
	return made
}
