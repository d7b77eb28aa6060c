package serve

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// newHistory lists the changes of the record that the path names.
func newHistory(op *compiled.Operation) *Operation {
	o := begin(op)
	o.load = (*call).loadChanges
	return o.reads([]step{
		when(len(op.Parents) > 0, "parents", readParents),
		{"read", readerOf(op)},
		{"changes", readPage},
	})
}

// loadChanges loads entries of the log about the record that the call has read. An entry belongs to another record of the
// same identifier if it is older than the last insert or delete. The fields that the caller may not read are removed, and
// entries without others are not found, so that pages and totals do not reveal them.
func (c *call) loadChanges(ctx context.Context, query store.Query) (page compiled.Page, err error) {
	history, fields := c.op.History, make([]any, 0, len(c.op.History.Shown))
	hidden, err := c.op.Resource.Gate.Hidden(ctx, &c.caller, c.record)
	if err != nil {
		return page, err
	}
	isShown := map[string]bool{}
	for _, name := range history.Shown {
		if isShown[name] = !c.op.Resource.Gate.IsHidden(hidden, name); isShown[name] {
			fields = append(fields, name)
		}
	}
	name, err := history.Record(c.op.Resource.ID, c.id)
	if err != nil || len(fields) == 0 {
		return compiled.Page{Items: compiled.ItemsOf[*store.LogEntry](nil, nil)}, err
	}
	query.Where = []store.Condition{
		{Fields: []string{"record"}, Operator: store.Equal, Values: []any{name}},
		{Fields: []string{"kind"}, Operator: store.NotEqual, Values: []any{"update"}},
	}
	begun, err := history.Log.List(ctx, store.Query{Where: query.Where, Order: []store.Order{{Field: "id", Descending: true}}, Limit: 1})
	if err != nil {
		return page, err
	}
	query.Where[1] = store.Condition{Fields: []string{"fields"}, Operator: store.Equal, Values: fields}
	if begun.Items.Len() > 0 {
		first, operator := begun.Items.At(0).(*store.LogEntry), store.GreaterEqual
		if first.Kind == "delete" {
			operator = store.Greater
		}
		query.Where = append(query.Where, store.Condition{Fields: []string{"id"}, Operator: operator, Values: []any{first.ID}})
	}
	if page, err = history.Log.List(ctx, query); err != nil || page.Broken != nil {
		return page, errors.Join(append(page.Broken, err)...)
	}
	entries, positions := make([]*store.LogEntry, page.Items.Len()), make([][]any, page.Items.Len())
	for i := range entries {
		entry := *page.Items.At(i).(*store.LogEntry)
		changes := make(map[string]store.FieldChange, len(entry.Changes))
		for name, change := range entry.Changes {
			if isShown[name] {
				changes[name] = change
			}
		}
		entry.Changes = changes
		entries[i], positions[i] = &entry, []any{entry.ID}
	}
	page.Items = compiled.ItemsOf(entries, positions)
	return page, nil
}

// HasText reports whether Cause names principals of a type, or may do so if it is an interface.
func HasText(principal reflect.Type) bool {
	named := []reflect.Type{reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextAppender]()}
	zero := reflect.Zero(principal)
	return slices.ContainsFunc(named, principal.Implements) ||
		principal.Kind() == reflect.Interface || principal.Kind() == reflect.String || zero.CanInt() || zero.CanUint()
}

// Cause returns who makes a change in a context, and the id of the operation that makes it; nil for none. A caller is named
// by the principal's method String, else by the text that identifies it, and is nil if its type has none.
func Cause(ctx context.Context) (by, id *string) {
	if req, ok := operation.RequestFrom(ctx); ok {
		if s, ok := req.Origin.(*seen); ok {
			id = new(s.op.ID)
		}
	}
	principal := operation.PrincipalFrom(ctx)
	if v := reflect.ValueOf(principal); v.IsValid() && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		text, ok := textOf(principal, v)
		if named, isStringer := principal.(fmt.Stringer); isStringer {
			text, ok = named.String(), true
		}
		if ok {
			by = &text
		}
	}
	return by, id
}
