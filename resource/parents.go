package resource

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// parents finds the records that variables of the template name: those that the operation's
// records refer to by a member of that name, or that parents nearer to them do. It reports
// whether all variables name one.
func (c *compiler) parents(where, at string, op *compiled.Operation, variables []string) bool {
	op.Parents = make([]compiled.Parent, len(variables))
	for i, variable := range slices.Backward(variables) {
		parent := c.parentOf(op.Resource.Struct, variable)
		parent.Below = compiled.OwnRecord
		for below := len(variables) - 1; below > i && parent.Field == nil; below-- {
			parent = c.parentOf(op.Parents[below].Resource.Struct, variable)
			parent.Below = below
		}
		if parent.Field == nil {
			allowed := referenceNames(op.Resource.Struct)
			c.fail(where, "%s has the variable {%s}; allowed: %s%s", at, variable,
				strings.Join(append([]string{"the identifier " + op.Resource.ID.Name()}, prefixed("the reference ", allowed)...), ", "),
				naming.DidYouMean(variable, append(allowed, op.Resource.ID.Name())))
			op.Parents = nil
			return false
		}
		if parent.Field.Reference.Many && op.Kind != operation.KindGetCollection && op.Kind != operation.KindGet {
			c.fail(where, "is below {%s}, a list of references; allowed: a GetCollection or a Get, and a Put or Delete of the list as its last variable", variable)
		}
		op.Parents[i] = parent
	}
	return true
}

// parentOf returns the resource that records refer to by a member of that name; the field is
// nil where there is none.
func (c *compiler) parentOf(s *model.Struct, name string) compiled.Parent {
	f := s.Field(name)
	if f == nil || !canBeParent(f) || c.names[f.Reference.Name] == nil || c.names[f.Reference.Name].Struct != f.Reference.Target {
		return compiled.Parent{}
	}
	return compiled.Parent{Variable: name, Resource: c.names[f.Reference.Name], Field: f}
}

// canBeParent reports whether a field refers to other records, and tells which.
func canBeParent(f *model.Field) bool { return f.Reference != nil && !f.WriteOnly }

func referenceNames(s *model.Struct) []string {
	var names []string
	for _, f := range s.Fields {
		if canBeParent(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

func prefixed(prefix string, names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = prefix + name
	}
	return list
}

// idBelow returns the id of an operation without a name below its parents: the one that it has
// by itself, with their names in it.
func idBelow(op *compiled.Operation, id string) string {
	if op.Name != "" || len(op.Parents) == 0 && op.Membership == nil {
		return id
	}
	var above strings.Builder
	for i := range op.Parents {
		above.WriteString(op.Parents[i].Resource.ShortName)
	}
	own := op.Resource.ShortName
	if op.Membership != nil {
		verb := "add"
		if op.Kind == operation.KindDelete {
			verb = "remove"
		}
		return verb + above.String() + own + op.Membership.Resource.ShortName
	}
	if op.Kind == operation.KindGetCollection {
		own = op.Resource.PluralName
	}
	return strings.TrimSuffix(id, own) + above.String() + own
}

// spared is a view without what the paths of operations say, by what it is called.
type spared struct {
	of   *model.Struct
	name string
}

// spare lets the body of an operation below a record leave out what it refers to by its path.
func (c *compiler) spare(op *compiled.Operation) {
	if op.In == nil {
		return
	}
	var given []string
	var called strings.Builder
	called.WriteString(op.In.View.Name + "Below")
	for i := range op.Parents {
		f := op.Parents[i].Field
		if m := op.In.View.Member(f); sets(op, f) && m != nil && m.Needed {
			given = append(given, f.Name)
			called.WriteString(naming.Capital(f.Name))
		}
	}
	if given == nil {
		return
	}
	key := spared{op.Resource.Struct, called.String()}
	if c.spared[key] == nil {
		c.spared[key] = op.In.View.Without(given, called.String())
	}
	op.In = op.Resource.Source.Value(c.spared[key])
}

// membership finds the variable of a Put or Delete that is called as a list of references of the
// record: the operation then adds one to it, or takes one away. It returns the other variables.
func (c *compiler) membership(op *compiled.Operation, variables []string) []string {
	if op.Custom || op.Kind != operation.KindPut && op.Kind != operation.KindDelete {
		return variables
	}
	for i, variable := range variables {
		f := op.Resource.Struct.Field(variable)
		if f == nil || f.Reference == nil || !f.Reference.Many || c.names[f.Reference.Name] == nil {
			continue
		}
		op.Membership = &compiled.Parent{Variable: variable, Resource: c.names[f.Reference.Name], Field: f, Below: compiled.OwnRecord}
		return slices.Delete(slices.Clone(variables), i, i+1)
	}
	return variables
}
