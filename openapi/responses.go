package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
)

// operationResponses lists the statuses of an operation that clients handle, and one default for all others.
func (b *builder) operationResponses(op *compiled.Operation) object {
	list := object{b.success(op, op.Status)}
	if op.AllowCreate {
		list = append(list, b.success(op, http.StatusCreated))
	}
	for i := range documentedErrors {
		e := &documentedErrors[i]
		if e.can(op) {
			list = append(list, b.errorOf(op, e))
		}
	}
	list = append(list, b.errorResponse(&documentedError{name: "Error", kind: problem.Custom, response: otherError}))
	slices.SortFunc(list, byName)
	return list
}

// success builds the response of a successful operation.
func (b *builder) success(op *compiled.Operation, status int) member {
	created := status == http.StatusCreated && (op.Creates || op.AllowCreate && op.Status != http.StatusCreated)
	response := object{
		{"description", describe.Success(op, status)},
		{"headers", unlessEmpty(b.responseHeaders(op, created))},
	}
	if op.HasResponseBody() {
		response = append(response, member{"content", b.responseContents(op)})
	}
	response = append(response, member{"links", unlessEmpty(b.links(op, created))})
	return member{strconv.Itoa(status), &response}
}

// unlessEmpty returns an object, nil for one without fields.
func unlessEmpty(o object) any {
	if len(o) == 0 {
		return nil
	}
	return o
}

// header builds a header field of a response.
func header(name, description string, example any, format string) member {
	return member{name, &object{
		{"description", description}, {"schema", &schema.Schema{Type: []string{schema.String}, Format: format}}, {"example", literal{example}},
	}}
}

// requiredHeader builds a header field that every response has.
func requiredHeader(name, description string, example any, format string) member {
	field := header(name, description, example, format)
	at := field.value.(*object)
	*at = slices.Insert(*at, 1, member{"required", true})
	return field
}

// count builds a header field with a number.
func count(name, description string) member {
	return member{name, &object{
		{"description", description}, {"schema", &schema.Schema{Type: []string{schema.Integer}, Min: schema.Int(0)}}, {"example", literal{int64(1)}},
	}}
}

// responseHeaders builds the header fields of a response. Of two with the same name, the last one is documented.
func (b *builder) responseHeaders(op *compiled.Operation, created bool) object {
	var list object
	if op.HasResponseBody() && (!op.Custom || op.Reads) {
		list = append(list, header("ETag", "Entity tag for If-Match and If-None-Match. Streams have none.", `"a1b2c3"`, ""))
		if op.Shows && op.Resource.Struct.Modified != nil {
			list = append(list, header("Last-Modified", "Time of the last change.", "Fri, 02 Jan 2026 15:04:05 GMT", "http-date"))
		}
	}
	l := op.Lifecycle
	if !l.Deprecated.IsZero() {
		list = append(list, header("Deprecation", "Date of deprecation (RFC 9745).", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10), ""))
	}
	if !l.Sunset.IsZero() {
		list = append(list, header("Sunset", "Expected date of removal (RFC 8594).", l.Sunset.UTC().Format(http.TimeFormat), "http-date"))
	}
	if l.Link != "" && !op.Pages {
		list = append(list, header("Link", "Link to information about the deprecation (RFC 8288).", "<"+l.Link+`>; rel="deprecation"`, ""))
	}
	for _, name := range slices.Sorted(maps.Keys(op.ResponseHeader)) {
		list = append(list, header(name, op.ResponseHeader[name], nil, ""))
	}
	if created && op.Resource.Get() != nil {
		list = append(list, requiredHeader("Location", describe.Location(op.Resource), b.pathExample(op.Resource), "uri-reference"))
	}
	if op.IsLocated {
		list = append(list, requiredHeader("Content-Location", "Path at which a GET returns the same content.", nil, "uri-reference"))
	}
	list = append(list, b.pageHeaders(op)...)
	if op.Queries {
		const text = "Media type of bodies of the method QUERY (RFC 10008), which returns the same for the parameters in an object, by name."
		list = append(list, header("Accept-Query", text, "application/json", ""))
	}
	for i, one := range slices.Backward(list) {
		isLater := func(m member) bool { return m.name == one.name }
		if slices.ContainsFunc(list[i+1:], isLater) {
			list = slices.Delete(list, i, i+1)
		}
	}
	slices.SortFunc(list, byName)
	return list
}

// pageHeaders builds the header fields of a page, all that the collection can have, and that of a write.
func (b *builder) pageHeaders(op *compiled.Operation) (list object) {
	if op.Staleness() > 0 && !op.Reads {
		list = append(list, header(compiled.PositionField, "Position of the write. Requests that send it back see the write.", nil, ""))
	}
	if !op.HasResponseBody() || !op.Pages {
		return list
	}
	byNumber, byCursor := op.HasParameter(parameters.Page), op.HasParameter(parameters.Cursor)
	if byNumber || byCursor {
		example := "<" + op.Path() + `>; rel="first"`
		if byNumber {
			example = "<" + op.Path() + `?page=1>; rel="first", <` + op.Path() + `?page=2>; rel="next"`
		}
		const text = "Links to the first, previous, next and last pages that exist (RFC 8288). Absent from streams and if all records are returned."
		list = append(list, header("Link", text, example, ""))
	}
	if op.Parameters.CanTotal(parameters.ExactTotal) {
		text := "Number of records on all pages. Absent from cursor pages, partial pages and streams."
		if op.Parameters.CanTotal(parameters.MoreThan) {
			text = "Number of records on all pages, unless there are more than 10,000. Absent from cursor pages, partial pages and streams."
		}
		list = append(list, count("X-Total-Count", text))
	}
	if op.Parameters.CanTotal(parameters.MoreThan) {
		const text = "The records on all pages are more than this. Sent instead of `X-Total-Count`, without a link to the last page."
		list = append(list, count("X-Total-More-Than", text))
	}
	if op.Estimator != nil {
		const text = "Estimated number of records on all pages, beyond 10,000 and without filters. Sent instead of `X-Total-More-Than`."
		list = append(list, count("X-Total-Estimate", text))
	}
	return list
}

// pathExample returns the path of a record in examples, nil if none could be made.
func (b *builder) pathExample(r *compiled.Resource) any {
	isKnown := true
	path := r.Get().Template.Expand(func(name string) string {
		example := b.schemas.PathParameter(r.Get(), name).Example
		isKnown = isKnown && example != nil
		return fmt.Sprint(example)
	})
	if !isKnown {
		return nil
	}
	return path
}

// streamContent builds the body of a stream, with one record as its example. OpenAPI 3.1 cannot describe its lines except in words.
func (b *builder) streamContent(op *compiled.Operation, example any) object {
	of := stringSchema(describe.Stream(op))
	if items, ok := example.([]any); ok && len(items) > 0 {
		if record, ok := items[0].(map[string]any); ok {
			return media(of, line(op.Out.Type.Struct, record))
		}
	}
	return media(of, nil)
}

// line writes a record as the service does, in the order of its fields.
func line(of *model.Struct, record map[string]any) string {
	b := []byte{'{'}
	for _, f := range append(slices.Clip(of.Fields), of.Inverses...) {
		value, has := record[f.Name]
		text, err := json.Marshal(value, json.Deterministic(true))
		if !has || err != nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, f.Name)
		b = append(append(b, ':'), text...)
	}
	return string(b) + "}\n"
}

// links builds the links from a record in a response: to referenced records, to subresources, and from a new record to
// itself. Their parameters are fields of the response. References that are paths or null have no link, because expressions
// cannot take a path apart.
func (b *builder) links(op *compiled.Operation, created bool) (links object) {
	r := op.Resource
	if !op.Shows || op.Output != nil || op.DefaultFormat().MediaType != format.JSON { // other formats have fields elsewhere
		return nil
	}
	add := func(name string, to *compiled.Operation, variables []string, from ...*model.Field) {
		hidden := func(f *model.Field) bool {
			m := op.Out.View.Field(f)
			return m == nil || !m.Readable || f.Shown() != nil
		}
		known := func(m member) bool { return m.name == name }
		if to == nil || to.Hidden || slices.ContainsFunc(from, hidden) || len(to.Template.Variables()) != len(from) || slices.ContainsFunc(links, known) {
			return
		}
		links = append(links, member{name, link(to, variables, from)})
	}
	for _, f := range r.Struct.Fields {
		if f.Reference != nil && f.Reference.Path == nil && f.Refers() {
			to := b.api.ByStruct[f.Reference.Target]
			add(describe.ComponentName(f.Name), to.Item, to.ID.Names(), f)
		}
	}
	for _, other := range b.api.Resources {
		for _, below := range other.Operations {
			if below.Pages && len(below.Parents) == 1 && below.Parents[0].Resource == r { // a subresource
				add(below.ID, below, []string{below.Parents[0].Variable}, r.ID.Fields()...)
			}
		}
	}
	if created && r.Item != nil {
		add(r.Item.ID, r.Item, r.ID.Names(), r.ID.Fields()...)
	}
	slices.SortFunc(links, byName)
	return links
}

// jsonPointer escapes names for JSON Pointers (RFC 6901).
var jsonPointer = strings.NewReplacer("~", "~0", "/", "~1")

// link builds a link to an operation, whose variables get the values of fields.
func link(to *compiled.Operation, variables []string, from []*model.Field) object {
	var values object
	for i, name := range variables {
		if slices.ContainsFunc(to.Parameters.List, func(p *parameters.Parameter) bool { return p.Name == name }) {
			name = "path." + name
		}
		values = append(values, member{name, "$response.body#/" + jsonPointer.Replace(from[i].Name)})
	}
	return object{{"operationId", to.ID}, {"parameters", values}}
}
