package parameters

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

// InvalidError reports invalid parameters. It names everything that clients can use; [InvalidError.For] names less.
type InvalidError struct {
	Parameters []Invalid
	Allowed    []string // the known parameters of the query; nil if no name was unknown

	set      *Set
	invalids []invalid
	unknown  []string
}

// Invalid is an invalid parameter.
type Invalid struct {
	Name   string
	Header bool
	// Pointer is the place in the value as a JSON Pointer (RFC 6901); "" for the whole value.
	Pointer string
	// Message says what is wrong, including the name, without a full stop.
	Message string
	// Allowed are the names that the caller may use at the place; nil if no name was unknown.
	Allowed []string
}

// invalid is an invalid parameter whose message may still depend on the caller.
type invalid struct {
	Invalid

	of       *Parameter   // nil for a rule over several of them
	unlisted bool         // it is not a list of the names that the parameter allows: the message begins with them
	unknown  *unknownWord // instead of a message
}

func (*InvalidError) Error() string { return "the parameters are not valid" }

// For returns the error for a caller: it names only parameters, fields and references that they may use. Sees reports
// whether they may see what a path of fields names; with a dot at its end also the records that its last field refers
// to.
func (e *InvalidError) For(sees func(path string) bool) *InvalidError {
	made := &InvalidError{set: e.set, invalids: e.invalids, unknown: e.unknown}
	for _, i := range e.invalids {
		if i.unlisted {
			choices := slices.DeleteFunc(slices.Clone(i.of.Allowed), func(name string) bool { return !i.of.Offers(name, sees) })
			i.Message = i.Name + " must be a comma-separated list of: " + strings.Join(choices, ", ") + i.Message
		}
		if i.unknown != nil {
			i.Message, i.Allowed = i.unknown.describe(e.set, sees)
		}
		made.Parameters = append(made.Parameters, i.Invalid)
	}
	if e.unknown == nil {
		return made
	}
	made.Allowed = []string{}
	for _, p := range e.set.List {
		if !p.Header && p.mayBeUsed(sees) {
			made.Allowed = append(made.Allowed, p.Name)
		}
	}
	for _, name := range e.unknown {
		shown := model.Shorten(name, maxShownName)
		made.Parameters = append(made.Parameters, Invalid{
			Name: shown, Message: `Unknown parameter "` + shown + `"` + naming.DidYouMean(name, made.Allowed),
		})
	}
	return made
}

// mayBeUsed reports whether a caller may see something that the parameter is about.
func (p *Parameter) mayBeUsed(sees func(path string) bool) bool {
	switch p.Kind {
	case Filter, Order:
		return sees(p.Path.Name)
	case Sort, Search, Fields, Expand, Group, Function:
		return slices.ContainsFunc(p.Allowed, func(name string) bool { return p.Offers(name, sees) })
	}
	return true
}

// Offers reports whether a caller may see what one of the names of the parameter is about.
func (p *Parameter) Offers(name string, sees func(path string) bool) bool {
	if path, ok := p.paths[name]; ok {
		return path == "" || sees(path)
	}
	if p.Kind == Expand {
		return sees(name + ".") // also the record
	}
	return sees(strings.TrimPrefix(name, "-"))
}
