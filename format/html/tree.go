package html

import (
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
)

// Names of the fields that pages add to a form. Fields of records cannot have them by accident: the underscore is followed
// by a word of ours, and New reports a record that has one.
const (
	wholeField = "_json" // the whole body as JSON; followed by a dot and a name, the value of a field as JSON
	wasField   = "_was"  // hashes of the values that the form was sent with
)

// node is a name of a form, or the part of several up to a dot.
type node struct {
	values   []string // nil for none
	isJSON   bool     // the value is JSON
	children map[string]*node
}

// parse reads the body of a form: a tree of its names, and the hashes of the values that it was sent with.
func parse(body *format.Body) (root *node, was url.Values, err error) {
	form, err := url.ParseQuery(string(body.Bytes))
	if err != nil {
		return nil, nil, &format.Error{Detail: "The form is malformed. Percent-encode its names and values."}
	}
	if was, err = url.ParseQuery(form.Get(wasField)); err != nil {
		return nil, nil, &format.Error{Detail: wasField + " is malformed."}
	}
	delete(form, wasField)
	root = &node{}
	for name, values := range form {
		name, isJSON := strings.CutPrefix(name, wholeField+".")
		if body.MaxDepth > 0 && strings.Count(name, ".") >= body.MaxDepth {
			return nil, nil, &format.Error{Detail: "The form has a field that is nested too deeply."}
		}
		at := root
		for part := range strings.SplitSeq(name, ".") {
			at = at.child(part)
		}
		at.isJSON = at.isJSON || isJSON
		for _, value := range values {
			at.values = append(at.values, newlines.Replace(value))
		}
	}
	return root, was, nil
}

// child returns a child, a new one if it does not exist.
func (n *node) child(name string) *node {
	if n.children == nil {
		n.children = map[string]*node{}
	}
	if n.children[name] == nil {
		n.children[name] = &node{}
	}
	return n.children[name]
}

// names lists the names of the children, sorted.
func (n *node) names() []string {
	names := make([]string, 0, len(n.children))
	for name := range n.children {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// last returns the last value. Where a name comes twice, the later input is the more precise one.
func (n *node) last() string {
	if len(n.values) == 0 {
		return ""
	}
	return n.values[len(n.values)-1]
}

// isEmpty reports whether all values are empty.
func (n *node) isEmpty() bool {
	return !slices.ContainsFunc(n.values, func(value string) bool { return strings.TrimSpace(value) != "" })
}

// newlines replaces the line breaks of forms, which browsers send as CRLF, by those of records.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// hashOf returns the hash of an input's values, which finds those that a person has changed. Browsers change line breaks,
// and leave out seconds that are 0.
func hashOf(values ...string) string {
	sum := fnv.New64a()
	for _, value := range values {
		if value = newlines.Replace(value); value == "" {
			continue // a hidden input keeps the name of empty choices
		}
		_, _ = sum.Write([]byte(strconv.Itoa(len(value)) + ":" + value)) // it never fails
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}
