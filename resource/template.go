package resource

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// checkBase checks the Path of a resource, and reports whether it is valid.
func (c *compiler) checkBase(where, base string, r *compiled.Resource) bool {
	if base == "" {
		return true
	}
	parsed, err := c.parse(base)
	switch {
	case err != nil:
		c.fail(where, "Path %w", err)
	case base == "/":
		c.fail(where, "Path is %q; use the path of the collection without a trailing slash, such as %q", base, "/"+c.plurals.Path(r.ShortName))
	case parsed.Suffix():
		c.fail(where, "Path is %q; remove {._format}, which every operation adds", base)
	case namesAll(parsed.Variables(), r.ID.Names()):
		c.fail(where, "Path is %q; remove the identifier, because operations on one record add %q",
			base, "/"+variablesOf(r.ID.Names()))
	default:
		return true
	}
	return false
}

// template sets the operation's path: its own template, else one based on the resource's path. It reports errors and
// returns false if the template is invalid.
func (o *operationCompiler) template() bool {
	declared, base := o.metadata.URITemplate, o.definition.path
	text := declared
	if text == "" {
		text = o.conventionalTemplate(base)
	}
	relative, err := o.c.parse(text)
	if err != nil {
		o.fail("URITemplate %w", err)
		o.misplace()
		return false
	}
	for _, prefix := range slices.Compact([]string{o.c.model.Prefix, strings.TrimPrefix(o.c.model.Prefix, o.c.model.Base)}) {
		if below, doubled := strings.CutPrefix(declared, prefix+"/"); doubled && prefix != "" {
			o.fail("URITemplate %q contains the prefix, which is added to it; write %q", text, "/"+below)
		}
	}
	at := "URITemplate"
	if declared == "" && base != "" { // reported once, for all operations
		o, at = o.at(o.Resource.ShortName), "Path"
	}
	if variable, meant := o.misread(text, relative.Variables(), base); variable != "" && !returnsPage(o.definition, o.metadata) {
		text = o.misnamed(at, text, variable, meant)
		if relative, err = o.c.parse(text); err != nil {
			o.misplace()
			return false
		}
	}
	o.Item = namesAll(relative.Variables(), o.Resource.ID.Names())
	// Each part of the identifier in the resource's own path names a parent record of an operation below it. If the parent is
	// hidden, so is everything below it.
	var above []string
	if parsed, err := o.c.parse(base); err == nil && strings.HasPrefix(text, base+"/") {
		above = slices.DeleteFunc(slices.Clone(parsed.Variables()), func(v string) bool { return !o.Resource.ID.Has(v) })
	}
	o.checkVariables(at, relative.Variables(), above)
	if declared == "/" {
		text = ""
	}
	if o.Template, err = o.c.parse(o.c.model.Prefix + text); err != nil {
		o.Template = relative // the template "/" without a prefix
	}
	o.Suffix = o.Template.Suffix()
	return true
}

// misplace gives an operation with an invalid template that of its kind, so that New finds its other errors too.
func (o *operationCompiler) misplace() {
	o.Item = isItem(o.Kind)
	var err error
	if o.Template, err = o.c.parse(o.conventionalTemplate("")); err != nil {
		o.Template, _ = o.c.parse("/") // the short name is invalid too
	}
}

// parse parses a template, once for all operations that have it. They compare templates by pointers.
func (c *compiler) parse(text string) (*uritemplate.Template, error) {
	if known := c.templates[text]; known != nil {
		return known, nil
	}
	parsed, err := uritemplate.Parse(text)
	if err == nil {
		c.templates[text] = parsed
	}
	return parsed, err //nolint:wrapcheck // the caller says where
}

// variablesOf returns the segment of a template that names a record: "{id}", or "{order};{line}".
func variablesOf(names []string) string { return "{" + strings.Join(names, "};{") + "}" }

// namesAll reports whether all names are variables.
func namesAll(variables, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(variables, name) })
}

// checkVariables checks that the template names what the operation needs, and nothing
// that no one would read. At is the field that declares the template: URITemplate, or the Path of the resource.
// Above lists the parts of the identifier that name records above.
func (o *operationCompiler) checkVariables(at string, variables, above []string) {
	names, others := o.Resource.ID.Names(), slices.Clone(variables)
	id := "{" + strings.Join(names, "} and {") + "}"
	// A part of the identifier without the others can still be a reference to a record above.
	if o.Item {
		others = slices.DeleteFunc(others, func(v string) bool { return slices.Contains(names, v) && !slices.Contains(above, v) })
	}
	variables, others = o.takeListVariable(variables, others)
	if !o.Custom && len(others) > 0 && o.Resource.Struct.Names(canBeParent) != nil && !o.parents(at, others) {
		return
	}
	switch {
	case o.Custom:
	case at == "Path" && len(others) > len(o.Parents):
		o.fail("Path has %s; variables must be references of the record, and %s has none", describe(others), o.Resource.Struct.Go)
	case isItem(o.Kind) && !o.Item:
		o.fail("URITemplate has %s; it needs the identifier %s", describe(variables), id)
	case isItem(o.Kind) && len(others) > len(o.Parents):
		o.fail("URITemplate has %s; only the identifier %s is allowed", describe(variables), id)
	case (o.Kind == operation.KindGetCollection || o.Aggregates) && len(variables) > len(o.Parents):
		o.fail("URITemplate has %s; a collection without a Handler cannot have variables", describe(variables))
	case o.Kind == operation.KindPost && o.Item:
		o.fail("URITemplate has %s, but a Post creates a record; add a Handler to change an existing one", id)
	}
}

// describe lists variables for a message.
func describe(variables []string) string {
	switch len(variables) {
	case 0:
		return "no variable"
	case 1:
		return "the variable {" + variables[0] + "}"
	}
	return "the variables {" + strings.Join(variables, "}, {") + "}"
}

// parents finds the records that variables of the template name. A variable must be a reference of the operation's
// records, or of a parent further right. It reports an unknown variable and returns false.
func (o *operationCompiler) parents(at string, variables []string) bool {
	o.Parents = make([]compiled.Parent, len(variables))
	for i, variable := range slices.Backward(variables) {
		parent := o.c.parentOf(o.Resource.Struct, variable)
		parent.Below = compiled.OwnRecord
		for below := len(variables) - 1; below > i && parent.Field == nil; below-- {
			parent = o.c.parentOf(o.Parents[below].Resource.Struct, variable)
			parent.Below = below
		}
		if f := o.Resource.Struct.Field(variable); parent.Field == nil && f != nil && canBeParent(f) && o.c.names[f.Reference.Name] == nil {
			o.Parents = nil // what it refers to is invalid, which is already reported
			return false
		}
		if parent.Field == nil {
			allowed := append([]string{o.Resource.ID.Name()}, o.Resource.Struct.Names(canBeParent)...)
			o.fail("%s has the unknown variable {%s}%s", at, variable, naming.Allowed(variable, allowed))
			o.Parents = nil
			return false
		}
		if parent.Field.Reference.Many && !o.Reads {
			o.fail("a list of references, {%s}, can only be the parent of a Get or GetCollection, or the last variable of a Put or Delete", variable)
		}
		o.Parents[i] = parent
	}
	return true
}

// parentOf returns the parent for a reference of that name. Its field is nil if no reference fits.
func (c *compiler) parentOf(s *model.Struct, name string) compiled.Parent {
	f := s.Field(name)
	if f == nil || !canBeParent(f) || c.names[f.Reference.Name] == nil || c.names[f.Reference.Name].Struct != f.Reference.Target {
		return compiled.Parent{}
	}
	return compiled.Parent{Variable: name, Resource: c.names[f.Reference.Name], Field: f}
}

// canBeParent reports whether a field is a reference that clients can see.
func canBeParent(f *model.Field) bool { return f.Reference != nil && !f.WriteOnly }

// misread returns a variable that reads like the identifier but is not, such as {bookId} for the {id} of a Book, and the
// variable that it probably means. Variables with the name of a field are never misread.
func (o *operationCompiler) misread(template string, variables []string, base string) (variable, meant string) {
	r := o.Resource
	names := r.ID.Names()
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(variables, name) })
	owners := []string{r.ShortName, naming.TypeName(r.Struct.Go)}
	collection := cmp.Or(base, "/"+o.c.plurals.Path(r.ShortName))
	for _, v := range variables {
		if r.Struct.Field(v) != nil {
			continue
		}
		for _, name := range names {
			if strings.EqualFold(v, name) || slices.Contains(missing, name) && (plain(v) == plain(name) || isNameOf(v, name, owners)) {
				return v, name
			}
		}
		// {book} and {bookId} mean the {isbn} of a Book. {id} does only in /books/{id}: elsewhere it may be of another record.
		isID := plain(v) == "id" && strings.HasPrefix(template, collection+"/{"+v+"}")
		if len(missing) == len(names) && (isID || isNameOf(v, "", owners) || isNameOf(v, "id", owners)) {
			return v, strings.Join(names, "};{")
		}
	}
	return "", ""
}

// isNameOf reports whether a variable is one of the owners followed by the name, regardless of case and underscores.
func isNameOf(variable, name string, owners []string) bool {
	return slices.ContainsFunc(owners, func(owner string) bool { return plain(variable) == plain(owner+name) })
}

func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// misnamed reports a variable that reads like the identifier. A handler would get an empty record, which is not saved. It
// returns the template with the variable that is meant, so that compilation can continue.
func (o *operationCompiler) misnamed(at, text, variable, meant string) string {
	fixed := strings.Replace(text, "{"+variable+"}", "{"+meant+"}", 1)
	if !o.Custom || at == "Path" {
		o.fail("%s has the unknown variable {%s}; did you mean {%s}?", at, variable, meant)
	} else {
		o.fail("%s names no record by {%s}; did you mean %q? Rename the variable if it means something else", at, variable, fixed)
	}
	return fixed
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
