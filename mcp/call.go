package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/internal/schema"
)

// call is what the arguments of a tool say: the parts of a request of its operation.
type call struct {
	tool      *tool
	variables map[string]string
	query     url.Values
	header    http.Header
	body      []byte // members of an object without its end, or all of it; nil for none
	wrong     []wrongArgument
}

// wrongArgument is an argument that is not valid, told in the words of wrong parameters.
type wrongArgument struct {
	Name    string `json:"name"`
	In      string `json:"in"`
	Message string `json:"message"`
}

// read reads the arguments.
func (t *tool) read(arguments json.RawMessage) (made guest.Call, err error) {
	c := &call{tool: t, variables: map[string]string{}, query: url.Values{}, header: http.Header{}}
	if err := c.split(arguments); err != nil {
		return made, err
	}
	for i := range t.op.Variables {
		if _, given := c.variables[t.op.Variables[i].Name]; !given {
			c.refuse(t.op.Variables[i].Name, "is required")
		}
	}
	if c.wrong != nil {
		return made, refuseArguments(c.wrong)
	}
	if t.takesMembers() {
		c.body = append(c.open(), '}')
	}
	// Pages by position stay in place when records come and go, and cost no counting.
	if t.pages && !c.query.Has(cursor) && !c.query.Has("page") && !c.query.Has("pagination") && (!t.begins || !c.query.Has(offset)) {
		c.query.Set(cursor, "")
	}
	return guest.Call{Variables: c.variables, Query: c.query.Encode(), Header: c.header, Body: c.body}, nil
}

// takesMembers reports whether members of the body are arguments.
func (t *tool) takesMembers() bool { return t.op.Input != nil && !t.op.InputLists }

// errMalformed refuses arguments that are no object, in the words of a body that is none.
func errMalformed() error {
	return guest.Invalid("The arguments must be a well-formed JSON object without duplicate names.", nil)
}

// split sends each argument to its destination. Values stay as they are written, for the body's decoder
// to judge.
func (c *call) split(arguments json.RawMessage) error {
	if text := bytes.TrimSpace(arguments); len(text) == 0 || string(text) == "null" {
		return nil
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(arguments))
	if decoder.PeekKind() != jsontext.KindBeginObject {
		return errMalformed()
	}
	if _, err := decoder.ReadToken(); err != nil {
		return errMalformed()
	}
	for decoder.PeekKind() != jsontext.KindEndObject {
		name, err := decoder.ReadToken()
		if err != nil {
			return errMalformed()
		}
		text := name.String() // before the next read, which takes its place
		value, err := decoder.ReadValue()
		if err != nil {
			return errMalformed()
		}
		c.take(text, value)
	}
	return nil
}

// take sends an argument to its destination: what no parameter is called by is a member of the body or,
// where there is none, a parameter that the operation refuses.
func (c *call) take(name string, value jsontext.Value) {
	a := c.tool.arguments[name]
	switch {
	case a == nil && c.tool.takesMembers():
		c.addMember(name, value)
	case a == nil:
		c.addValues(name, &argument{destination: inQuery, name: name}, value)
	case a.destination == inWhole:
		c.body = bytes.Clone(value)
	case a.destination == inMember:
		c.addMember(a.name, value)
	default:
		c.addValues(name, a, value)
		if a.destination == inPath && slices.Contains(c.tool.op.InputNames, a.name) {
			c.addMember(name, value)
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

// addValues adds what a parameter is given as. Null is no value, which models send for what they
// leave out.
func (c *call) addValues(name string, a *argument, value jsontext.Value) {
	texts, ok := textsOf(value)
	if !ok {
		c.refuse(name, "must be a text, a number, a boolean or a list of them")
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
			c.refuse(name, "must be one value")
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
			if !guest.IsFieldValue(text) {
				c.refuse(name, "must be one line of visible characters")
				return
			}
		}
		c.header[http.CanonicalHeaderKey(a.name)] = texts
	default:
		c.query[a.name] = texts
	}
}

// textsOf returns the texts that parameters have for a value, none for null. Objects have none.
func textsOf(value jsontext.Value) (texts []string, ok bool) {
	switch made := schema.Go(value).(type) {
	case nil:
		return nil, true
	case []any:
		for _, element := range made {
			text, isScalar := textOf(element)
			if !isScalar {
				return nil, false
			}
			texts = append(texts, text)
		}
		return texts, true
	default:
		text, isScalar := textOf(made)
		return []string{text}, isScalar
	}
}

func textOf(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	}
	return "", false
}

func (c *call) refuse(name, message string) {
	c.wrong = append(c.wrong, wrongArgument{name, "arguments", name + " " + message})
}

// refuseArguments makes the problem of arguments that are not valid.
func refuseArguments(wrong []wrongArgument) error {
	messages := make([]string, len(wrong))
	for i := range wrong {
		messages[i] = wrong[i].Message
	}
	return guest.Invalid(strings.Join(messages, "; ")+".", wrong)
}
