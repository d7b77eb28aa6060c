package jsonapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// writeError appends a document of errors: one for each invalid value and each invalid parameter, or else one.
func (n *types) writeError(b []byte, r *format.ErrorResponse) ([]byte, error) {
	b = append(b, opening+`"errors":[`...)
	named := &names{parameters: r.Parameters, typ: n.name(r.Resource)}
	e := errorOf(r, named)
	parameters, err := e.wrongParameters(r, named)
	if err != nil {
		return b, err
	}
	switch {
	case len(r.Violations) > 0:
		for i := range r.Violations {
			v := &r.Violations[i]
			one := problem{status: e.status, code: v.Code, title: e.title, detail: v.Message, sourceMember: "pointer", at: sourcePointer(r.Body, v.Pointer)}
			switch m := fieldAt(r.Body, v.Pointer); {
			case v.Code == "reference" && m != nil && m.Reference != nil:
				one.detail = v.Field + " must have the id of an existing " + m.Reference.To // documents have no paths there
			case v.Code == "unknown" && r.Body != nil && isRecord(r.Body) && strings.LastIndexByte(v.Pointer, '/') == 0:
				one.detail = attributesAlone(v.Message, r.Body)
			}
			b = one.append(b)
		}
	case len(parameters) > 0:
		for _, p := range parameters {
			one := e
			one.detail, one.sourceMember, one.at = p.Message, "parameter", p.Name
			if p.In == "header" {
				one.sourceMember = "header"
			}
			b = one.append(b)
			e.meta = nil // once is enough
		}
	default:
		b = e.append(b)
	}
	b[len(b)-1] = ']' // replaces the comma
	if r.More > 0 {
		b = append(strconv.AppendInt(append(b, `,"meta":{"more":`...), int64(r.More), 10), '}')
	}
	return append(b, '}'), nil
}

// attributesAlone removes from the allowed names in a message those that are not attributes.
func attributesAlone(message string, t *format.Type) string {
	const allowed, guess = "; allowed: ", `; did you mean "`
	isNone := func(name string) bool {
		m := fieldAt(t, "/"+scan.Escape(name))
		return m != nil && (m.Reference != nil || m.Name == t.ID)
	}
	if at := strings.LastIndex(message, guess); at >= 0 {
		if name, _, _ := strings.Cut(message[at+len(guess):], `"`); isNone(name) {
			return message[:at]
		}
		return message
	}
	at := strings.LastIndex(message, allowed)
	if at < 0 {
		return message
	}
	at += len(allowed)
	return message[:at] + strings.Join(slices.DeleteFunc(strings.Split(message[at:], ", "), isNone), ", ")
}

// problem is an error object.
type problem struct {
	id, status, code, title, detail string

	sourceMember, at string // the field of source, and its value; "" for none
	meta             []format.Field
}

// errorOf returns what all errors of a response have in common. Further fields of the JSON are in meta, except a
// pointer.
func errorOf(r *format.ErrorResponse, named *names) problem {
	e := problem{id: r.Instance, status: strconv.Itoa(r.Status), code: r.Type, title: r.Title, detail: r.Detail}
	if e.code == "about:blank" {
		e.code = strings.NewReplacer(" ", "_", "-", "_", "'", "").Replace(strings.ToLower(http.StatusText(r.Status)))
	}
	switch r.Status {
	case http.StatusNotAcceptable:
		e.sourceMember, e.at = "header", "Accept"
	case http.StatusUnsupportedMediaType:
		e.sourceMember, e.at = "header", "Content-Type"
	}
	for _, m := range r.Fields {
		var text string
		switch err := json.Unmarshal(m.JSON, &text); {
		case m.Name == "parameters":
		case m.Name == "allowed" && len(r.Parameters) > 0:
			e.meta = append(e.meta, format.Field{Name: m.Name, JSON: named.list()})
		case m.Name == "pointer" && err == nil:
			e.sourceMember, e.at = "pointer", sourcePointer(r.Body, text)
		case m.Name == "field" && err == nil:
			e.sourceMember, e.at = "pointer", sourcePointer(r.Body, "/"+strings.ReplaceAll(text, ".", "/"))
		default:
			e.meta = append(e.meta, m)
		}
	}
	return e
}

// list lists the parameters in JSON by their JSON:API names. sort replaces the order parameters.
func (n *names) list() json.RawMessage {
	sorts := slices.ContainsFunc(n.parameters, func(p format.Parameter) bool { return p.Role == "sort" })
	list := []byte{'['}
	for _, p := range n.parameters {
		if p.Role == "order" && sorts {
			continue
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = scan.AppendQuoted(list, n.name(p.Name))
	}
	return append(list, ']')
}

// append appends the error, with a comma after it.
func (e *problem) append(b []byte) []byte {
	b = append(b, '{')
	for _, m := range []struct{ name, value string }{
		{"id", e.id}, {"status", e.status}, {"code", e.code}, {"title", e.title}, {"detail", e.detail},
	} {
		if m.value != "" {
			b = append(append(append(b, '"'), m.name...), `":`...)
			b = append(scan.AppendQuoted(b, m.value), ',')
		}
	}
	if e.sourceMember != "" {
		b = append(append(append(b, `"source":{"`...), e.sourceMember...), `":`...)
		b = append(scan.AppendQuoted(b, e.at), "},"...)
	}
	if len(e.meta) > 0 {
		b = append(b, `"meta":{`...)
		for _, m := range e.meta {
			b = append(scan.AppendQuoted(b, m.Name), ':')
			b = append(append(b, m.JSON...), ',')
		}
		b = append(b[:len(b)-1], "},"...)
	}
	return append(b[:len(b)-1], "},"...)
}

// sourcePointer returns the place in a document of the value at a pointer in the JSON. Errors of the reader have their
// place in the document already.
func sourcePointer(t *format.Type, pointer string) string {
	if t == nil || pointer == "/data" || pointer == "/meta" || strings.HasPrefix(pointer, "/data/") || strings.HasPrefix(pointer, "/meta/") {
		return pointer
	}
	const within = "/data"
	switch {
	case t.Kind != format.Object:
		return "/meta/value" + pointer
	case !isRecord(t):
		return "/meta" + pointer
	case pointer == "":
		return within
	}
	name, _, _ := strings.Cut(pointer[1:], "/")
	switch m := fieldAt(t, pointer); {
	case m != nil && m.Name == t.ID:
		return within + "/id"
	case m != nil && m.Reference != nil:
		if rest := pointer[1+len(name):]; rest != "" {
			return within + "/relationships/" + name + "/data" + rest
		}
		return within + "/relationships/" + name
	}
	return within + "/attributes" + pointer
}

// fieldAt returns the field of a type that a pointer leads to or into, nil for none.
func fieldAt(t *format.Type, pointer string) *format.TypeField {
	if t == nil || pointer == "" {
		return nil
	}
	name, _, _ := strings.Cut(pointer[1:], "/")
	at := slices.IndexFunc(t.Fields, func(m format.TypeField) bool { return scan.Escape(m.Name) == name })
	if at < 0 {
		return nil
	}
	return &t.Fields[at]
}

// wrongParameter is an invalid parameter.
type wrongParameter struct {
	Name    string `json:"name"`
	In      string `json:"in"`
	Message string `json:"message"`
}

// wrongParameters returns the invalid parameters under the names that the client used.
func (e *problem) wrongParameters(r *format.ErrorResponse, named *names) ([]wrongParameter, error) {
	at := slices.IndexFunc(r.Fields, func(m format.Field) bool { return m.Name == "parameters" })
	if at < 0 {
		return nil, nil
	}
	var list []wrongParameter
	if err := json.Unmarshal(r.Fields[at].JSON, &list); err != nil {
		return nil, err
	}
	const unknown = `Unknown parameter "`
	sent := sentNames(r.Query)
	for i := range list {
		p := &list[i]
		if name, known := sent[p.Name]; known && p.In != "header" {
			if rest, leads := strings.CutPrefix(p.Message, p.Name+" "); leads {
				p.Message = name + " " + rest
			} else if rest, leads := strings.CutPrefix(p.Message, unknown+p.Name+`"`); leads {
				p.Message = unknown + name + `"` + rest
			}
			p.Name = name
		}
		p.Message = named.inOwnWords(p.Message)
	}
	return list, nil
}

// inOwnWords adapts a message to JSON:API: the suggested parameter has its name there, and references have ids instead
// of paths.
func (n *names) inOwnWords(message string) string {
	const guess, path = `did you mean "`, " must be the path of an existing "
	before, ours, guesses := strings.Cut(message, guess)
	if ours, behind, ends := strings.Cut(ours, `"`); guesses && ends {
		return before + guess + n.name(ours) + `"` + behind
	}
	if before, of, has := strings.Cut(message, path); has {
		of, _, _ = strings.Cut(of, ", such as ")
		return before + " must be the id of an existing " + of
	}
	return message
}

// sentNames returns the names of a query's parameters by those that Trove uses.
func sentNames(query string) map[string]string {
	sent := map[string]string{}
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			continue
		}
		ours := name
		if inner, is := strings.CutPrefix(name, "filter["); is {
			member, operator, _ := strings.Cut(inner, "]")
			ours = member + operator
		} else if strings.HasPrefix(name, "fields[") {
			ours = "fields"
		}
		for _, r := range renamed {
			if r.theirs == name {
				ours = r.ours
			}
		}
		if _, known := sent[ours]; !known {
			sent[ours] = name
		}
	}
	return sent
}

// errorSchema is the schema of what writeError appends.
const errorSchema = `{"type":"object","description":"Errors in JSON:API.","properties":{` +
	`"jsonapi":{"type":"object","properties":{"version":{"type":"string","enum":["1.1"]}},"required":["version"]},` +
	`"errors":{"type":"array","minItems":1,"items":{"type":"object","properties":{` +
	`"id":{"type":"string","description":"The id of the incident in the log."},` +
	`"status":{"type":"string","pattern":"^[45][0-9][0-9]$","description":"The HTTP status."},` +
	`"code":{"type":"string","description":"The kind of problem, or the rule that a value breaks."},` +
	`"title":{"type":"string","description":"The kind of problem in words."},` +
	`"detail":{"type":"string","description":"What is wrong with this request."},` +
	`"source":{"type":"object","description":"The part of the request that is wrong.","properties":{` +
	`"pointer":{"type":"string","format":"json-pointer"},"parameter":{"type":"string"},"header":{"type":"string"}}},` +
	`"meta":{"type":"object"}},"required":["status","title"]}},` +
	`"meta":{"type":"object","properties":{"more":{"type":"integer","description":"The number of further errors."}}}},` +
	`"required":["jsonapi","errors"]}`
