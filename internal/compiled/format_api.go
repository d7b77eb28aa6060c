package compiled

import (
	"net/http"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/parameters"
)

// roles are what parameters are for, as formats are told.
var roles = map[parameters.Kind]string{
	parameters.Page: "page", parameters.ItemsPerPage: "itemsPerPage", parameters.Pagination: "pagination", parameters.Partial: "partial",
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
			described.Member = p.Path.Name
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
			told.Collection, told.CollectionTypes = r.Collection.Path(), r.Collection.Offers
		}
		if r.Item != nil {
			told.Item = r.Item.Path()
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
		ID: o.ID, Method: o.Method, Path: o.Path(), Item: o.Item, Collection: o.AnswersMany(), Custom: o.Handler != nil,
		Summary: o.Summary, Description: o.Description, Status: o.Status, Parameters: o.Asked,
	}
	if o.In != nil && o.In.Type != nil {
		told.Expects = o.describeType(o.In, true)
	}
	if o.Answers() && o.Out.Type != nil {
		told.Returns = o.describeType(o.Out, true)
	}
	return told
}

// typeOfRecords puts together what the operations of a resource say of its records: all members
// that one of them shows or takes. Those are required that a body must have which creates one,
// or without such a body any other.
func typeOfRecords(name string, operations []format.Operation) *format.Type {
	whole := &format.Type{Name: name, Kind: format.Object}
	creates := slices.ContainsFunc(operations, func(op format.Operation) bool { return isCreation(&op, name) })
	for i := range operations {
		op := &operations[i]
		if op.Returns != nil && op.Returns.Name == name {
			whole.ID = op.Returns.ID
			for _, m := range op.Returns.Members {
				m.Writable, m.Required = false, false
				merge(whole, m)
			}
		}
		if op.Expects == nil || op.Expects.Name != name {
			continue
		}
		for _, m := range op.Expects.Members {
			if op.Custom && m.Name == whole.ID { // it says which record is meant
				continue
			}
			m.Readable, m.Required = false, m.Required && (!creates || isCreation(op, name))
			merge(whole, m)
		}
	}
	return whole
}

func isCreation(op *format.Operation, name string) bool {
	return op.Method == http.MethodPost && !op.Custom && op.Expects != nil && op.Expects.Name == name
}

// merge adds a member to a type, or what is said of it to what is there.
func merge(t *format.Type, m format.TypeMember) {
	i := slices.IndexFunc(t.Members, func(known format.TypeMember) bool { return known.Name == m.Name })
	if i < 0 {
		t.Members = append(t.Members, m)
		return
	}
	known := &t.Members[i]
	known.Readable, known.Writable, known.Required = known.Readable || m.Readable, known.Writable || m.Writable, known.Required || m.Required
	if known.Embedded == nil {
		known.Embedded = m.Embedded
	}
}
