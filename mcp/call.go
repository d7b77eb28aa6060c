package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
)

// call has the parts of a request, built from the arguments of a tool.
type call struct {
	tool      *tool
	variables map[string]string
	query     url.Values
	header    http.Header
	body      []byte // an object without its closing brace, or the whole body; nil for none
	wrong     []wrongArgument
}

// wrongArgument is an invalid argument, reported in the form of invalid parameters.
type wrongArgument struct {
	Name    string `json:"name"`
	In      string `json:"in"`
	Message string `json:"message"`
}

// read converts arguments to a call.
func (t *tool) read(arguments json.RawMessage) (made invoke.Call, err error) {
	c := &call{tool: t, variables: map[string]string{}, query: url.Values{}, header: http.Header{}}
	if err := c.split(arguments); err != nil {
		return made, err
	}
	for _, p := range t.variables {
		if _, given := c.variables[t.arguments[p].name]; !given {
			c.reject(p, "is required")
		}
	}
	if c.wrong != nil {
		return made, invalidArguments(c.wrong)
	}
	if t.takesFields() {
		c.body = append(c.open(), '}')
	}
	// Pages by cursor stay stable when records are added or deleted, and need no count.
	if t.pages && !c.query.Has(cursor) && !c.query.Has("page") && !c.query.Has("pagination") && (!t.begins || !c.query.Has(offset)) {
		c.query.Set(cursor, "")
	}
	return invoke.Call{Variables: c.variables, Query: c.query.Encode(), Header: c.header, Body: c.body}, nil
}

// takesFields reports whether fields of the body are arguments.
func (t *tool) takesFields() bool { return t.op.Body != nil && !t.op.BodyIsList() }

// split sends each argument to its destination. Values stay as written, because the decoder of the body checks them.
func (c *call) split(arguments json.RawMessage) error {
	text := jsontext.Value(bytes.TrimSpace(arguments))
	if len(text) == 0 || string(text) == "null" {
		return nil
	}
	if text.Kind() != jsontext.KindBeginObject || !text.IsValid() {
		return invoke.Invalid("The arguments must be a well-formed JSON object without duplicate names.", nil)
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	_, _ = decoder.ReadToken() // it is valid, and so is the rest
	for decoder.PeekKind() != jsontext.KindEndObject {
		name, _ := decoder.ReadToken()
		argument := name.String() // before the next read, which overwrites it
		value, _ := decoder.ReadValue()
		c.take(argument, value)
	}
	return nil
}

// take sends an argument to its destination. An unknown name is a field of the body or, without a body, a parameter,
// so that the operation reports it.
func (c *call) take(name string, value jsontext.Value) {
	a := c.tool.arguments[name]
	switch {
	case a == nil && c.tool.takesFields():
		c.addMember(name, value)
	case a == nil:
		c.addValues(name, &argument{destination: inQuery, name: name}, value)
	case a.destination == inBody:
		c.body = bytes.Clone(value)
	case a.destination == inField:
		c.addMember(a.name, value)
	default:
		c.addValues(name, a, value)
		if a.destination == inPath && c.tool.op.IsInBody(a.name) {
			c.addMember(a.name, value)
		}
	}
}

func (c *call) open() []byte {
	if c.body == nil {
		return []byte{'{'}
	}
	return c.body
}

func (c *call) addMember(name string, value jsontext.Value) {
	if c.body = c.open(); len(c.body) > 1 {
		c.body = append(c.body, ',')
	}
	c.body, _ = jsontext.AppendQuote(c.body, name)
	c.body = append(append(c.body, ':'), value...)
}

// addValues adds the values of a parameter. Null is not a value, because models send it for arguments that they omit.
func (c *call) addValues(name string, a *argument, value jsontext.Value) {
	texts, ok := textsOf(value)
	if a.isJSON && value.Kind() == jsontext.KindBeginObject {
		text := value.Clone()
		_ = text.Compact() // the decoder has checked it
		texts, ok = []string{string(text)}, true
	}
	if !ok {
		c.reject(name, "must be a string, a number, a boolean or a list of them")
		return
	}
	if len(texts) == 0 {
		return
	}
	if a.joins {
		texts = []string{strings.Join(texts, ",")}
	}
	switch a.destination {
	case inPath:
		if len(texts) > 1 {
			c.reject(name, "must be a single value")
		}
		c.variables[a.name] = texts[0]
	case inCursor:
		for carried, values := range openCursor(texts[0]) {
			if !c.query.Has(carried) || carried == cursor || carried == offset && c.tool.begins {
				c.query[carried] = values
			}
		}
	case inHeader:
		for _, text := range texts {
			if !httpfield.IsValue(text) {
				c.reject(name, "must be one line of visible characters")
				return
			}
		}
		c.header[http.CanonicalHeaderKey(a.name)] = texts
	default:
		c.query[a.name] = texts
	}
}

// textsOf returns the strings that parameters have for a value, none for null, and reports whether there are any: not
// for objects.
func textsOf(value jsontext.Value) (texts []string, ok bool) {
	made := schema.Go(value)
	list, isList := made.([]any)
	if !isList && made != nil {
		list = []any{made}
	}
	for _, element := range list {
		switch v := element.(type) {
		case string:
			texts = append(texts, v)
		case bool, int64, uint64, float64:
			texts = append(texts, fmt.Sprint(v))
		default:
			return nil, false
		}
	}
	return texts, true
}

func (c *call) reject(name, message string) {
	c.wrong = append(c.wrong, wrongArgument{name, "arguments", name + " " + message})
}

// invalidArguments returns the problem for invalid arguments.
func invalidArguments(wrong []wrongArgument) error {
	messages := make([]string, len(wrong))
	for i := range wrong {
		messages[i] = wrong[i].Message
	}
	return invoke.Invalid(strings.Join(messages, "; ")+".", wrong)
}

// pageFormat writes the pages that tools return. It is not among the formats of the API.
//
//nolint:gochecknoglobals // constant
var pageFormat = format.Format{
	MediaType: "application/json",
	Collection: format.Collection{
		Begin:     func(b []byte, _ format.Page) ([]byte, error) { return append(b, `{"items":[`...), nil },
		Item:      func(b []byte, item format.Item) ([]byte, error) { return item.AppendJSON(b) },
		Separator: ",",
		End:       endPage,
	},
}

// endPage writes the cursor of the next page. It contains the whole query, so a model need not repeat the arguments.
func endPage(b []byte, page format.Page) ([]byte, error) {
	links, err := page.Links()
	if err != nil {
		return b, err
	}
	b = append(b, ']')
	if next, err := url.Parse(links.Next); err == nil && next.RawQuery != "" {
		b = append(append(b, `,"nextCursor":`...), schema.ValueOf(base64.RawURLEncoding.EncodeToString([]byte(next.RawQuery)))...)
	}
	return append(b, '}'), nil
}

// openCursor returns the query in a cursor. Without one it is a cursor of HTTP, or invalid, which the operation reports.
func openCursor(text string) url.Values {
	if query, err := base64.RawURLEncoding.DecodeString(text); err == nil {
		if values, err := url.ParseQuery(string(query)); err == nil && (values.Has(cursor) || values.Has("page") || values.Has(offset)) {
			return values
		}
	}
	return url.Values{cursor: {text}}
}

// result converts a response to the result of a call. An error has no structured content, because clients validate that
// against the schema of success.
func (t *tool) result(a *invoke.Response) *sdk.CallToolResult {
	text := a.Body.String()
	if a.IsError() {
		refusal := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
		for _, name := range [...]string{"WWW-Authenticate", "Retry-After"} { // the body has neither the missing scope nor the time to wait
			if value := a.Header().Get(name); value != "" {
				refusal.Content = append(refusal.Content, &sdk.TextContent{Text: name + ": " + value})
			}
		}
		return refusal
	}
	if text == "" {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Done."}}}
	}
	if t.wrapper != "" {
		text = `{"` + t.wrapper + `":` + text + `}`
	}
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(text)}
	if tag := a.Header().Get("ETag"); t.op.ShowsTag() && tag != "" {
		result.Content = append(result.Content, &sdk.TextContent{Text: "To change this record, send If-Match: " + tag})
	}
	return result
}
