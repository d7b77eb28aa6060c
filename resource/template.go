package resource

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
)

// template finds the operation's path, and reports whether it has one.
func (c *compiler) template(where, declared string, op *compiled.Operation) bool {
	text := declared
	if text == "" {
		text = c.conventionalTemplate(op)
	}
	relative, err := c.parse(text)
	if err != nil {
		c.fail(where, "URITemplate %w", err)
		return false
	}
	if below, doubled := strings.CutPrefix(declared, c.model.Prefix+"/"); doubled && c.model.Prefix != "" {
		c.fail(where, "URITemplate is %q, which begins with the prefix that is put before it; write it as %q", text, "/"+below)
	}
	op.Item = slices.Contains(relative.Variables(), op.Resource.ID.Name())
	c.checkVariables(where, op, relative.Variables())
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

// conventionalTemplate is the plural of the short name, then the identifier for items.
func (c *compiler) conventionalTemplate(op *compiled.Operation) string {
	path := "/" + c.plurals.Path(op.Resource.ShortName)
	if isItem(op.Kind) {
		path += "/{" + op.Resource.ID.Name() + "}"
	}
	return path + "{._format}"
}

// isItem reports whether operations of the kind are about one stored record.
func isItem(kind operation.Kind) bool {
	return kind != operation.KindGetCollection && kind != operation.KindPost
}

// checkVariables checks that the template names what the operation needs, and nothing
// that nobody would read.
func (c *compiler) checkVariables(where string, op *compiled.Operation, variables []string) {
	id := op.Resource.ID.Name()
	others := slices.DeleteFunc(slices.Clone(variables), func(v string) bool { return v == id })
	for _, v := range others {
		if strings.EqualFold(v, id) {
			c.fail(where, "URITemplate has the variable {%s}; did you mean {%s}?", v, id)
			return
		}
	}
	if op.Handler == nil && len(others) > 0 && referenceNames(op.Resource.Struct) != nil && !c.parents(where, op, others) {
		return
	}
	switch {
	case op.Handler != nil:
	case isItem(op.Kind) && !op.Item:
		c.fail(where, "URITemplate has %s; it must name the record by its identifier, {%s}", describe(variables), id)
	case isItem(op.Kind) && len(others) > len(op.Parents):
		c.fail(where, "URITemplate has %s; allowed: {%s}, the identifier, alone", describe(variables), id)
	case op.Kind == operation.KindGetCollection && len(variables) > len(op.Parents):
		c.fail(where, "URITemplate has %s; a collection has none, unless a Handler reads them", describe(variables))
	case op.Kind == operation.KindPost && op.Item:
		c.fail(where, "URITemplate has {%s}, but Post creates a record; give it a Handler to act on one that is there", id)
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
