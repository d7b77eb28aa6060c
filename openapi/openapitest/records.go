package openapitest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// kept is a record that requests can be about.
type kept struct {
	of        *compiled.Resource
	variables map[string]string // what paths have for its fields, not escaped: identifiers, its own and those it refers to
}

// declaredIn lists the operations of an API by method and path, as operation.key returns them.
func declaredIn(of *compiled.API) map[string]*compiled.Operation {
	all := map[string]*compiled.Operation{}
	for _, r := range of.Resources {
		for _, op := range r.Operations {
			all[strings.ToLower(op.Method)+" "+op.Path()] = op
		}
	}
	return all
}

// key returns the method and the path.
func (o operation) key() string { return o.method + " " + o.path }

// unescaped returns what a part of a path stands for.
func unescaped(part string) string {
	text, err := url.PathUnescape(part)
	if err != nil {
		return part
	}
	return text
}

// plain returns the JSON value of a field that is written as a text in paths.
func plain(text string, f *model.Field) any {
	if f != nil && (f.Type.Kind == model.Int || f.Type.Kind == model.Uint) {
		return json.Number(text)
	}
	return text
}

// locate returns a path of an operation that names records which exist. It creates them where that is
// needed: the record of an item anew, what is above it only once.
func (c *conformity) locate(op operation) (string, bool) {
	declared := c.declared[op.key()]
	if declared == nil {
		return "", false
	}
	var record *kept
	if declared.Item {
		if record = c.newRecord(declared.Resource); record == nil {
			return "", false
		}
	}
	return c.pathOf(op, record)
}

// pathOf returns the path of an operation on a record, which is nil for an operation on none.
func (c *conformity) pathOf(op operation, record *kept) (string, bool) {
	declared := c.declared[op.key()]
	values := map[string]string{}
	if record != nil {
		maps.Copy(values, record.variables)
	}
	for _, p := range slices.Backward(declared.Parents) {
		if values[p.Variable] != "" {
			continue
		}
		above := c.anyRecord(p.Resource)
		if above == nil {
			return "", false
		}
		for name, value := range above.variables { // what is above it in turn
			if values[name] == "" && !above.of.ID.Has(name) {
				values[name] = value
			}
		}
		values[p.Variable] = above.text()
	}
	if m := declared.Membership; m != nil && (op.method != "delete" || values[m.Variable] == "") {
		target := c.anyRecord(m.Resource)
		if target == nil {
			return "", false
		}
		values[m.Variable] = target.text()
	}
	for _, name := range declared.Template.Variables() {
		if values[name] == "" {
			return "", false
		}
	}
	return declared.Template.Expand(func(name string) string { return values[name] }), true
}

// text returns the identifier of a record as paths have it, before they are escaped.
func (k *kept) text() string {
	id, ok := k.of.ID.ParseVariables(func(name string) string { return k.variables[name] })
	if !ok {
		return ""
	}
	text, _ := k.of.ID.Text(id) // it has come from texts
	return text
}

// reference returns what a body has for a reference to a record: one that exists, or a new one. The field
// is nil where bodies name records by their identifiers.
func (c *conformity) reference(f *model.Field, target *compiled.Resource, isNew bool) any {
	find := c.anyRecord
	if isNew {
		find = c.newRecord
	}
	record := find(target)
	if record == nil {
		return nil
	}
	if f == nil || f.Reference.Path == nil {
		id := target.ID.Fields()[0]
		if target.ID.IsComposite() {
			id = nil
		}
		return plain(record.text(), id)
	}
	if path := c.addressOf(record); path != "" {
		return path
	}
	return nil
}

// addressOf returns the path of a record's Get, "" for none.
func (c *conformity) addressOf(record *kept) string {
	get := record.of.Get()
	if get == nil {
		return ""
	}
	return get.Template.Expand(func(name string) string { return record.variables[name] })
}

// owned is a resource as a caller sees it.
type owned struct {
	caller string
	of     *compiled.Resource
}

// anyRecord returns a record of a resource, the same for a caller while it exists. The caller can see it if there is
// one that they can see: a user may be nobody's to see but their own.
func (c *conformity) anyRecord(of *compiled.Resource) *kept {
	key := owned{c.caller.name, of}
	record := c.records[key]
	if record != nil && c.sees(record, []caller{c.caller}) {
		return record
	}
	if record == nil || !c.sees(record, c.everyCaller()) {
		record = c.newRecord(of)
	}
	if record == nil || !c.sees(record, []caller{c.caller}) {
		if list := c.listed(of); len(list) > 0 {
			record = list[0]
		}
	}
	c.records[key] = record
	return record
}

// sees reports whether one of the callers gets a record, or there is no documented Get.
func (c *conformity) sees(record *kept, callers []caller) bool {
	path := c.addressOf(record)
	_, isDocumented := c.document.find(http.MethodGet, path)
	return !isDocumented || c.isThere(path, callers...)
}

// everyCaller lists the callers, the one at hand first.
func (c *conformity) everyCaller() []caller { return append([]caller{c.caller}, c.callers...) }

// isThere reports whether one of the callers gets the record at a path.
func (c *conformity) isThere(path string, callers ...caller) bool {
	return slices.ContainsFunc(callers, func(as caller) bool { return c.get(as, path, "").Code == http.StatusOK })
}

// newRecord creates a record of a resource from the example of its Post. Where none succeeds, it looks for a
// record that exists. It returns nil for neither.
func (c *conformity) newRecord(of *compiled.Resource) *kept {
	if c.making[of] { // a reference leads back to it
		return nil
	}
	c.making[of] = true
	defer delete(c.making, of)
	for _, creator := range c.creators(of) {
		example, ok := c.exampleOf(creator)
		if !ok {
			continue
		}
		if record := c.create(creator, string(written(example))); record != nil {
			return record
		}
	}
	if record := c.put(of); record != nil {
		return record
	}
	return c.existing(of)
}

// put creates a record by the Put of a resource that takes any identifier. It returns nil if there is none.
func (c *conformity) put(of *compiled.Resource) *kept {
	for _, op := range c.document.operations() {
		declared := c.declared[op.key()]
		example, ok := c.exampleOf(op)
		if declared == nil || declared.Resource != of || !declared.AllowCreate || declared.IsBelowOthers() || !ok {
			continue
		}
		c.uniques++
		shown := c.exemplary(op)
		path := declared.Template.Expand(func(name string) string {
			return variedText(unescaped(declared.Template.Variable(shown, name)), c.uniques)
		})
		if record := c.createAt(op, path, string(written(example))); record != nil {
			return record
		}
	}
	return nil
}

// creators lists the operations that create records of a resource, those with the fewest variables first.
func (c *conformity) creators(of *compiled.Resource) []operation {
	var found []operation
	for _, op := range c.document.operations() {
		if declared := c.declared[op.key()]; declared != nil && declared.Creates && declared.Resource == of && op.body() != "" {
			found = append(found, op)
		}
	}
	slices.SortStableFunc(found, func(a, b operation) int { return strings.Count(a.path, "{") - strings.Count(b.path, "{") })
	return found
}

// create sends a body to an operation that creates, as the caller, else as the first who may. It returns the new
// record, nil for none.
func (c *conformity) create(creator operation, body string) *kept {
	path := creator.path
	if creator.isItem() {
		var ok bool
		if path, ok = c.locate(creator); !ok {
			return nil
		}
	}
	return c.createAt(creator, path, body)
}

func (c *conformity) createAt(creator operation, path, body string) *kept {
	r := c.plainRequest(creator)
	r.path = path
	r.mediaType, r.body = creator.body(), body
	r.valid, _ = c.worth(creator, r)
	header := r.header
	for _, as := range c.everyCaller() {
		r.header = header.Clone()
		maps.Copy(r.header, as.header)
		sent, answer := c.deliver(creator, r)
		if answer.Code < http.StatusBadRequest {
			return c.recordIn(creator, sent, answer)
		}
	}
	return nil
}

// recordIn returns the record that a response shows or locates.
func (c *conformity) recordIn(creator operation, sent request, w *httptest.ResponseRecorder) *kept {
	declared := c.declared[creator.key()]
	record := &kept{declared.Resource, map[string]string{}}
	for _, text := range []string{sent.body, w.Body.String()} {
		body, _ := parsed(text)
		node, _ := body.(object)
		c.readVariables(record, node)
	}
	record.locate(declared, sent.path)
	if get, location := declared.Resource.Get(), w.Header().Get("Location"); get != nil && location != "" {
		record.locate(get, location)
	}
	if record.text() == "" {
		return nil
	}
	return record
}

// locate reads what a path of an operation has for the fields of the record.
func (k *kept) locate(op *compiled.Operation, path string) {
	for _, name := range op.Template.Variables() {
		k.variables[name] = unescaped(op.Template.Variable(path, name))
	}
}

// readVariables reads what paths have for the fields of a record.
func (c *conformity) readVariables(record *kept, body object) {
	for _, f := range record.of.Struct.Fields {
		value := body[f.Name]
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		if value == nil || f.Reference == nil && !record.of.ID.Has(f.Name) {
			continue
		}
		text := parameter{}.text(value)
		if f.Reference != nil && f.Reference.Path != nil {
			text = c.identifierIn(text)
		}
		record.variables[f.Name] = text
	}
}

// identifierIn returns the identifier in the address of a record, "" where it is none.
func (c *conformity) identifierIn(address string) string {
	op, ok := c.document.find(http.MethodGet, address)
	if !ok || c.declared[op.key()] == nil {
		return ""
	}
	record := kept{c.declared[op.key()].Resource, map[string]string{}}
	record.locate(c.declared[op.key()], address)
	return record.text()
}

// existing returns a record that the API has without Conform: the one in the examples of its path, else the first
// of its collection.
func (c *conformity) existing(of *compiled.Resource) *kept {
	if of.Item != nil {
		if get, ok := c.document.find(http.MethodGet, of.Item.Path()); ok {
			path := c.exemplary(get)
			if record := (&kept{of, map[string]string{}}); c.isThere(path, c.everyCaller()...) {
				record.locate(of.Item, path)
				return record
			}
		}
	}
	defer func(as caller) { c.caller = as }(c.caller)
	for _, c.caller = range c.everyCaller() {
		if list := c.listed(of); len(list) > 0 {
			return list[0]
		}
	}
	return nil
}
