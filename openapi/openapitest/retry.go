package openapitest

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// replacement replaces the example of a field in the bodies of an operation. The API rejected it because another record
// has the value, or because it refers to a record that does not exist.
type replacement struct {
	names    []string // the path of the field, without indexes
	rejected string   // the example as JSON, "" for none
	next     func() any
	isUnique bool // each request needs a new value

	isReference bool
	value       any
	failed      int // rejections in a row
}

// mostFailed is how many values are tried before a rejection fails the test.
const mostFailed = 8

// sendWithRetry sends a request, with the examples that the API rejected replaced. It repeats the request while there are
// other values to try, and returns the last request with its response.
func (c *conformity) sendWithRetry(op *operation, r request) (request, *httptest.ResponseRecorder) {
	for {
		sent := c.replace(op, r)
		response := c.serve(sent)
		if !c.recordRejection(op, sent, response) {
			return sent, response
		}
	}
}

// replace returns a request with new values for the examples that the API rejected.
func (c *conformity) replace(op *operation, r request) request {
	body, ok := parseJSON(r.body)
	if !ok || len(op.replacements) == 0 {
		return r
	}
	changed := false
	for _, each := range op.replacements {
		if each.isUnique || each.value == nil {
			each.value = each.next()
		}
		if value := c.pathValue(op, each.names, r.path); value != nil {
			each.value = value
		}
		changed = each.set(body) || changed
	}
	if changed {
		r.body = string(toJSON(body))
	}
	return r
}

// set replaces the example in a body, and reports whether the body had it.
func (r *replacement) set(body any) (changed bool) {
	visit(body, r.names, func(node object, name string) {
		switch {
		case textAt(node, name) != r.rejected || r.value == nil && !r.isReference:
			return
		case r.value == nil: // no record to refer to
			delete(node, name)
		default:
			node[name] = r.value
		}
		changed = true
	})
	return changed
}

// visit calls do with each object in a body that can have the field at a path, and the name of the field.
func visit(body any, names []string, do func(node object, name string)) {
	switch node := body.(type) {
	case []any:
		for _, element := range node {
			visit(element, names, do)
		}
	case object:
		if len(names) > 1 {
			visit(node[names[0]], names[1:], do)
		} else {
			do(node, names[0])
		}
	}
}

// textAt returns a field of an object as JSON, "" for none.
func textAt(node object, name string) string {
	value, ok := node[name]
	if !ok {
		return ""
	}
	return string(toJSON(value))
}

// recordRejection notes which fields of a valid request the API rejected, and reports whether to try again.
func (c *conformity) recordRejection(op *operation, sent request, w *httptest.ResponseRecorder) bool {
	if w.Code < http.StatusBadRequest {
		for _, each := range op.replacements {
			each.failed = 0
		}
	}
	isConflict := w.Code == http.StatusConflict
	if !sent.valid || !isConflict && w.Code != http.StatusBadRequest && w.Code != http.StatusUnprocessableEntity {
		return false
	}
	body, ok := parseJSON(sent.body)
	if !ok {
		return false
	}
	again := false
	for _, names := range c.rejected(op, w, body) {
		again = c.addReplacement(op, sent, body, names, isConflict) || again
	}
	return again
}

// rejected returns the paths of the fields that an error response names. If a 409 names none, it returns all fields of
// a new record.
func (c *conformity) rejected(op *operation, w *httptest.ResponseRecorder, body any) [][]string {
	found := named(w)
	if w.Code != http.StatusConflict {
		return found
	}
	if node, ok := body.(object); ok && len(found) == 0 && op.declared.Creates {
		for _, name := range slices.Sorted(maps.Keys(node)) {
			found = append(found, []string{name})
		}
	}
	// Fields that conflict together, such as a period and what it is for: new records to refer to never conflict. Otherwise
	// fields without a reference are the easiest to change.
	isTogether := parseObject(w.Body.String())["fields"] != nil
	preferred := slices.DeleteFunc(slices.Clone(found), func(names []string) bool {
		_, target := c.field(op, names)
		return (target != nil) != isTogether
	})
	if len(preferred) > 0 {
		return preferred
	}
	return found
}

// named returns the paths of the fields that an error response names, in each form of errors.
func named(w *httptest.ResponseRecorder) [][]string {
	var problem struct {
		Field      string   `json:"field"`
		Fields     []string `json:"fields"`
		Errors     any      `json:"errors"`
		Violations []struct {
			Pointer string `json:"pointer"`
		} `json:"violations"`
	}
	_ = json.Unmarshal(w.Body.Bytes(), &problem) // other bodies name no fields
	var found [][]string
	add := func(path, separators string, without ...string) {
		names := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(separators, r) })
		names = slices.DeleteFunc(names, func(name string) bool {
			_, err := strconv.Atoi(name)
			return err == nil || slices.Contains(without, name)
		})
		if len(names) > 0 {
			found = append(found, names)
		}
	}
	for _, field := range append(strings.Split(problem.Field, ","), problem.Fields...) {
		add(field, ".[]")
	}
	switch errors := problem.Errors.(type) {
	case object:
		for _, path := range slices.Sorted(maps.Keys(errors)) {
			add(path, ".[]")
		}
	case []any: // of JSON:API
		for _, each := range errors {
			node, _ := each.(object)
			source, _ := node["source"].(object)
			pointer, _ := source["pointer"].(string)
			add(pointer, "/", "data", "attributes", "relationships")
		}
	}
	for _, violation := range problem.Violations {
		add(violation.Pointer, "/")
	}
	return found
}

// addReplacement finds a replacement for a field, and reports whether there is one.
func (c *conformity) addReplacement(op *operation, sent request, body any, names []string, isConflict bool) bool {
	same := func(each *replacement) bool { return slices.Equal(each.names, names) }
	if i := slices.IndexFunc(op.replacements, same); i >= 0 {
		known := op.replacements[i]
		if first(body, names) != string(toJSON(known.value)) || known.failed >= mostFailed {
			return false // the error has another reason
		}
		known.failed++
		known.value = nil
		return true
	}
	example, ok := c.exampleOf(op)
	text := first(example, names)
	if !ok || first(body, names) != text {
		return false
	}
	found := &replacement{names: names, rejected: text}
	field, target := c.field(op, names)
	switch {
	case target != nil:
		found.isReference, found.isUnique = true, isConflict
		found.next = func() any { return c.reference(field, target, isConflict || found.failed > 0) }
	case isConflict && text != "":
		value, _ := parseJSON(text)
		found.isUnique = true
		found.next = func() any { return c.unique(op, sent, found, value) }
	case c.pathValue(op, names, sent.path) != nil:
		found.next = func() any { return nil }
	default:
		return false
	}
	op.replacements = append(op.replacements, found)
	return true
}

// first returns the first value at a path as JSON, "" for none.
func first(body any, names []string) (text string) {
	visit(body, names, func(node object, name string) { text = cmp.Or(text, textAt(node, name)) })
	return text
}

// field returns the reference field at a path in a body, with the resource that it refers to. In a list of changes, the
// identifier is a reference without a field.
func (c *conformity) field(op *operation, names []string) (*model.Field, *compiled.Resource) {
	declared := op.declared
	if declared.In == nil {
		return nil, nil
	}
	in := declared.In.Type.StructIn()
	if of := declared.Bodies(); of != nil {
		in = of.Struct
		if declared.Patching != nil && len(names) == 1 && of.ID.Has(names[0]) {
			return nil, of
		}
	}
	var f *model.Field
	for _, name := range names {
		if in == nil || in.Field(name) == nil {
			return nil, nil
		}
		f = in.Field(name)
		in = f.Type.StructIn()
	}
	if f == nil || f.Reference == nil {
		return nil, nil
	}
	return f, declared.API.ByStruct[f.Reference.Target]
}

// pathValue returns the value that a body must have for a field, because the path has it as the identifier. It returns
// nil for other fields.
func (c *conformity) pathValue(op *operation, names []string, path string) any {
	declared := op.declared
	if !declared.Item || declared.Custom || len(names) != 1 || !declared.Resource.ID.Has(names[0]) {
		return nil
	}
	return plain(unescaped(declared.Template.Variable(path, names[0])), declared.Resource.Struct.Field(names[0]))
}

// parseJSON decodes a JSON text, and reports whether it is valid.
func parseJSON(text string) (any, bool) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	return value, err == nil
}

// parseObject decodes a JSON object, nil for any other text.
func parseObject(text string) object {
	value, _ := parseJSON(text)
	body, _ := value.(object)
	return body
}

// mostVaried is how many values are generated until one matches the schema.
const mostVaried = 200

// unique returns a new valid value that no other request has, or nil. It varies the example, because only that is known
// to follow the rules that no keyword expresses.
func (c *conformity) unique(op *operation, sent request, of *replacement, example any) any {
	for range mostVaried {
		c.uniques++
		body, ok := c.exampleOf(op)
		if !ok {
			return nil
		}
		body, _ = parseJSON(string(toJSON(body))) // a copy
		tried := replacement{names: of.names, rejected: of.rejected, value: varied(example, c.uniques)}
		if tried.value == nil || !tried.set(body) {
			return nil
		}
		if c.isValid(op.schemaOf(sent.mediaType), toJSON(body)) && string(toJSON(tried.value)) != of.rejected {
			return tried.value
		}
	}
	return nil
}

// varied returns the n-th variant of a string or an integer, and nil for other values.
func varied(value any, n int) any {
	switch v := value.(type) {
	case string:
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if at, err := time.Parse(layout, v); err == nil { // so that two times keep their order
				return at.AddDate(0, 0, n).Format(layout)
			}
		}
		return variedText(v, n)
	case json.Number:
		number, ok := new(big.Int).SetString(string(v), 10)
		if !ok {
			return nil
		}
		if n%2 == 0 { // there may be a maximum
			n = -n
		}
		return json.Number(number.Add(number, big.NewInt(int64(n))).String())
	}
	return nil
}

// alphabets are sets of characters. A string usually still matches its pattern after a character is replaced by another
// of its set.
var alphabets = [...]string{"0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}

// manyDigits matches a string with enough digits to count in.
var manyDigits = regexp.MustCompile(`[0-9].*[0-9].*[0-9]`)

// variedText adds n to a string, counting in its digits, and also in its letters if it has few digits. It changes only
// the part before the @ of an email address, and the last segment of a URL.
func variedText(text string, n int) string {
	from, to := strings.LastIndexByte(text, '/')+1, len(text)
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		from, to = 0, at
	}
	if from == to {
		return text + strconv.Itoa(n)
	}
	sets := alphabets[:]
	if manyDigits.MatchString(text[from:to]) {
		sets = sets[:1]
	}
	varied := []byte(text)
	for i := to - 1; i >= from && n > 0; i-- {
		for _, set := range sets {
			if at := strings.IndexByte(set, text[i]); at >= 0 {
				varied[i] = set[(at+n)%len(set)]
				n = (at + n) / len(set)
			}
		}
	}
	return string(varied)
}
