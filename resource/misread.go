package resource

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
)

// misreading is a variable that reads like another one.
type misreading struct{ variable, meant string }

// in returns a template with the variable that is meant.
func (m misreading) in(template string) string {
	return strings.Replace(template, "{"+m.variable+"}", "{"+m.meant+"}", 1)
}

// misread returns a variable that reads like the identifier but is not, such as {bookId} for the {id} of a Book, and the
// variable that it probably means. Variables with the name of a field are never misread.
func (c *compiler) misread(op *compiled.Operation, template string, variables []string, base string) misreading {
	r := op.Resource
	names := r.ID.Names()
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(variables, name) })
	owners := []string{r.ShortName, naming.TypeName(r.Struct.Go)}
	collection := cmp.Or(base, "/"+c.plurals.Path(r.ShortName))
	for _, v := range variables {
		if r.Struct.Field(v) != nil {
			continue
		}
		for _, name := range names {
			if strings.EqualFold(v, name) || slices.Contains(missing, name) && (plain(v) == plain(name) || isNameOf(v, name, owners)) {
				return misreading{v, name}
			}
		}
		// {book} and {bookId} mean the {isbn} of a Book. {id} does only in /books/{id}: elsewhere it may be of another record.
		isID := plain(v) == "id" && strings.HasPrefix(template, collection+"/{"+v+"}")
		if len(missing) == len(names) && (isID || isNameOf(v, "", owners) || isNameOf(v, "id", owners)) {
			return misreading{v, strings.Join(names, "};{")}
		}
	}
	return misreading{}
}

// isNameOf reports whether a variable is one of the owners followed by the name, regardless of case and underscores.
func isNameOf(variable, name string, owners []string) bool {
	return slices.ContainsFunc(owners, func(owner string) bool { return plain(variable) == plain(owner+name) })
}

func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// misnamed reports a variable that reads like the identifier. A handler would get an empty record, which is not saved.
func (c *compiler) misnamed(where, at string, op *compiled.Operation, text string, m misreading) {
	if !op.Custom || at == "Path" {
		c.fail(where, "%s has the unknown variable {%s}; did you mean {%s}?", at, m.variable, m.meant)
		return
	}
	c.fail(where, "%s names no record by {%s}; did you mean %q? Rename the variable if it means something else",
		at, m.variable, m.in(text))
}

// returnsPage reports whether a handler returns a page of its records, so that its path must not name a record.
func returnsPage(d *definition, m *operation.Metadata) bool {
	handler, ok := m.Handler.(compiled.Handler)
	if !ok || isNil(m.Handler) || !handler.Defined() {
		return false
	}
	_, _, out := handler.Types()
	return out == d.page
}
