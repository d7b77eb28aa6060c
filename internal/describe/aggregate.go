package describe

import (
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// rowOf identifies the rows of an operation.
type rowOf struct{ op *compiled.Operation }

// Row returns the resource of the records that rows are groups of, nil for another definition.
func (d *Definition) Row() *compiled.Resource {
	if of, ok := d.subject.(rowOf); ok {
		return of.op.Resource
	}
	return nil
}

// row returns the definition of the rows of an aggregation, with all groups and values that clients can request.
func (s *Schemas) row(op *compiled.Operation) *Definition {
	key := definitionKey{subject: rowOf{op}}
	if known := s.byKey[key]; known != nil {
		return known
	}
	total := schema.Typed(schema.Integer)
	total.Min, total.Format = schema.Int(0), "int64"
	group := schema.Typed(schema.Object)
	row := &schema.Schema{
		Type: []string{schema.Object}, Description: "Group of " + nounsOf(op.Resource).many + ".", Required: []string{"group", "count"},
		Properties: []schema.Property{{Name: "group", Schema: group}, {Name: "count", Schema: total}},
	}
	inner := group
	for _, c := range op.Parameters.AggregateColumns() {
		switch last := row.Properties[len(row.Properties)-1].Name; {
		case c.Place == "":
			continue
		case c.Place != "group" && c.Place != last:
			inner = schema.Typed(schema.Object)
			row.Properties = append(row.Properties, schema.Property{Name: c.Place, Schema: inner})
		}
		inner.Properties = append(inner.Properties, schema.Property{Name: c.Name, Schema: columnSchema(&c)})
	}
	d := s.define(key, naming.Capital(op.ID)+"Row")
	d.Schema = row
	return d
}

// unitPattern matches times and dates, and the years, quarters, months, weeks, days and hours that clients group them by.
const unitPattern = `^-?[0-9]+(-(Q[1-4]|W[0-9]{2}|[0-9]{2}(-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9:]{5}))?)?))?$`

// columnSchema returns the schema of a value in rows.
func columnSchema(c *parameters.Column) *schema.Schema {
	leaf := c.Path.Leaf()
	of := scalar(leaf.Type)
	switch shown, function := leaf.Shown(), c.Term.Function; {
	case shown != nil:
		of = paths(shown)
	case function == "" && leaf.Type.Units() != nil:
		of = &schema.Schema{Type: []string{schema.String}, Pattern: unitPattern}
	case (function == "sum" || function == "avg") && leaf.Type.Digits != nil:
		of.Pattern = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$` // of more digits than one value
	case function == "avg" || function == "sum" && leaf.Type.Kind == model.Float:
		of = schema.Typed(schema.Number)
	case function == "sum":
		of = schema.Typed(schema.Integer) // of any length
	}
	allowNull(of, of.Type)
	return of
}
