package compiled

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/parameters"
)

// roles are what parameters are for, as formats are told.
var roles = map[parameters.Kind]string{
	parameters.Page: "page", parameters.ItemsPerPage: "itemsPerPage", parameters.Pagination: "pagination", parameters.Partial: "partial",
	parameters.Offset: "offset",
	parameters.Cursor: "cursor", parameters.Sort: "sort", parameters.Order: "order", parameters.Filter: "filter", parameters.Search: "search",
	parameters.Fields: "fields", parameters.Expand: "expand", parameters.Own: "own",
}

// describeParameters describes what clients can ask the operation with in the query.
func (o *Operation) describeParameters() []format.Parameter {
	if o.Parameters == nil {
		return nil
	}
	var list []format.Parameter
	for _, p := range o.Parameters.List {
		if p.Header { // links and templates have no place for it
			continue
		}
		described := format.Parameter{Name: p.Name, Role: roles[p.Kind], Many: p.Many}
		if p.Kind == parameters.Filter || p.Kind == parameters.Order {
			described.Field = p.Path.Name
		}
		list = append(list, described)
	}
	return list
}

// Tell completes what formats are told of the API. It is called where a format has documents alone:
// to describe the types of all operations once more costs as much as to make some of them. Hidden
// operations are left out, but members that they alone show are told: answers have them, and their
// contexts must know them.
func (a *API) Tell() {
	for _, r := range a.Resources {
		told := format.Resource{Name: r.ShortName, Plural: r.PluralName, Description: r.Description}
		operations := slices.DeleteFunc(slices.Clone(r.Operations), func(op *Operation) bool {
			return op.Relationship != nil // whose addresses are the business of one format
		})
		for _, f := range r.Struct.Fields {
			if r.Relationships[f.Name] != nil {
				told.Relationships = append(told.Relationships, f.Name)
			}
		}
		if r.Collection != nil {
			told.Collection, told.CollectionTypes = r.Collection.Path(), r.Collection.Offers()
		}
		if r.Item != nil {
			told.Item = r.Item.Path()
		}
		if get := r.Get(); get != nil {
			told.Path = get.Path()
		}
		all := make([]format.Operation, len(operations))
		for i, op := range operations {
			if all[i] = op.describe(); !op.Hidden {
				told.Operations = append(told.Operations, all[i])
			}
		}
		told.Type = typeOfRecords(r.ShortName, all)
		a.Told.Resources = append(a.Told.Resources, told)
	}
}

// describe describes the operation.
func (o *Operation) describe() format.Operation {
	told := format.Operation{
		ID: o.ID, Method: o.Method, Path: o.Path(), Item: o.Item, Collection: o.Lists, Custom: o.Custom,
		Summary: o.Summary, Description: o.Description, Status: o.Status, Parameters: o.Asked,
	}
	if o.In != nil && o.In.Type != nil {
		told.Expects = o.describeType(o.In, true)
	}
	if o.HasResponseBody() && o.Out.Type != nil {
		told.Returns = o.describeType(o.Out, true)
	}
	return told
}

// typeOfRecords puts together what the operations of a resource say of its records, and of the objects within
// them: all members that one of them shows or takes. Those are required that a body must have which creates
// one, or without such a body any other. A member that no response shows is required only if every body must have
// it: clients that change a record could not send it otherwise.
func typeOfRecords(name string, operations []format.Operation) *format.Type {
	var said []saying
	id := ""
	creates := slices.ContainsFunc(operations, func(op format.Operation) bool { return isCreation(&op, name) })
	for i := range operations {
		op := &operations[i]
		if op.Returns != nil && op.Returns.Name == name {
			id = op.Returns.ID
			said = append(said, saying{of: op.Returns, shows: true})
		}
		if op.Expects == nil || op.Expects.Name != name {
			continue
		}
		heard := saying{of: op.Expects, requires: !creates || isCreation(op, name)}
		if op.Custom { // it says which record is meant
			heard.but = id
		}
		said = append(said, heard)
	}
	if len(said) == 0 {
		return &format.Type{Name: name, Kind: format.Object}
	}
	whole := (&merger{known: map[string]*format.Type{}}).merge(said)
	whole.Name, whole.ID, whole.Kind = name, id, format.Object
	whole.Request, whole.Stored, whole.NoPath, whole.Nullable = false, false, false, false
	return whole
}

func isCreation(op *format.Operation, name string) bool {
	return op.Method == http.MethodPost && !op.Custom && op.Expects != nil && op.Expects.Name == name
}

// saying is what an answer or a body says of a type.
type saying struct {
	of       *format.Type
	shows    bool   // it is an answer
	requires bool   // a body that must have what it requires
	but      string // a member that is not meant, "" for none
}

// within returns what the message says of a type within.
func (s saying) within(inner *format.Type) saying {
	return saying{of: inner, shows: s.shows, requires: s.requires}
}

// spares reports whether the message is a body of a record that may omit a member.
func (s saying) spares(name string) bool {
	return !s.shows && s.but == "" && !slices.ContainsFunc(s.of.Fields, func(m format.TypeField) bool { return m.Name == name && m.Required })
}

// merger puts together what several messages say of a type. A type that holds itself is known before it is
// complete.
type merger struct{ known map[string]*format.Type }

// merge returns what is said of a type, at least once. What is another kind of value than is said first is passed over.
func (g *merger) merge(said []saying) *format.Type {
	var key strings.Builder
	for _, one := range said {
		fmt.Fprintf(&key, "%p %t %t;", one.of, one.shows, one.requires)
	}
	if known := g.known[key.String()]; known != nil {
		return known
	}
	whole := *said[0].of
	whole.Fields = nil
	g.known[key.String()] = &whole
	said = slices.DeleteFunc(slices.Clone(said), func(one saying) bool { return one.of.Kind != whole.Kind })
	if whole.Elem != nil {
		elements := make([]saying, len(said))
		for i, one := range said {
			elements[i] = one.within(one.of.Elem)
		}
		whole.Elem = g.merge(elements)
	}
	var inner [][]saying // of each member
	for _, one := range said {
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
		m.Required = m.Required && (m.Readable || !slices.ContainsFunc(said, func(one saying) bool { return one.spares(m.Name) }))
	}
	return &whole
}

// add adds what is said of a member to a type, and returns its place there.
func add(t *format.Type, by saying, m format.TypeField) int {
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
