package compiled

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/parameters"
)

// describeParameters describes the query parameters of the operation.
func (o *Operation) describeParameters() []format.Parameter {
	if o.Parameters == nil {
		return nil
	}
	var list []format.Parameter
	for _, p := range o.Parameters.List {
		if p.Header { // links cannot contain it
			continue
		}
		described := format.Parameter{Name: p.Name, Role: string(p.Kind), Many: p.Many}
		if p.Kind == parameters.Search {
			described.Role = "search"
		}
		if p.Kind == parameters.Filter || p.Kind == parameters.Order {
			described.Field = p.Path.Name
		}
		list = append(list, described)
	}
	return list
}

// DescribeAPI completes the description of the API for formats. It is called only if a format has documents, because it
// is expensive. It omits hidden operations, and what only they show.
func (a *API) DescribeAPI() {
	a.described = map[*Operation]format.Operation{}
	for op := range a.Operations() {
		a.described[op] = op.describe()
	}
	for _, r := range a.Resources {
		a.FormatAPI.Resources = append(a.FormatAPI.Resources, a.describeResource(r, func(op *Operation) bool { return !op.Hidden }))
	}
}

// FormatAPIFor describes the API for a caller, after DescribeAPI: the resources of which they may use an operation, and
// of their records the fields that they may see or set. Hidden operations count, because their responses need contexts,
// too. But they are not listed.
func (a *API) FormatAPIFor(c *authz.Caller, may func(*Operation) bool) *format.API {
	made := *a.FormatAPI
	made.Resources = nil
	for _, r := range a.Resources {
		described := a.describeResource(r, may)
		if described.Operations == nil {
			continue
		}
		for i := range described.Operations {
			op := &described.Operations[i]
			op.Expects, op.Returns = a.typeFor(c, op.Expects, true), a.typeFor(c, op.Returns, false)
		}
		described.Type = typeOfRecords(r.ShortName, described.Operations)
		if !r.IsListed(may) {
			described.Collection, described.CollectionTypes = "", nil
		}
		made.Resources = append(made.Resources, described)
	}
	return &made
}

// typeFor returns a type without the fields that a caller may not see, or set in a body.
func (a *API) typeFor(c *authz.Caller, t *format.Type, isBody bool) *format.Type {
	if t == nil || !a.Ruled {
		return t
	}
	i := slices.IndexFunc(a.Resources, func(r *Resource) bool { return r.ShortName == t.Name })
	if i < 0 {
		return t
	}
	r, made := a.Resources[i], *t
	made.Fields = nil
	for _, f := range t.Fields {
		switch {
		case isBody && r.Gate.Rules(f.Name).Write.Decide(c) == authz.Denied, !isBody && !a.Shows(c, r, f.Name):
			continue
		case f.Embedded != nil && !a.Shows(c, r, f.Name+"."):
			f.Embedded = nil
		default:
			f.Embedded = a.typeFor(c, f.Embedded, false)
		}
		made.Fields = append(made.Fields, f)
	}
	return &made
}

// describeResource describes a resource with some of its operations.
func (a *API) describeResource(r *Resource, has func(*Operation) bool) format.Resource {
	described := format.Resource{Name: r.ShortName, Plural: r.PluralName, Description: r.Description}
	if r.Collection != nil {
		described.Collection, described.CollectionTypes = r.Collection.Path(), r.Collection.Offers()
	}
	if r.Item != nil {
		described.Item = r.Item.Path()
	}
	if get := r.Get(); get != nil {
		described.Path = get.Path()
	}
	for _, op := range r.Operations {
		if has(op) {
			described.Operations = append(described.Operations, a.described[op])
		}
	}
	described.Type = typeOfRecords(r.ShortName, described.Operations)
	return described
}

// IsListed reports whether lists of collections have the one of the resource, for a caller who may use some operations:
// one of them is at its path and not hidden.
func (r *Resource) IsListed(may func(*Operation) bool) bool {
	return r.Collection != nil && slices.ContainsFunc(r.Operations, func(op *Operation) bool {
		return !op.Hidden && op.Path() == r.Collection.Path() && may(op)
	})
}

// describe describes the operation.
func (o *Operation) describe() format.Operation {
	described := format.Operation{
		ID: o.ID, Method: o.Method, Path: o.Path(), Item: o.Item, Collection: o.Lists, Custom: o.Custom,
		Summary: o.Summary, Description: o.Description, Status: o.Status, Parameters: o.FormatParameters,
	}
	if o.In != nil && o.In.Type != nil {
		described.Expects = o.describeType(o.In, true)
	}
	if o.HasResponseBody() && o.Out.Type != nil {
		described.Returns = o.describeType(o.Out, true)
	}
	return described
}

// typeOfRecords merges the types of a resource's records in all its operations: all fields that a response shows or a
// body accepts. Required are the fields that a creating body must have, or without such a body any other. A field that
// no response shows is required only if every body must have it, because clients could not send it back.
func typeOfRecords(name string, operations []format.Operation) *format.Type {
	var messages []message
	id := ""
	creates := slices.ContainsFunc(operations, func(op format.Operation) bool { return isCreation(&op, name) })
	for i := range operations {
		op := &operations[i]
		if op.Returns != nil && op.Returns.Name == name {
			id = op.Returns.ID
			messages = append(messages, message{of: op.Returns, shows: true})
		}
		if op.Expects == nil || op.Expects.Name != name {
			continue
		}
		body := message{of: op.Expects, requires: !creates || isCreation(op, name)}
		if op.Custom { // the identifier selects a record
			body.but = id
		}
		messages = append(messages, body)
	}
	if len(messages) == 0 {
		return &format.Type{Name: name, Kind: format.Object}
	}
	whole := (&merger{known: map[string]*format.Type{}}).merge(messages)
	whole.Name, whole.ID, whole.Kind = name, id, format.Object
	whole.Order = nil
	whole.Request, whole.Stored, whole.NoPath, whole.Nullable = false, false, false, false
	return whole
}

func isCreation(op *format.Operation, name string) bool {
	return op.Method == http.MethodPost && !op.Custom && op.Expects != nil && op.Expects.Name == name
}

// message is the type of a response or a body.
type message struct {
	of       *format.Type
	shows    bool   // it is a response
	requires bool   // its required fields count
	but      string // a field to ignore, "" for none
}

// within returns the message for a nested type.
func (s message) within(inner *format.Type) message {
	return message{of: inner, shows: s.shows, requires: s.requires}
}

// spares reports whether the message is a body that may omit a field.
func (s message) spares(name string) bool {
	return !s.shows && s.but == "" && !slices.ContainsFunc(s.of.Fields, func(m format.TypeField) bool { return m.Name == name && m.Required })
}

// merger merges the types of several messages. A type that contains itself is registered before it is complete.
type merger struct{ known map[string]*format.Type }

// merge merges the types of at least one message. It ignores messages of another kind than the first.
func (g *merger) merge(messages []message) *format.Type {
	var key strings.Builder
	for _, one := range messages {
		fmt.Fprintf(&key, "%p %t %t;", one.of, one.shows, one.requires)
	}
	if known := g.known[key.String()]; known != nil {
		return known
	}
	whole := *messages[0].of
	whole.Fields = nil
	g.known[key.String()] = &whole
	messages = slices.DeleteFunc(slices.Clone(messages), func(one message) bool { return one.of.Kind != whole.Kind })
	if whole.Elem != nil {
		elements := make([]message, len(messages))
		for i, one := range messages {
			elements[i] = one.within(one.of.Elem)
		}
		whole.Elem = g.merge(elements)
	}
	var inner [][]message // of each field
	for _, one := range messages {
		for _, m := range one.of.Fields {
			if one.but != "" && m.Name == one.but {
				continue
			}
			i := add(&whole, one, m)
			if i == len(inner) {
				inner = append(inner, nil)
			}
			inner[i] = append(inner[i], one.within(m.Type))
		}
	}
	for i := range whole.Fields {
		m := &whole.Fields[i]
		m.Type = g.merge(inner[i])
		m.Required = m.Required && (m.Readable || !slices.ContainsFunc(messages, func(one message) bool { return one.spares(m.Name) }))
	}
	return &whole
}

// add adds a field of a message to a type, and returns its index there.
func add(t *format.Type, by message, m format.TypeField) int {
	m.Readable, m.Writable, m.Required = m.Readable && by.shows, m.Writable && !by.shows, m.Required && by.requires
	i := slices.IndexFunc(t.Fields, func(known format.TypeField) bool { return known.Name == m.Name })
	if i < 0 {
		t.Fields = append(t.Fields, m)
		return len(t.Fields) - 1
	}
	known := &t.Fields[i]
	known.Readable, known.Writable, known.Required = known.Readable || m.Readable, known.Writable || m.Writable, known.Required || m.Required
	if known.Embedded == nil {
		known.Embedded = m.Embedded
	}
	return i
}
