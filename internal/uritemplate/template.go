// Package uritemplate parses and expands the URI templates of operations: paths whose segments can be variables
// (RFC 6570 level 1), with an optional {._format} at the end. A segment may have several variables with semicolons between
// them.
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

// segment is one segment of a path: a literal, or one or several variables.
type segment struct {
	text      string
	variables []string // nil for a literal
}

// separator separates several variables in a segment. It is percent-encoded in values.
const separator = ";"

const formatSuffix = "{._format}"

// Parse parses a template. Its error begins with the quoted template.
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
		for _, name := range s.variables {
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

// is reports whether the segment is one variable.
func (s *segment) is(variable string) bool {
	return len(s.variables) == 1 && s.variables[0] == variable
}

// parseSegment parses one segment. It rejects segments that no request can match: clients remove empty and dot segments
// (RFC 3986, section 5.2.4), and they percent-encode some characters.
func parseSegment(part string) (segment, error) {
	name, opened := strings.CutPrefix(part, "{")
	name, closed := strings.CutSuffix(name, "}")
	names := strings.Split(name, "}"+separator+"{") // several for a composite identifier: "{hall};{name}"
	isInvalid := func(name string) bool { return !isVariable(name) }
	switch {
	case part == "":
		return segment{}, errors.New("has an empty segment; remove the double or trailing slash")
	case part == "." || part == "..":
		return segment{}, fmt.Errorf("has the dot segment %q", part)
	case opened && closed && !slices.ContainsFunc(names, isInvalid):
		return segment{variables: names}, nil
	case opened && closed && len(names) > 1:
		return segment{}, fmt.Errorf("has the segment %q; names of variables have letters, digits and underscores", part)
	case opened && closed && !strings.ContainsAny(name, "{}"):
		return segment{}, fmt.Errorf("has the variable {%s}; a name has letters, digits and underscores", name)
	case strings.ContainsAny(part, "{}") && strings.Contains(part, separator):
		return segment{}, fmt.Errorf("has the segment %q; a variable must be a whole segment, or several with semicolons between them", part)
	case strings.ContainsAny(part, "{}"):
		return segment{}, fmt.Errorf("has the segment %q; a variable must be a whole segment", part)
	case url.PathEscape(part) != part && !isLiteral(part):
		return segment{}, fmt.Errorf("has the segment %q; write it percent-encoded as %q", part, url.PathEscape(part))
	}
	return segment{text: part}, nil
}

// isLiteral reports whether part is a correctly escaped URL segment.
func isLiteral(part string) bool {
	decoded, err := url.PathUnescape(part)
	return err == nil && (&url.URL{Path: decoded, RawPath: part}).EscapedPath() == part &&
		!strings.ContainsAny(part, "*?#")
}

// isVariable reports whether a name is valid for both a struct's field and chi: RFC 6570 allows more than chi.
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

// Shape returns the path with {} for each variable. Two templates with the same shape match the same paths.
func (t *Template) Shape() string { return t.shape }

// Variables returns the names of the variables, in order.
func (t *Template) Variables() []string { return t.variables }

// Suffix reports whether the template ends in {._format}.
func (t *Template) Suffix() bool { return t.suffix }

// Expand returns the path with each variable's value from values, percent-encoded.
// Each of several variables in a segment is escaped, including semicolons.
func (t *Template) Expand(values func(name string) string) string {
	if len(t.segments) == 0 {
		return "/"
	}
	b := make([]byte, 0, len(t.path)+len("12345678"))
	for _, s := range t.segments {
		b = append(append(b, '/'), s.text...)
		for i, name := range s.variables {
			if i > 0 {
				b = append(b, separator...)
			}
			b = append(b, escape(values(name))...)
		}
	}
	return string(b)
}

// Variable returns the percent-encoded value of a variable in a path that matches the template. It returns "" if the
// path is too short, or if a segment has the wrong number of parts.
func (t *Template) Variable(path, name string) string {
	if last := len(t.segments) - 1; last >= 0 && t.segments[last].is(name) {
		return path[strings.LastIndexByte(path, '/')+1:] // the most common case
	}
	for _, s := range slices.Backward(t.segments) { // identifiers are at the end
		i := strings.LastIndexByte(path, '/')
		switch {
		case i < 0:
			return ""
		case s.is(name):
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
