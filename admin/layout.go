package admin

import (
	"cmp"
	"slices"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/operation"
)

// layout is what the admin shows of a resource, for a caller who may do everything. It does not change.
type layout struct {
	*invoke.Resource

	config  Resource
	title   []titlePart // of config.RecordTitle; nil for the default
	plural  string
	lists   []*invoke.Operation // the best first, as all of these
	gets    []*invoke.Operation
	creates []*invoke.Operation
	updates []*invoke.Operation
	removes []*invoke.Operation
	custom  []*invoke.Operation
	history []*invoke.Operation
	totals  []*invoke.Operation // aggregations
	tabs    []tab
	takes   []tab // the references of other resources
}

// tab is a list of other records on the page of a record.
type tab struct {
	kind     string // "subresource", "inverse", or "membership": a list of references with operations of its own
	resource *layout
	field    *invoke.Field       // the reference
	label    string              // of the field
	lists    []*invoke.Operation // subresource, inverse
	creates  []*invoke.Operation // subresource
	add      *invoke.Operation   // membership, as the next one; nil for none
	remove   *invoke.Operation
}

// layouts returns the layouts of all resources that the config does not hide, in its order.
func layouts(api *invoke.API, config Config, s session) []*layout {
	var list []*layout
	hidden := map[string]bool{}
	for _, c := range config.Resources {
		if hidden[c.Name] = true; !c.Hidden {
			r, _ := api.Resource(c.Name) // checked before
			list = append(list, newLayout(r, c, s))
		}
	}
	for _, r := range api.Resources {
		if !hidden[r.ShortName] {
			list = append(list, newLayout(r, Resource{Name: r.ShortName}, s))
		}
	}
	for _, l := range list {
		for _, other := range list {
			l.relate(other)
		}
		l.addMemberships(list)
	}
	return list
}

// layoutOf returns the layout of a resource, nil for a hidden one.
func layoutOf(all []*layout, r *invoke.Resource) *layout {
	if at := slices.IndexFunc(all, func(l *layout) bool { return l.Resource == r }); at >= 0 {
		return all[at]
	}
	return nil
}

func newLayout(r *invoke.Resource, c Resource, s session) *layout {
	l := &layout{Resource: r, config: c, plural: cmp.Or(c.Title, r.Plural())}
	l.title, _ = parseTitle(c.RecordTitle) // checked before
	byRank := func(a, b *invoke.Operation) int { return rank(a) - rank(b) }
	for _, op := range slices.SortedStableFunc(slices.Values(r.Operations), byRank) {
		switch {
		case op.Hidden || op.Membership != nil || op == s.in || op == s.out:
		case op.History != nil:
			l.history = append(l.history, op)
		case op.Custom:
			l.custom = append(l.custom, op)
		case op.Kind == operation.KindGetCollection:
			l.lists = append(l.lists, op)
		case op.Kind == operation.KindGet:
			l.gets = append(l.gets, op)
		case op.Kind == operation.KindPost:
			l.creates = append(l.creates, op)
		case op.Kind == operation.KindPatch, op.Kind == operation.KindPut:
			l.updates = append(l.updates, op)
		case op.Kind == operation.KindDelete:
			l.removes = append(l.removes, op)
		case op.Aggregates:
			l.totals = append(l.totals, op)
		}
	}
	return l
}

// rank is low for the operations that the admin prefers: of all records, with all fields, as a merge patch, and not
// deprecated. Custom ones are in the order of declaration.
func rank(op *invoke.Operation) (n int) {
	if op.Custom {
		return 0
	}
	if !op.Lifecycle.Deprecated.IsZero() {
		n += 8
	}
	if len(op.Parents) > 0 {
		n += 4
	}
	if op.Replace {
		n += 2
	}
	if op.Kind == operation.KindPut {
		n++
	}
	return n
}

// direct returns the operations without parents in their path.
func direct(list []*invoke.Operation) []*invoke.Operation {
	return slices.DeleteFunc(slices.Clone(list), func(op *invoke.Operation) bool { return len(op.Parents) > 0 })
}

// below returns the operations below a record of the parent, which the path names by a reference.
func below(list []*invoke.Operation, f *invoke.Field) []*invoke.Operation {
	return slices.DeleteFunc(slices.Clone(list), func(op *invoke.Operation) bool {
		last := len(op.Parents) - 1
		return last < 0 || !op.Parents[last].IsDirect() || op.Parents[last].Field != f.Field
	})
}

// relate adds what records of another resource that refer to this one mean for it.
func (l *layout) relate(other *layout) {
	for _, f := range other.Fields {
		if f.To != l.Resource || f.Inverse {
			continue
		}
		t := tab{kind: "subresource", resource: other, field: f, label: other.label(f.Name), lists: below(other.lists, f), creates: below(other.creates, f)}
		l.takes = append(l.takes, t)
		if len(t.lists) == 0 {
			t.kind = "inverse"
			t.lists = slices.DeleteFunc(direct(other.lists), func(op *invoke.Operation) bool {
				return !slices.ContainsFunc(op.Parameters, func(p invoke.Parameter) bool { return p.Field == f.Name && p.Operator == "equal" })
			})
		}
		if len(t.lists) > 0 {
			l.tabs = append(l.tabs, t)
		}
	}
}

// addMemberships adds the lists of references that have operations of their own.
func (l *layout) addMemberships(all []*layout) {
	for _, op := range l.Operations {
		if op.Membership == nil || op.Hidden {
			continue
		}
		f := l.Field(op.Membership.Field.Name)
		at := slices.IndexFunc(l.tabs, func(t tab) bool { return t.kind == "membership" && t.field == f })
		if at < 0 {
			to := layoutOf(all, f.To)
			if to == nil {
				continue
			}
			at = len(l.tabs)
			l.tabs = append(l.tabs, tab{kind: "membership", resource: to, field: f, label: l.label(f.Name)})
		}
		if t := &l.tabs[at]; op.Kind == operation.KindDelete && t.remove == nil {
			t.remove = op
		} else if op.Kind == operation.KindPut && t.add == nil {
			t.add = op
		}
	}
}

// most is how many columns a list has by default.
const most = 6

// isShort reports whether values with a schema fit into a column.
func isShort(of *schema.Schema) bool {
	const long = 500 // a string in an index has 400 at most
	has := func(name string) bool { return slices.Contains(of.Type, name) }
	isLong := has(schema.String) && of.Format == "" && of.Enum == nil && of.MaxLength != nil && *of.MaxLength > long
	return len(of.Type) > 0 && !isLong && of.ContentEncoding == "" && !has(schema.Object) && !has(schema.Array)
}
