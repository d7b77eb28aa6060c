// Package uritemplate reads the URI templates of operations and expands them: paths
// with whole segments as variables, RFC 6570 level 1, with an optional {._format} at
// the end. A segment may have several variables with semicolons between them.
package uritemplate

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Template is a parsed template.
type Template struct {
	path      string // without {._format}
	shape     string
	segments  []segment
	variables []string
	suffix    bool
}

// segment is one segment of a path: a literal, a variable, or several.
type segment struct {
	text      string
	variable  bool     // text is the name of one
	variables []string // the names of several; nil for other segments
}

// separator stands between several variables of a segment. Values have it percent-encoded.
const separator = ";"

const formatSuffix = "{._format}"

// Parse reads a template, or says what is wrong with it.
func Parse(text string) (*Template, error) {
	path, suffix := strings.CutSuffix(text, formatSuffix)
	t := &Template{path: path, suffix: suffix}
	if !strings.HasPrefix(path, "/") {
		return nil, fmt.Errorf("%q must begin with a slash", text)
	}
	if t.shape = path; path == "/" && !suffix {
		return t, nil
	}
	for part := range strings.SplitSeq(path[1:], "/") {
		s, err := parseSegment(part)
		if err != nil {
			return nil, fmt.Errorf("%q %w", text, err)
		}
		for _, name := range s.names() {
			if slices.Contains(t.variables, name) {
				return nil, fmt.Errorf("%q has the variable {%s} twice", text, name)
			}
			t.variables = append(t.variables, name)
			t.shape = strings.Replace(t.shape, "{"+name+"}", "{}", 1)
		}
		t.segments = append(t.segments, s)
	}
	return t, nil
}

// names lists the variables of a segment.
func (s *segment) names() []string {
	if s.variable {
		return []string{s.text}
	}
	return s.variables
}

// parseSegment reads one segment. What clients or routers change on the way to the service is
// refused, for such a path is never met: empty and dot segments are removed by clients (RFC
// 3986, section 5.2.4), and what is not encoded as they encode it differs from what they send.
func parseSegment(part string) (segment, error) {
	name, opened := strings.CutPrefix(part, "{")
	name, closed := strings.CutSuffix(name, "}")
	switch {
	case part == "":
		return segment{}, errors.New("has an empty segment: write it without a double or trailing slash")
	case part == "." || part == "..":
		return segment{}, fmt.Errorf("has the dot segment %q", part)
	case opened && closed && isVariable(name):
		return segment{text: name, variable: true}, nil
	case opened && closed && strings.Contains(name, "}"+separator+"{"):
		return parseVariables(part, strings.Split(name, "}"+separator+"{"))
	case opened && closed && !strings.ContainsAny(name, "{}"):
		return segment{}, fmt.Errorf("has the variable {%s}: write a name of letters, digits and underscores", name)
	case strings.ContainsAny(part, "{}") && strings.Contains(part, separator):
		return segment{}, fmt.Errorf("has the segment %q: a variable is a whole segment, or one of several with semicolons between them", part)
	case strings.ContainsAny(part, "{}"):
		return segment{}, fmt.Errorf("has the segment %q: a variable is a whole segment", part)
	case url.PathEscape(part) != part && !isLiteral(part):
		return segment{}, fmt.Errorf("has the segment %q: write it percent-encoded, as %q", part, url.PathEscape(part))
	}
	return segment{text: part}, nil
}

// parseVariables reads a segment of several variables.
// Identifiers of several fields are one segment, as a record is one thing: "/seats/{hall};{name}".
func parseVariables(part string, names []string) (segment, error) {
	for _, name := range names {
		if !isVariable(name) {
			return segment{}, fmt.Errorf("has the segment %q: write names of letters, digits and underscores in it", part)
		}
	}
	return segment{text: part, variables: names}, nil
}

// isLiteral reports whether part is a segment as URLs have it, its escapes included.
func isLiteral(part string) bool {
	decoded, err := url.PathUnescape(part)
	return err == nil && (&url.URL{Path: decoded, RawPath: part}).EscapedPath() == part &&
		!strings.ContainsAny(part, "*?#")
}

// isVariable reports whether a name is one that a struct's field and a router's pattern could
// have too: RFC 6570 allows more, chi does not.
func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// Path returns the template without {._format}.
func (t *Template) Path() string { return t.path }

// Shape returns the path with {} in the place of each variable. Two templates of one shape match the same paths.
func (t *Template) Shape() string { return t.shape }

// Variables returns the names of the variables, in order.
func (t *Template) Variables() []string { return t.variables }

// Suffix reports whether the template ends in {._format}.
func (t *Template) Suffix() bool { return t.suffix }

// Expand returns the path with each variable's value from values, percent-encoded.
func (t *Template) Expand(values func(name string) string) string {
	return string(t.Append(make([]byte, 0, len(t.path)+len("12345678")), values))
}

// Append appends what Expand returns. Values of several variables are escaped by themselves, so that a semicolon in one
// does not divide it.
func (t *Template) Append(b []byte, values func(name string) string) []byte {
	if len(t.segments) == 0 {
		return append(b, '/')
	}
	for _, s := range t.segments {
		b = append(b, '/')
		switch {
		case s.variable:
			b = append(b, escape(values(s.text))...)
		case s.variables == nil:
			b = append(b, s.text...)
		}
		for i, name := range s.variables {
			if i > 0 {
				b = append(b, separator...)
			}
			b = append(b, url.PathEscape(values(name))...)
		}
	}
	return b
}

// Variable returns the text of a variable in a path that the template has made or could have, as it is there,
// percent-encoded; "" where the path is too short, and where a segment has not as many parts as variables.
func (t *Template) Variable(path, name string) string {
	if last := len(t.segments) - 1; last >= 0 && t.segments[last].variable && t.segments[last].text == name {
		return path[strings.LastIndexByte(path, '/')+1:] // as nearly all of them are
	}
	for _, s := range slices.Backward(t.segments) { // identifiers are at the end
		i := strings.LastIndexByte(path, '/')
		switch {
		case i < 0:
			return ""
		case s.variable && s.text == name:
			return path[i+1:]
		case slices.Contains(s.variables, name):
			if parts := strings.Split(path[i+1:], separator); len(parts) == len(s.variables) {
				return parts[slices.Index(s.variables, name)]
			}
			return ""
		}
		path = path[:i]
	}
	return ""
}
