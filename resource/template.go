package resource

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// checkBase checks the path that a resource has in place of the conventional one, and reports
// whether operations can be at it.
func (c *compiler) checkBase(where, base string, r *compiled.Resource) bool {
	if base == "" {
		return true
	}
	parsed, err := c.parse(base)
	switch {
	case err != nil:
		c.fail(where, "Path %w", err)
	case base == "/":
		c.fail(where, "Path is %q; allowed: the path of a collection, without a slash at its end, such as %q", base, "/"+c.plurals.Path(r.ShortName))
	case parsed.Suffix():
		c.fail(where, "Path is %q; leave {._format} out, which every operation has behind its path", base)
	case namesAll(parsed.Variables(), r.ID.Names()):
		c.fail(where, "Path is %q, which has the identifier; it is that of the collection, and operations of one record add %q",
			base, "/"+variablesOf(r.ID.Names()))
	default:
		return true
	}
	return false
}

// template finds the operation's path, and reports whether it has one: its own, else one that
// begins with that of the resource.
func (c *compiler) template(where, declared, base string, op *compiled.Operation) bool {
	text := declared
	if text == "" {
		text = c.conventionalTemplate(base, op)
	}
	relative, err := c.parse(text)
	if err != nil {
		c.fail(where, "URITemplate %w", err)
		return false
	}
	if below, doubled := strings.CutPrefix(declared, c.model.Prefix+"/"); doubled && c.model.Prefix != "" {
		c.fail(where, "URITemplate is %q, which begins with the prefix that is put before it; write it as %q", text, "/"+below)
	}
	op.Item = namesAll(relative.Variables(), op.Resource.ID.Names())
	at := "URITemplate"
	if declared == "" && base != "" { // reported once, for all operations
		where, at = "resource "+op.Resource.ShortName, "Path"
	}
	c.checkVariables(where, at, op, relative.Variables(), c.partsAbove(base, text, op))
	if declared == "/" {
		text = ""
	}
	if op.Template, err = c.parse(c.model.Prefix + text); err != nil {
		op.Template = relative // a template of "/" under no prefix
	}
	op.Suffix = op.Template.Suffix()
	return true
}

// parse reads a template, once for all operations that have it.
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

// conventionalTemplate is the resource's own path, else the plural of its short name, then the identifier for items.
func (c *compiler) conventionalTemplate(base string, op *compiled.Operation) string {
	path := cmp.Or(base, "/"+c.plurals.Path(op.Resource.ShortName))
	if isItem(op.Kind) {
		names := op.Resource.ID.Names()
		if parsed, err := c.parse(base); err == nil { // parts that the path has above
			names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(parsed.Variables(), name) })
		}
		path += "/" + variablesOf(names)
	}
	return path + "{._format}"
}

// partsAbove lists the parts of the identifier that the path of the resource has, for an operation
// below it: each names a record above, which hides all that is below it if it is hidden.
func (c *compiler) partsAbove(base, text string, op *compiled.Operation) []string {
	parsed, err := c.parse(base)
	if err != nil || base == "" || !strings.HasPrefix(text, base+"/") {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(parsed.Variables()), func(v string) bool { return !op.Resource.ID.Has(v) })
}

// variablesOf returns the segment of a template that names a record: "{id}", or "{order};{line}".
func variablesOf(names []string) string { return "{" + strings.Join(names, "};{") + "}" }

// namesAll reports whether all names are variables.
func namesAll(variables, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(variables, name) })
}

// isItem reports whether operations of the kind are about one stored record.
func isItem(kind operation.Kind) bool {
	return kind != operation.KindGetCollection && kind != operation.KindPost
}

// checkVariables checks that the template names what the operation needs, and nothing
// that nobody would read. At is the field that declares the template: URITemplate, or the Path of the resource.
// Above lists the parts of the identifier that name records above.
func (c *compiler) checkVariables(where, at string, op *compiled.Operation, variables, above []string) {
	names, others := op.Resource.ID.Names(), slices.Clone(variables)
	id := "{" + strings.Join(names, "} and {") + "}"
	// A part of the identifier without the others can still be a reference to a record above.
	if op.Item {
		others = slices.DeleteFunc(others, func(v string) bool { return slices.Contains(names, v) && !slices.Contains(above, v) })
	}
	for _, v := range others {
		for _, name := range names {
			if v != name && strings.EqualFold(v, name) {
				c.fail(where, "%s has the variable {%s}; did you mean {%s}?", at, v, name)
				return
			}
		}
	}
	if others = c.membership(op, others); op.Membership != nil {
		variables = slices.DeleteFunc(slices.Clone(variables), func(v string) bool { return v == op.Membership.Variable })
	}
	if !op.Custom && len(others) > 0 && referenceNames(op.Resource.Struct) != nil && !c.parents(where, at, op, others) {
		return
	}
	switch {
	case op.Custom:
	case at == "Path" && len(others) > len(op.Parents):
		c.fail(where, "Path has %s; allowed: the names of references of the record, of which %s has none", describe(others), op.Resource.Struct.Go)
	case isItem(op.Kind) && !op.Item:
		c.fail(where, "URITemplate has %s; it must name the record by its identifier, %s", describe(variables), id)
	case isItem(op.Kind) && len(others) > len(op.Parents):
		c.fail(where, "URITemplate has %s; allowed: %s, the identifier, alone", describe(variables), id)
	case op.Kind == operation.KindGetCollection && len(variables) > len(op.Parents):
		c.fail(where, "URITemplate has %s; a collection has none, unless a Handler reads them", describe(variables))
	case op.Kind == operation.KindPost && op.Item:
		c.fail(where, "URITemplate has %s, but Post creates a record; give it a Handler to act on one that is there", id)
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
