package jsonld

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/internal/scan"
)

// reader reads the bodies of a type.
type reader struct {
	typ     *format.Type
	context string // the path of the type's context
}

// read returns a body without the keywords of its node, after checking that they are those of the record. It leaves a
// body that is not an object, or malformed, for others to report.
func (r *reader) read(body *format.Body) ([]byte, error) {
	text := bytes.TrimSpace(body.Bytes)
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) || text[0] != '{' {
		return body.Bytes, nil
	}
	b, seen := append(make([]byte, 0, len(text)), '{'), map[string]bool{}
	for _, m := range scan.Values(text) {
		if !isKeyword(m.Name) {
			b = append(append(scan.AppendName(b, m.Name), m.Text...), ',')
			continue
		}
		if seen[m.Name] {
			return nil, &format.Error{Detail: "The body has " + m.Name + " twice.", Pointer: "/" + m.Name}
		}
		seen[m.Name] = true
		if err := r.check(m.Name, m.Text, body); err != nil {
			return nil, err
		}
	}
	return append(bytes.TrimSuffix(b, []byte(",")), '}'), nil
}

func isKeyword(name string) bool { return name == "@context" || name == "@id" || name == "@type" }

// check checks a keyword of the node.
func (r *reader) check(name string, value jsontext.Value, body *format.Body) error {
	var address string
	isMatch, want := false, "is set by the service; omit it"
	switch {
	case name == "@context":
		isMatch, want = r.isContext(value), "must be omitted or be the context of the API, "+r.context
	case name == "@type":
		isMatch, want = r.isType(value), "must be omitted or be "+r.typ.Name
	case r.typ.Name != "" && body.Path != "":
		isMatch, want = json.Unmarshal(value, &address) == nil && isAt(address, body.Path), "must be omitted or be the path of the record in the URL"
	}
	if isMatch {
		return nil
	}
	return &format.Error{Detail: name + " " + want + ".", Pointer: "/" + name}
}

// isContext reports whether a value is the context of the type. Another context could change the meaning of fields,
// and nothing fetches it.
func (r *reader) isContext(value jsontext.Value) bool {
	var address string
	if r.typ.Name == "" {
		return true // responses contain it, and clients send it back
	}
	return json.Unmarshal(value, &address) == nil && isAt(address, r.context)
}

// isAt reports whether a URL is a path, or has that path on any host.
func isAt(address, path string) bool {
	// Links write some dots percent-encoded, which is the same path (RFC 3986, section 6.2.2.2).
	address, path = strings.ReplaceAll(address, "%2E", "."), strings.ReplaceAll(path, "%2E", ".")
	if rest, ok := strings.CutSuffix(address, path); ok {
		_, host, absolute := strings.Cut(rest, "://")
		return rest == "" || absolute && host != "" && !strings.ContainsAny(host, "/?#")
	}
	return false
}

// isType reports whether a value is the class of the type, or a list that contains it.
func (r *reader) isType(value jsontext.Value) bool {
	var one string
	var list []string
	if r.typ.Name == "" {
		return false // the type has no class
	}
	if json.Unmarshal(value, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(value, &list) != nil {
		return false
	}
	for _, class := range list {
		if class == r.typ.Name || strings.HasSuffix(class, documentationPath+"#"+r.typ.Name) {
			return true
		}
	}
	return false
}
