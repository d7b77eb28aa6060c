package openapi

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/schema"
)

// resource adds the documented operations of a resource, and its tag if it has any such operations.
func (b *builder) resource(r *compiled.Resource) {
	documented := false
	for _, op := range collectionsFirst(r.Operations) {
		if op.Hidden {
			continue
		}
		documented = true
		i := slices.IndexFunc(b.paths, func(m member) bool { return m.name == op.Path() })
		if i < 0 {
			i = len(b.paths)
			b.paths = append(b.paths, member{op.Path(), &object{}})
		}
		item := b.paths[i].value.(*object)
		*item = append(*item, member{strings.ToLower(op.Method), b.operation(op)})
		slices.SortFunc(*item, inUsualOrder)
	}
	if documented {
		b.tags = append(b.tags, object{{"name", r.ShortName}, {"description", describe.Tag(r)}})
	}
}

// collectionsFirst puts operations on the collection before those on a record, as far as operations have the order of
// [operation.Standard]. Any other order is taken as intended.
func collectionsFirst(declared []*compiled.Operation) []*compiled.Operation {
	list := slices.Clone(declared)
	usual := 0
	for usual < len(list) && (usual == 0 || list[usual-1].Kind <= list[usual].Kind) {
		usual++
	}
	slices.SortStableFunc(list[:usual], func(a, b *compiled.Operation) int {
		switch {
		case a.Item == b.Item:
			return 0
		case b.Item:
			return -1
		}
		return 1
	})
	return list
}

// operation builds one operation.
func (b *builder) operation(op *compiled.Operation) object {
	parameters, body, responses := b.parameters(op), b.requestBody(op), b.operationResponses(op) // schemas are in the order of first use
	built := object{
		{"tags", []string{op.Resource.ShortName}},
		{"operationId", op.ID},
		{"summary", describe.Summary(op)},
		{"description", describe.Description(op)},
		{"parameters", parameters},
		{"requestBody", body},
		{"responses", responses},
		{"deprecated", !op.Lifecycle.Deprecated.IsZero()},
		{"security", b.security(op)},
	}
	if b.config.Operations[op.ID] != nil { // its function can change them
		return built
	}
	for _, p := range parameters {
		if p, is := p.(*object); is {
			b.share("parameters", componentOf(op, p), p)
		}
	}
	for _, r := range responses {
		response := r.value.(*object)
		if response.get("content") != nil {
			b.share("responses", op.Resource.ShortName+"Response", response)
		}
		headers, _ := response.get("headers").(object)
		for _, h := range headers {
			b.share("headers", h.name, h.value.(*object))
		}
	}
	return built
}

// parameters builds the parameters of an operation: first those of the path, then those of the query and the header.
func (b *builder) parameters(op *compiled.Operation) (list []any) {
	for _, name := range op.Template.Variables() {
		list = append(list, parameter("path", name, b.schemas.PathParameter(op, name)))
	}
	for _, p := range op.Parameters.List {
		in := "query"
		switch p.Kind {
		case parameters.Own:
			if p.Header {
				in = "header"
			}
			list = append(list, parameter(in, p.Name, b.schemas.Parameter(op, p)))
		case parameters.Tree:
			// Not content: clients would have to write JSON into the URL, but most write the object in a form of their own.
			of := b.schemas.CollectionParameter(op, p)
			of.Schema = &schema.Schema{Type: []string{schema.String}, ContentMediaType: format.JSON, ContentSchema: of.Schema}
			of.Example = "{}" // finds every record
			list = append(list, parameter(in, p.Name, of))
		case parameters.Sort, parameters.Fields, parameters.Expand, parameters.Group, parameters.Function:
			list = append(list, parameter(in, p.Name, b.schemas.CollectionParameter(op, p), member{"explode", literal{false}}, member{"style", "form"}))
		default:
			list = append(list, parameter(in, p.Name, b.schemas.CollectionParameter(op, p)))
		}
	}
	return append(list, b.headerParameters(op)...)
}

// parameter builds a parameter.
func parameter(in, name string, of describe.Parameter, more ...member) *object {
	p := append(object{
		{"name", name}, {"in", in}, {"description", of.Description}, {"required", of.Required}, {"schema", of.Schema}, {"example", literal{of.Example}},
	}, more...)
	return &p
}

// tagsPattern matches If-Match and If-None-Match (RFC 9110, section 8.8.3).
const (
	onePattern  = `(W/)?"[!#-~]*"`
	tagsPattern = `^(\*|` + onePattern + `([ \t]*,[ \t]*` + onePattern + `)*)$`
)

// headerParameters builds the header fields for conditional requests and idempotency keys.
func (b *builder) headerParameters(op *compiled.Operation) (list []any) {
	text := func(pattern, format string) *schema.Schema {
		return &schema.Schema{Type: []string{schema.String}, Pattern: pattern, Format: format}
	}
	tags := text(tagsPattern, "entity-tags") // a valid tag need not be the record's
	switch {
	case takesCondition(op):
		p := describe.Parameter{Schema: tags, Description: "Changes the record only if its current ETag is one of these; otherwise the response is 412."}
		if op.RequirePrecondition {
			p.Description += " Without it, the response is 428. `*` matches any version."
			p.Required, p.Example = true, "*"
		}
		list = append(list, parameter("header", "If-Match", p))
	case op.Reads && op.HasResponseBody():
		list = append(list, parameter("header", "If-None-Match", describe.Parameter{
			Schema: tags, Description: "ETags of responses that the client has. If one is current, the response is 304.",
		}))
	}
	if op.Staleness() > 0 && op.Reads {
		list = append(list, parameter("header", compiled.PositionField, describe.Parameter{Schema: text("", ""), Description: "Position of a write that " +
			"the response must show, as its response had it. Without it, data may be up to " + inLargestUnit(op.Staleness()) + " old."}))
	}
	if op.Idempotency > 0 {
		key := text(`^[!#-~]+$`, "")
		key.MinLength, key.MaxLength = 1, new(uint64(255))
		list = append(list, parameter("header", "Idempotency-Key", describe.Parameter{
			Schema: key, Description: "Unique key of the request, such as a UUID. For " + inLargestUnit(op.Idempotency) + ", the same request with " +
				"the same key returns the first response and saves nothing; another request with that key returns 422.",
		}))
	}
	return list
}

// takesCondition reports whether an operation takes If-Match to protect a change.
func takesCondition(op *compiled.Operation) bool { return op.Item && op.Saves }

// inLargestUnit writes a duration: "1 day", "36 hours".
func inLargestUnit(d time.Duration) string {
	for _, unit := range []struct {
		name string
		is   time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if d == unit.is {
			return "1 " + unit.name
		} else if d%unit.is == 0 {
			return strconv.FormatInt(int64(d/unit.is), 10) + " " + unit.name + "s"
		}
	}
	return d.String()
}

// requestBody builds the body of an operation's requests, nil for none.
func (b *builder) requestBody(op *compiled.Operation) object {
	if !op.TakesBody() {
		return nil
	}
	content := object{}
	for i, mediaType := range op.MediaTypes {
		of := &op.Readers[i].Format
		switch {
		case !of.JSON:
			content = append(content, member{mediaType, b.contentIn(of, b.schemas.BodySchema(op, ""), false)})
		default:
			mark := "" // a Put that creates may require more than one that updates
			if op.AllowCreate && len(describe.Needs(op)) > 0 {
				mark = describe.FormatMerged
			}
			content = append(content, member{mediaType, media(b.schemas.BodySchema(op, mark), b.schemas.BodyExample(op))})
		}
	}
	return object{{"required", true}, {"content", content}}
}

// media is a body of one media type.
func media(of *schema.Schema, example any) object {
	return object{{"schema", of}, {"example", literal{example}}}
}

// get returns the value of a field, nil if it is missing.
func (o *object) get(name string) any {
	for _, m := range *o {
		if m.name == name && isSet(m.value) {
			return m.value
		}
	}
	return nil
}

// shared has the parameters, responses or header fields of a document with the same name, in groups of equal ones.
type shared struct {
	kind, name string
	groups     [][]*object
}

// share registers what several operations may have in common, under its name as a component; "" for none.
func (b *builder) share(kind, name string, at *object) {
	if name == "" || at.get("$ref") != nil {
		return
	}
	s := b.shared[kind+"/"+name]
	if s == nil {
		s = &shared{kind: kind, name: name}
		b.shared[kind+"/"+name] = s
	}
	i := slices.IndexFunc(s.groups, func(group []*object) bool { return reflect.DeepEqual(group[0], at) })
	if i < 0 {
		s.groups = append(s.groups, []*object{at})
		return
	}
	s.groups[i] = append(s.groups[i], at)
}

// promoted returns the components of a kind: of each name the most frequent form, if it occurs twice. All places with
// that form become references.
func (b *builder) promoted(kind string) object {
	var components object
	for _, key := range slices.Sorted(maps.Keys(b.shared)) {
		s := b.shared[key]
		if s.kind != kind {
			continue
		}
		most := slices.MaxFunc(s.groups, func(a, b []*object) int { return len(a) - len(b) }) // the first of several
		if len(most) < 2 {
			continue
		}
		components = append(components, member{s.name, *most[0]})
		for _, at := range most {
			*at = object{{"$ref", "#/components/" + kind + "/" + s.name}}
		}
	}
	return components
}

// componentOf returns the name of a parameter as a component, "" for none: filters, except by the identifier, and an
// operation's own parameters are specific to the resource. Generators make types of components, so the names must differ
// from those of resources.
func componentOf(op *compiled.Operation, p *object) string {
	name, in := p.get("name").(string), p.get("in")
	words := strings.ReplaceAll(name, "-", "")
	if in == "path" && op.Resource.ID.Has(name) {
		return op.Resource.ShortName + naming.Capital(words) + "Parameter"
	}
	switch name {
	case "If-Match", "If-None-Match", "Idempotency-Key", compiled.PositionField:
		return words + "Parameter"
	}
	for _, known := range op.Parameters.List {
		if known.Name != name || in != "query" {
			continue
		}
		switch known.Kind {
		case parameters.Page, parameters.Offset, parameters.ItemsPerPage, parameters.Pagination, parameters.Partial, parameters.Cursor:
			return naming.Capital(describe.ComponentName(words)) + "Parameter"
		case parameters.Filter:
			if op.Resource.ID.Has(name) {
				return naming.Capital(describe.ComponentName(words)) + "FilterParameter"
			}
		}
	}
	return ""
}
