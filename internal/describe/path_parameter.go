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
// A variable that is neither an identifier, nor a parent's, nor a member of a list, is the operation's own: any
// text that a segment can have.
func (s *Schemas) PathParameter(op *compiled.Operation, name string) Parameter {
	p := Parameter{Required: true}
	if op.Item && op.Resource.ID.Has(name) {
		f := op.Resource.Struct.Field(name)
		p.Description = fmt.Sprintf("The %s of the %s.", name, op.Resource.ShortName)
		p.Schema = identifierSchema(f.Type)
		p.Example = s.KeyExample(f)
		return p
	}
	if i := slices.IndexFunc(op.Parents, func(p compiled.Parent) bool { return p.Variable == name }); i >= 0 {
		above := op.Parents[i].Resource
		p.Description = fmt.Sprintf("The %s of the %s that is the %s.", above.ID.Name(), above.ShortName, name)
		return s.ofKey(p, above)
	}
	if m := op.Membership; m != nil && m.Variable == name {
		p.Description = fmt.Sprintf("The %s of the %s in the list `%s`.", m.Resource.ID.Name(), m.Resource.ShortName, m.Field.Name)
		return s.ofKey(p, m.Resource)
	}
	p.Description = naming.SentenceCase(name) + "."
	p.Schema = &schema.Schema{Type: []string{schema.String}, MinLength: 1}
	return p
}

// ofKey says of a parameter what identifiers of a resource are.
func (s *Schemas) ofKey(p Parameter, of *compiled.Resource) Parameter {
	if of.ID.IsComposite() {
		p.Schema = identifierSchema(textType(false))
		if text, ok := s.textByParts(of.Struct); ok {
			p.Example = text
		}
		return p
	}
	p.Schema = identifierSchema(of.Struct.ID.Type)
	p.Example = s.FieldExample(of.Struct.ID)
	return p
}

// KeyExample returns what all examples have in a path for a field of an identifier, nil where none
// could be made.
func (s *Schemas) KeyExample(f *model.Field) any {
	if f.Reference != nil { // which examples of bodies show as an address
		f = f.Reference.Target.ID
	}
	return s.FieldExample(f)
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
