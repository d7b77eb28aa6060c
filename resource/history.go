package resource

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// history adds the operation that lists the changes of a record, which has the rules of the record's Get.
func (c *compiler) history(declared *declared) {
	where, d, r := declared.where+": History", &declared.definition, declared.resource
	if !d.history || d.store.Records == nil || !declared.isValid || declared.isBroken {
		return
	}
	keeper, get := d.store.LogKeeper, r.Get()
	if keeper == nil {
		c.fail(where, "the store (%T) keeps no log of changes; "+
			"use one that implements store.LogKeeper, such as those of store/memory and store/sqlstore", d.store.Itself)
		return
	}
	shown := r.Embedded
	if get != nil {
		shown = get.Out
	}
	if shown == nil || get != nil && get.Output != nil {
		c.fail(where, "the changes have fields of the record, which Output converts for responses; remove one of the two")
		return
	}
	log, name := keeper.Log()
	if checker, ok := log.(store.Checker); ok {
		c.noteStore(where, d, checker.Check(context.Background()))
	}
	op := &compiled.Operation{
		API: c.model, Resource: r, Kind: operation.KindGet, Method: http.MethodGet, ID: "list" + r.ShortName + "History",
		Custom: true, Reads: true, Lists: true, Pages: true, Status: http.StatusOK,
		History: &compiled.History{Log: untyped.Of(log).Records, Name: name},
	}
	for _, f := range r.Struct.Fields {
		// A stamp of each write would show that a hidden field has changed.
		if r.Source.Response.View.Field(f) == nil || f == r.Struct.Version || f == r.Struct.Modified {
			continue
		}
		op.History.Logged = append(op.History.Logged, f.Name)
		if shown.View.Field(f) != nil {
			op.History.Shown = append(op.History.Shown, f.Name)
		}
	}
	o := &operationCompiler{op, c, where, d, &operation.Metadata{}}
	var path string
	if get != nil {
		path = strings.TrimPrefix(get.Path(), c.model.Prefix)
		op.Access, op.Gate, op.Private, op.Anonymous = get.Access, get.Gate, get.Private, get.Anonymous
	} else {
		path = strings.TrimSuffix(o.conventionalTemplate(d.path), "{._format}")
		o.access()
	}
	if o.metadata.URITemplate = path + "/history{._format}"; !o.template() {
		c.misplaced[op] = true
	}
	o.entries()
	o.caching()
	o.lifecycle()
	o.limits()
	r.Operations = append(r.Operations, op)
}

// entries sets the response of an operation that lists changes, its parameters and formats.
func (o *operationCompiler) entries() {
	c, typ := o.c, reflect.TypeFor[store.LogEntry]()
	record, _ := model.Compile(typ) // no user can cause an error
	source := c.source(o.where, &model.Type{Go: typ, Kind: model.Object, Struct: record})
	o.Out = source.Value(source.Views.View(model.Response).Only([]string{"at", "by", "operation", "changes"}))
	paging := paginate(&o.definition.defaults.Pagination, &c.config.Pagination)
	var err error
	o.Parameters, err = parameters.Compile(parameters.Options{
		Record: record, Paging: &paging, Order: []string{"-id"}, Shown: o.Out.View, MaxURL: c.model.MaxURLBytes,
		Key: c.config.secret("histories"), Scope: o.Path(), Opaque: true, Deleted: o.TakesDeleted(),
	})
	c.note(o.where, err)
	declared := c.config.Formats
	if o.definition.defaults.Formats != nil {
		declared = o.definition.defaults.Formats
	}
	var formats []*compiled.Format
	for i, f := range c.formatsOf(o.where, declared) {
		if declared[i].ForAPI == nil { // the others link records of the API, and a change is not one
			formats = append(formats, f)
		}
	}
	if formats == nil {
		formats = c.formatsOf(o.where, format.Standard())
	}
	c.note(o.where, o.ChooseFormats(formats))
}

// keepLog makes the store of a resource log its changes. It warns of callers whom the log cannot name.
func (c *compiler) keepLog(d *declared) {
	for _, scheme := range c.config.Authentication {
		if t := scheme.Principal; t != nil && !serve.HasText(t) {
			c.model.Logger.Warn("the history names no callers, because principals have no text; give their type a method String",
				"resource", d.resource.ShortName, "scheme", scheme.Name, "type", t.String())
		}
	}
	r, response := d.resource, d.resource.Source.Response
	at := slices.IndexFunc(r.Operations, func(op *compiled.Operation) bool { return op.History != nil })
	l := &changeLog{History: r.Operations[at].History, id: r.ID}
	l.encoder = response.Encoder.Narrow(response.View.Only(l.Logged))
	d.store.LogKeeper.KeepLog(l.entry)
}

// changeLog makes the entries of changes of a resource's records.
type changeLog struct {
	*compiled.History

	id      model.Identifier
	encoder *codec.Encoder // of the logged fields
}

// entry returns the entry of a change, nil if no logged field has changed.
func (l *changeLog) entry(ctx context.Context, change store.Change) (*store.LogEntry, error) {
	record, err := l.Record(l.id, change.ID)
	before, failedBefore := l.values(change.Before)
	after, failedAfter := l.values(change.After)
	if err := errors.Join(err, failedBefore, failedAfter); err != nil {
		return nil, fmt.Errorf("history of %s: %w", record, err)
	}
	entry := &store.LogEntry{Record: record, Kind: "update", At: time.Now().UTC(), Changes: map[string]store.FieldChange{}}
	switch {
	case change.IsInsert():
		entry.Kind = "insert"
	case change.IsDelete():
		entry.Kind = "delete"
	}
	for i, name := range l.Logged {
		if !bytes.Equal(before[i], after[i]) {
			entry.Fields, entry.Changes[name] = append(entry.Fields, name), store.FieldChange{From: before[i], To: after[i]}
		}
	}
	if len(entry.Fields) == 0 {
		return nil, nil //nolint:nilnil // nothing to log
	}
	entry.By, entry.Operation = serve.Cause(ctx)
	return entry, nil
}

// values returns the values of the logged fields of a record as JSON: null for one that is omitted, or of no record.
func (l *changeLog) values(record any) ([][]byte, error) {
	values := make([][]byte, len(l.Logged))
	var fields []format.Field
	var err error
	if record != nil {
		_, fields, err = l.encoder.AppendMembers(nil, record, nil)
	}
	for i, name := range l.Logged {
		if values[i] = []byte("null"); len(fields) > 0 && fields[0].Name == name {
			values[i], fields = fields[0].JSON, fields[1:]
		}
	}
	return values, err //nolint:wrapcheck // the caller names the record
}
