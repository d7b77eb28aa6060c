package csv

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
)

// node is a field of a record: a column, or an object with columns.
type node struct {
	name     string // of the field
	path     string // of the column: "address.city"
	typ      *format.Type
	text     bool   // a field that is a string
	plain    bool   // numbers and booleans are written as in JSON
	empty    bool   // quotation marks distinguish an empty string from null
	blank    bool   // an empty string is a value
	passed   bool   // bodies may have the column; it is ignored
	embedded bool   // a field of records that the response embeds
	many     bool   // of several such records
	split    bool   // other columns of these records are elsewhere in the row
	place    int    // of the field in JSON
	children []node // of an object; nil for a column
}

// plan returns the columns of a type: of the fields in responses, or of all fields that bodies may have. A value that
// is not an object has one column.
func plan(t *format.Type, isResponse bool) node {
	root := node{typ: t}
	if t.Kind == format.Object {
		root.children = children(t, isResponse, "", []*format.Type{t})
		if isResponse {
			root.children = arrange(append(root.children, embedded(t)...), t.Order)
		}
	}
	if root.children == nil {
		root.children = []node{{name: valueColumn, path: valueColumn, typ: t, empty: t.Nullable, blank: isBlank(t)}}
	}
	return root
}

// valueColumn is the column of a value that is not an object.
const valueColumn = "value"

// isBlank reports whether an empty string is a value of a type.
func isBlank(t *format.Type) bool { return t.Kind == format.Text && t.Format != "date-time" }

// children returns the fields of an object. An object that contains itself would have columns without end: the inner
// one is a column of JSON.
func children(t *format.Type, isResponse bool, prefix string, within []*format.Type) []node {
	var made []node
	for _, m := range t.Fields {
		if isResponse && (!m.Readable || m.OnlyEmbedded) {
			continue
		}
		n := node{name: m.Name, path: prefix + m.Name, typ: m.Type, empty: m.Type.Nullable, passed: !m.Writable, place: len(made)}
		n.text, n.blank = m.Type.Kind == format.Text, isBlank(m.Type) && m.Reference == nil
		n.plain = m.Type.Kind == format.Boolean || m.Type.Kind == format.Integer || m.Type.Kind == format.Number
		n.empty = n.empty || slices.ContainsFunc(within, func(outer *format.Type) bool { return outer.Nullable })
		if m.Type.Kind == format.Object && !isWithin(m.Type, within) {
			n.children = children(m.Type, isResponse, n.path+".", append(slices.Clone(within), m.Type))
		}
		made = append(made, n)
	}
	return made
}

// embedded returns the columns of the records that a response always embeds, such as "owner.username" of a view. For
// several records, a column has the values of all.
func embedded(t *format.Type) []node {
	var made []node
	for _, m := range t.Fields {
		if m.Embedded == nil || !m.Always {
			continue
		}
		n := node{name: m.Name, path: m.Name, typ: m.Embedded, embedded: true, many: m.Reference != nil && m.Reference.Many}
		if !n.many {
			n.children = children(m.Embedded, true, n.path+".", []*format.Type{t, m.Embedded})
		}
		for _, one := range m.Embedded.Fields {
			if n.many && one.Readable { // a list of the values of all records
				of := &format.Type{Kind: format.List, Elem: one.Type}
				n.children = append(n.children, node{name: one.Name, path: n.path + "." + one.Name, typ: of, place: len(n.children)})
			}
		}
		n.children = arrange(n.children, m.Embedded.Order)
		if n.children != nil {
			made = append(made, n)
		}
	}
	return made
}

// arrange sorts columns as a view lists their fields. Columns that it does not list come last. Columns of one embedded
// record can be at several places.
func arrange(columns []node, order []string) []node {
	if order == nil {
		return columns
	}
	var each []node
	for _, n := range columns {
		if !n.embedded {
			each = append(each, n)
			continue
		}
		for i := range n.children {
			one := n
			one.children = n.children[i : i+1 : i+1]
			each = append(each, one)
		}
	}
	place := func(n node) int {
		name := n.name
		if n.embedded {
			name = n.children[0].path
		}
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(each, func(a, b node) int { return place(a) - place(b) })
	var made []node
	for _, n := range each {
		if last := len(made) - 1; n.embedded && last >= 0 && made[last].embedded && made[last].name == n.name {
			made[last].children = append(made[last].children, n.children...)
			continue
		}
		if at := slices.IndexFunc(made, func(m node) bool { return m.embedded && m.name == n.name }); n.embedded && at >= 0 {
			n.split, made[at].split = true, true
		}
		made = append(made, n)
	}
	return made
}

// isWithin reports whether a type is one of those around it. It compares fields, because an object and a pointer to it
// are two types.
func isWithin(t *format.Type, around []*format.Type) bool {
	return len(around) > maxNested || slices.ContainsFunc(around, func(outer *format.Type) bool {
		return outer == t || len(t.Fields) > 0 && len(outer.Fields) == len(t.Fields) && outer.Fields[0] == t.Fields[0]
	})
}

// maxNested is the maximum depth of columns. A deeper object is a column of JSON.
const maxNested = 8

// leaves calls visit for each column, in order.
func (n *node) leaves(visit func(*node)) {
	if n.children == nil {
		visit(n)
		return
	}
	for i := range n.children {
		n.children[i].leaves(visit)
	}
}

// names returns the names of all columns.
func (n *node) names() []string {
	var names []string
	n.leaves(func(leaf *node) { names = append(names, leaf.path) })
	return names
}

// settable returns the names of the columns that bodies set.
func (n *node) settable() []string {
	var names []string
	for i := range n.children {
		switch child := &n.children[i]; {
		case child.passed:
		case child.children == nil:
			names = append(names, child.path)
		default:
			names = append(names, child.settable()...)
		}
	}
	return names
}

// find returns the column with a name. If it does not exist, find returns the innermost object that could contain it,
// and the rest of the name.
func (n *node) find(name string) (found *node, rest string) {
	for i := range n.children {
		child := &n.children[i]
		if child.children == nil && child.path == name {
			return child, ""
		}
		if child.children != nil && strings.HasPrefix(name, child.path+".") {
			return child.find(name)
		}
	}
	if n.path == "" {
		return n, name
	}
	return n, name[len(n.path)+1:]
}
