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

// storedRecord is a record of the API that requests can refer to.
type storedRecord struct {
	of        *compiled.Resource
	variables map[string]string // unescaped values of path variables: its own identifier and those of its references
}

// variable returns the unescaped value of a path variable, "" if it is unknown.
func (s *storedRecord) variable(name string) string { return s.variables[name] }

// unescaped returns a segment of a path without percent encoding.
func unescaped(part string) string {
	text, err := url.PathUnescape(part)
	if err != nil {
		return part
	}
	return text
}

// plain returns the JSON value of a field from its string in a path.
func plain(text string, f *model.Field) any {
	if f != nil && (f.Type.Kind == model.Int || f.Type.Kind == model.Uint) {
		return json.Number(text)
	}
	return text
}

// pathToRecords returns the path of an operation with the identifiers of existing records. It creates a new record for
// the item, in a state that the operation allows, and reuses records above it.
func (c *conformity) pathToRecords(op *operation) (string, bool) {
	if !op.declared.Item {
		return c.pathOf(op, nil)
	}
	record := c.newRecord(op.declared.Resource)
	if record == nil {
		return "", false
	}
	return c.pathOf(op, c.inState(op.declared, record))
}

// pathOf returns the path of an operation on a record, which is nil for a collection.
func (c *conformity) pathOf(op *operation, record *storedRecord) (string, bool) {
	declared := op.declared
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
		for name, value := range above.variables { // the identifiers of records further up
			if values[name] == "" && !above.of.ID.Has(name) {
				values[name] = value
			}
		}
		values[p.Variable] = above.text()
	}
	for _, p := range declared.PathRecords()[len(declared.Parents):] {
		if op.method == "delete" && values[p.Variable] != "" {
			continue
		}
		target := c.anyRecord(p.Resource)
		if target == nil {
			return "", false
		}
		values[p.Variable] = target.text()
	}
	value := func(name string) string { return values[name] }
	isUnknown := func(name string) bool { return values[name] == "" }
	return declared.Template.Expand(value), !slices.ContainsFunc(declared.Template.Variables(), isUnknown)
}

// text returns the identifier of a record as in a path, not escaped.
func (s *storedRecord) text() string {
	id, ok := s.of.ID.ParseVariables(s.variable)
	if !ok {
		return ""
	}
	text, _ := s.of.ID.Text(id) // it was parsed from text
	return text
}

// reference returns the JSON value of a field that refers to an existing record, or to a new one. With a nil field, it
// is an identifier.
func (c *conformity) reference(f *model.Field, target *compiled.Resource, isNew bool) any {
	find := c.anyRecord
	if isNew {
		find = c.newRecord
	}
	record := find(target)
	if record == nil {
		return nil
	}
	var value any
	switch path := c.itemPath(record); {
	case f != nil && f.Reference.Path != nil && path == "":
		return nil
	case f != nil && f.Reference.Path != nil:
		value = path
	case target.ID.IsComposite():
		value = record.text()
	default:
		value = plain(record.text(), target.ID.Fields()[0])
	}
	if f != nil && f.Reference.Many {
		return []any{value}
	}
	return value
}

// itemPath returns the path of a record's Get, "" for none.
func (c *conformity) itemPath(record *storedRecord) string {
	get := record.of.Get()
	if get == nil {
		return ""
	}
	return get.Template.Expand(record.variable)
}

// recordKey identifies the record of a resource that a caller uses.
type recordKey struct {
	caller string
	of     *compiled.Resource
}

// anyRecord returns a record of a resource, the same for a caller while it exists. It prefers a record that the caller
// can see, because users may see only their own.
func (c *conformity) anyRecord(of *compiled.Resource) *storedRecord {
	key := recordKey{c.caller.name, of}
	record := c.records[key]
	if record != nil && c.exists(c.itemPath(record), c.caller) {
		return record
	}
	if record == nil || !c.exists(c.itemPath(record), c.everyCaller()...) {
		record = c.newRecord(of)
	}
	if record == nil || !c.exists(c.itemPath(record), c.caller) {
		if list := c.listed(of); len(list) > 0 {
			record = list[0]
		}
	}
	c.records[key] = record
	return record
}

// exists reports whether one of the callers can get the record at a path. Without a documented Get, it returns true.
func (c *conformity) exists(path string, callers ...caller) bool {
	return c.document.find(http.MethodGet, path) == nil || c.canGet(path, callers...)
}

// everyCaller lists the callers, the current one first.
func (c *conformity) everyCaller() []caller { return append([]caller{c.caller}, c.callers...) }

// canGet reports whether one of the callers can get the record at a path.
func (c *conformity) canGet(path string, callers ...caller) bool {
	return slices.ContainsFunc(callers, func(as caller) bool { return c.get(as, path, "").Code == http.StatusOK })
}

// newRecord creates a record of a resource, from the example of a Post, or a Put with a new identifier. If none succeeds, it
// returns an existing record, or nil.
func (c *conformity) newRecord(of *compiled.Resource) *storedRecord {
	if c.creating[of] { // a reference leads back to the resource
		return nil
	}
	c.creating[of] = true
	defer delete(c.creating, of)
	for _, creator := range c.creators(of) {
		example, ok := c.exampleOf(creator)
		if !ok {
			continue
		}
		if record := c.create(creator, string(toJSON(example))); record != nil {
			return record
		}
	}
	known := c.known(of)
	exists := func(one *storedRecord) bool { return c.exists(c.itemPath(one), c.everyCaller()...) }
	if i := slices.IndexFunc(known, exists); i >= 0 {
		return known[i]
	}
	return nil
}

// creators lists the operations that create records of a resource, those with the fewest variables first.
func (c *conformity) creators(of *compiled.Resource) []*operation {
	var found []*operation
	for _, op := range c.document.operations {
		creates := op.declared.Creates || op.declared.AllowCreate && !op.declared.IsBelowOthers()
		if creates && op.declared.Resource == of && op.body() != "" {
			found = append(found, op)
		}
	}
	slices.SortStableFunc(found, func(a, b *operation) int { return strings.Count(a.path, "{") - strings.Count(b.path, "{") })
	return found
}

// create sends a body to an operation that creates records, as the current caller, then as the others until one
// succeeds. It returns the new record, or nil.
func (c *conformity) create(creator *operation, body string) *storedRecord {
	path := creator.path
	switch {
	case creator.declared.AllowCreate:
		c.uniques++
		path = creator.examplePath(c.uniques)
	case creator.isItem():
		var ok bool
		if path, ok = c.pathToRecords(creator); !ok {
			return nil
		}
	}
	r := c.plainRequest(creator)
	r.path, r.mediaType = path, creator.body()
	r = c.withBody(creator, r, body)
	for _, as := range c.everyCaller() {
		sent, response := c.sendWithRetry(creator, r.as(as))
		if response.Code < http.StatusBadRequest {
			return c.recordIn(creator, sent, response)
		}
	}
	return nil
}

// recordIn returns the record in a response, or in its Location. It returns nil if its identifier is unknown.
func (c *conformity) recordIn(creator *operation, sent request, w *httptest.ResponseRecorder) *storedRecord {
	declared := creator.declared
	record := &storedRecord{declared.Resource, map[string]string{}}
	c.readVariables(record, parseObject(sent.body))
	c.readVariables(record, parseObject(w.Body.String()))
	record.readPath(declared, sent.path)
	if get, location := declared.Resource.Get(), w.Header().Get("Location"); get != nil && location != "" {
		record.readPath(get, location)
	}
	if record.text() == "" {
		return nil
	}
	c.created[record.of] = append(c.created[record.of], record)
	return record
}

// readPath reads the variables in a path of an operation.
func (s *storedRecord) readPath(op *compiled.Operation, path string) {
	for _, name := range op.Template.Variables() {
		s.variables[name] = unescaped(op.Template.Variable(path, name))
	}
}

// readVariables reads the path variables from the identifier and the references in a body.
func (c *conformity) readVariables(record *storedRecord, body object) {
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

// identifierIn returns the identifier in the path of a record, "" for any other string.
func (c *conformity) identifierIn(path string) string {
	op := c.document.find(http.MethodGet, path)
	if op == nil {
		return ""
	}
	record := storedRecord{op.declared.Resource, map[string]string{}}
	record.readPath(op.declared, path)
	return record.text()
}

// known returns records of a resource: the last that Conform created, and those of its collection as each caller sees it.
func (c *conformity) known(of *compiled.Resource) []*storedRecord {
	list := slices.Clone(c.created[of][max(0, len(c.created[of])-10):])
	slices.Reverse(list)
	defer func(as caller) { c.caller = as }(c.caller)
	for _, c.caller = range c.everyCaller() {
		list = append(list, c.listed(of)...)
	}
	return list
}
