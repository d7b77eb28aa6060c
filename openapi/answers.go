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

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/failure"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// answers lists every status that an operation answers with, or those that clients act
// on and one default for all others.
func (b *builder) answers(op *compiled.Operation) object {
	list := object{b.success(op, op.Status)}
	if op.AllowCreate {
		list = append(list, b.success(op, http.StatusCreated))
	}
	can := describe.Refusals(op)
	for i := range told {
		r := &told[i]
		if r.fits(can) && (b.config.EveryStatus || r.actedOn != nil && r.actedOn(op)) {
			list = append(list, b.refusal(r))
		}
	}
	if !b.config.EveryStatus {
		list = append(list, b.refusal(&refusals{name: "Refused", of: []failure.Kind{failure.Custom}, response: refusedOtherwise}))
	}
	return list
}

// success builds the answer of an operation that did what was asked.
func (b *builder) success(op *compiled.Operation, status int) member {
	created := status == http.StatusCreated && (op.Creates || op.AllowCreate && op.Status != http.StatusCreated)
	response := object{
		{"description", describe.Success(op, status)}, {"headers", unlessEmpty(b.answerHeaders(op, created))}, {"links", unlessEmpty(b.links(op, created))},
	}
	if op.HasResponseBody() {
		response = append(response, member{"content", b.answerContents(op)})
	}
	return member{strconv.Itoa(status), &response}
}

// unlessEmpty returns an object, nil for one without members.
func unlessEmpty(o object) any {
	if len(o) == 0 {
		return nil
	}
	return o
}

// header builds a field of an answer.
func header(name, description string, example any, format string) member {
	return member{name, &object{
		{"description", description}, {"schema", &schema.Schema{Type: []string{schema.String}, Format: format}}, {"example", literal{example}},
	}}
}

// address builds a field with the address of a record.
func address(name, description string, example any) member {
	field := header(name, description, example, "uri-reference")
	at := field.value.(*object)
	*at = append(*at, member{"required", true})
	return field
}

// count builds a field with a number.
func count(name, description string) member {
	return member{name, &object{
		{"description", description}, {"schema", &schema.Schema{Type: []string{schema.Integer}, Min: schema.Int(0)}}, {"example", literal{int64(1)}},
	}}
}

// answerHeaders builds the fields of an answer. Of two with one name the last one is told.
func (b *builder) answerHeaders(op *compiled.Operation, created bool) object {
	var list object
	if op.HasResponseBody() && (!op.Custom || op.Reads) {
		list = append(list, header("ETag", "The entity tag of the answer, for If-None-Match and If-Match. A stream has none.", `"a1b2c3"`, ""))
		if op.Shows && op.Resource.Struct.Modified != nil {
			list = append(list, header("Last-Modified", "When the record was changed last.", "Fri, 02 Jan 2026 15:04:05 GMT", "http-date"))
		}
	}
	l := op.Lifecycle
	if !l.Deprecated.IsZero() {
		list = append(list, header("Deprecation", "Since when the operation is deprecated (RFC 9745).", "@"+strconv.FormatInt(l.Deprecated.Unix(), 10), ""))
	}
	if !l.Sunset.IsZero() {
		list = append(list, header("Sunset", "When the operation is expected to end (RFC 8594).", l.Sunset.UTC().Format(http.TimeFormat), "http-date"))
	}
	if l.Link != "" && !op.Pages {
		list = append(list, header("Link", "Where the deprecation is explained (RFC 8288).", "<"+l.Link+`>; rel="deprecation"`, ""))
	}
	for _, name := range slices.Sorted(maps.Keys(op.ResponseHeader)) {
		list = append(list, header(name, op.ResponseHeader[name], nil, ""))
	}
	if created && op.Resource.Get() != nil {
		list = append(list, address("Location", "The address of the new "+op.Resource.ShortName+".", b.addressExample(op.Resource)))
	}
	if op.IsLocated {
		list = append(list, address("Content-Location", "The address at which a Get answers with the same.", nil))
	}
	if op.HasResponseBody() && op.Pages {
		list = append(list, pageHeaders(op)...)
	}
	for i, one := range slices.Backward(list) {
		isLater := func(m member) bool { return m.name == one.name }
		if slices.ContainsFunc(list[i+1:], isLater) {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

// pageHeaders are the header fields of a page, those that the collection ever has.
func pageHeaders(op *compiled.Operation) (list object) {
	byNumber, byCursor := op.HasParameter(parameters.Page), op.HasParameter(parameters.Cursor)
	if byNumber || byCursor {
		example := "<" + op.Path() + `>; rel="first"`
		if byNumber {
			example = "<" + op.Path() + `?page=1>; rel="first", <` + op.Path() + `?page=2>; rel="next"`
		}
		list = append(list, header("Link", "The addresses of the first, previous, next and last page, as far as there are any (RFC 8288). "+
			"A stream has none, nor has the whole collection.", example, ""))
	}
	if byNumber || !byCursor || op.HasParameter(parameters.Pagination) {
		list = append(list, count("X-Total-Count", "How many there are on all pages. Pages by cursor, partial pages and streams have none."))
	}
	return list
}

// addressExample returns the address that examples show of a record, nil where none could be made.
func (b *builder) addressExample(r *compiled.Resource) any {
	examples := map[string]string{}
	for _, f := range r.ID.Fields() {
		example := b.schemas.KeyExample(f)
		if example == nil {
			return nil
		}
		examples[f.Name] = fmt.Sprint(example)
	}
	for i := range r.Get().Parents {
		p := &r.Get().Parents[i]
		example := b.schemas.FieldExample(p.Resource.Struct.ID)
		if example == nil {
			return nil
		}
		examples[p.Variable] = fmt.Sprint(example)
	}
	return r.Get().Template.Expand(func(name string) string { return examples[name] })
}

// streamContent builds the body of a stream. OpenAPI 3.1 has no words for its lines but these.
func (b *builder) streamContent(op *compiled.Operation, example any) object {
	all := "all that the filters let pass, without pages"
	if op.HasParameter(parameters.Cursor) {
		all += "; those behind the cursor, if one is given"
	}
	of := stringSchema("One " + naming.Phrase(op.Resource.ShortName) + " as JSON on each line: " + all + ". " +
		"An answer that breaks off means that the service failed on the way.")
	if items, ok := example.([]any); ok && len(items) > 0 {
		if record, ok := items[0].(map[string]any); ok {
			return media(of, b.lines(op.Resource.Struct, record))
		}
	}
	return media(of, nil)
}

// lines writes an example of a stream: a record, and a second one where another identifier can be made.
func (b *builder) lines(of *model.Struct, record map[string]any) string {
	text, id := line(of, record), of.IDs[len(of.IDs)-1]
	if id.Reference != nil { // to another record, which examples have one of
		return text
	}
	other, ok := b.schemas.Second(id, record[id.Name])
	if !ok {
		return text
	}
	second := maps.Clone(record)
	second[id.Name] = other
	return text + line(of, second)
}

// line writes a record as the service does, its members in the order of its fields.
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

// plainMediaType is that of answers in which members of a record stand at the top, so that links find them there.
const plainMediaType = "application/json"

// links are what an answer that shows a record leads to: the record that a reference is to, the collections below it,
// and from a new record its own address. A parameter of theirs is a member of the answer as it stands there. So there
// are none to what is told by an address alone, from which expressions take no part, nor by what may be null.
func (b *builder) links(op *compiled.Operation, created bool) (links object) {
	r := op.Resource
	if !op.Shows || op.HasOutput || op.DefaultFormat().MediaType != plainMediaType {
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
		if f.Reference != nil && f.Reference.Address == nil && f.Refers() {
			to := b.api.ByStruct[f.Reference.Target]
			add(describe.ComponentName(f.Name), to.Item, to.ID.Names(), f)
		}
	}
	for _, other := range b.api.Resources {
		for _, below := range other.Operations {
			if below.Pages && len(below.Parents) == 1 && below.Parents[0].Resource == r { // a collection right below the record
				add(below.ID, below, []string{below.Parents[0].Variable}, r.ID.Fields()...)
			}
		}
	}
	if created && r.Item != nil {
		add(r.Item.ID, r.Item, r.ID.Names(), r.ID.Fields()...)
	}
	return links
}

// jsonPointer escapes what has a meaning in JSON Pointers (RFC 6901).
var jsonPointer = strings.NewReplacer("~", "~0", "/", "~1")

// link leads to an operation whose variables have the values of members.
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
