package describe

import (
	"fmt"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// PathParameter describes a variable of an operation's template.
func (s *Schemas) PathParameter(op *compiled.Operation, name string) Parameter {
	p := Parameter{Required: true}
	if name == op.Resource.ID.Name() {
		p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
		p.Schema = identifierSchema(op.Resource.Struct.ID.Type)
		p.Example = s.FieldExample(op.Resource.Struct.ID)
		return p
	}
	if i := slices.IndexFunc(op.Parents, func(p compiled.Parent) bool { return p.Variable == name }); i >= 0 {
		above := op.Parents[i].Resource
		p.Description = fmt.Sprintf("The %s of the %s that is the %s.", above.ID.Name(), above.ShortName, name)
		p.Schema = identifierSchema(above.Struct.ID.Type)
		p.Example = s.FieldExample(above.Struct.ID)
		return p
	}
	p.Description = naming.SentenceCase(name) + "."
	p.Schema = &schema.Schema{Type: []string{schema.String}, MinLength: 1}
	return p
}

// identifierSchema says what an identifier is in a path. One that breaks the rules of
// its field is that of no record, and answered so.
func identifierSchema(t *model.Type) *schema.Schema {
	of := Scalar(t)
	if t.Kind == model.String {
		of.MinLength = 1
	}
	return of
}
