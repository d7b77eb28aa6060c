package authz

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Fields has the rules for fields of one struct; nil for none. It is safe for concurrent use.
type Fields struct {
	List []FieldRules

	hides bool // a field may be hidden
	leads bool // ... by a rule that may be about other records
	runs  bool // rules call user functions that may use the request
}

// FieldRules has the rules of a field.
type FieldRules struct {
	Field *model.Field
	Read  *Rule    // nil for none
	Write *Rule    // nil for none
	looks []string // the fields that Read depends on; "" for those that only a call shows
}

// MaxFields is how many fields of a struct can have rules.
const MaxFields = 64

// Set is a set of fields, by their indexes in the list. It is one word, because there is one for each record in a
// response; MaxFields follows from that.
type Set uint64

// Has reports whether a field is in the set.
func (s Set) Has(i int) bool { return s>>i&1 != 0 }

// visibility is which fields a caller may see. It is computed once for each call; only the fields that depend on the
// record are checked for each record.
type visibility struct {
	of      *Fields // a call may read records of several resources
	hidden  Set     // fields that are hidden in every record
	depends Set     // fields that depend on the record
}

// Add adds a field with its rules.
func (m *Fields) Add(field *model.Field, read, write *Rule) {
	added := FieldRules{Field: field, Read: read, Write: write}
	if read != nil {
		for _, n := range read.leaves {
			if n.Kind == "filter" || n.Field != "" && n.Kind != "related" { // the identifier is always read
				added.looks = append(added.looks, n.Field)
			}
		}
	}
	m.List = append(m.List, added)
	m.hides = m.hides || read != nil
	m.leads = m.leads || read != nil && read.leads
	m.runs = m.runs || read.Runs() || write.Runs()
}

// ReadRules returns the rules by which fields are shown.
func (m *Fields) ReadRules() (rules []*Rule) {
	if m != nil {
		for i := range m.List {
			rules = append(rules, m.List[i].Read)
		}
	}
	return rules
}

// Hides reports whether a field may be hidden.
func (m *Fields) Hides() bool { return m != nil && m.hides }

// Leads reports whether a field may be hidden by a rule that looks at other records; see [Fields.Load].
func (m *Fields) Leads() bool { return m != nil && m.leads }

// of returns which fields a caller may see. The caller caches it, because a collection needs it for each record.
func (m *Fields) of(c *Caller) visibility {
	if c.members.of == m {
		return c.members
	}
	c.members = visibility{of: m}
	for i := range m.List {
		switch m.List[i].Read.Decide(c) {
		case Denied:
			c.members.hidden |= 1 << i
		case Depends:
			c.members.depends |= 1 << i
		}
	}
	return c.members
}

// Hidden returns which fields of a record a caller may not see. On an error the set is incomplete, and nothing of the
// record may be shown.
func (m *Fields) Hidden(ctx context.Context, c *Caller, record any) (Set, error) {
	if m == nil || !m.hides {
		return 0, nil
	}
	known := m.of(c)
	hidden := known.hidden
	for left := known.depends; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(uint64(left))
		holds, err := m.List[i].Read.Holds(ctx, c, record)
		if err != nil {
			return hidden, err
		}
		if !holds {
			hidden |= 1 << i
		}
	}
	return hidden, nil
}

// never returns a condition that matches no record: a choice of nothing.
func never() store.Condition {
	return store.Condition{Any: [][]store.Condition{}}
}

// confine restricts a query so that it reveals nothing of hidden fields.
func (m *Fields) confine(ctx context.Context, c *Caller, query store.Query) (store.Query, error) {
	known := m.of(c)
	if known.hidden|known.depends == 0 {
		return query, nil
	}
	where := make([]store.Condition, 0, len(query.Where)+1)
	// Filters by a hidden field would reveal its value by bisection: "salary[gt]=…" takes some twenty requests. So each
	// condition matches only records in which the caller sees the field.
	for i := range query.Where {
		condition, err := m.condition(ctx, c, query.Where[i])
		if err != nil {
			return query, err
		}
		where = append(where, condition)
	}
	query.Where = where
	query.Order = slices.Clone(query.Order)
	// A sort order reveals values too, by the position of a record. So hidden values sort as null.
	for i := range query.Order {
		o := &query.Order[i]
		unless, err := m.conditions(ctx, c, cmp.Or(o.Through, o.Field))
		if err != nil {
			return query, err
		}
		o.NullUnless = append(slices.Clip(o.NullUnless), unless...)
	}
	query.Fields = m.lookedAt(query.Fields, known.depends)
	return query, nil
}

// condition joins a condition with the rules of its fields. A condition on several fields becomes one group for each: a
// search in name and salary finds a record by its name for everyone, and by its salary only for callers who see it. A
// reversed condition needs all of its fields. In a group, each condition is joined with the rules of its own fields;
// requests have no reversed groups.
func (m *Fields) condition(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	fields := asked.Fields
	switch {
	case asked.Through != "": // it reveals the reference
		fields = []string{asked.Through}
	case asked.Any != nil:
		lists := make([][]store.Condition, len(asked.Any))
		for i, list := range asked.Any {
			lists[i] = make([]store.Condition, len(list))
			for n := range list {
				var err error
				if lists[i][n], err = m.condition(ctx, c, list[n]); err != nil {
					return asked, err
				}
			}
		}
		asked.Any = lists
		return asked, nil
	}
	var free []string
	var all []store.Condition // under which the caller may see every field
	groups := [][]store.Condition{}
	for _, name := range fields {
		unless, err := m.conditions(ctx, c, name)
		if err != nil {
			return asked, err
		}
		if unless == nil {
			free = append(free, name)
			continue
		}
		one := asked
		if one.Through == "" {
			one.Fields = []string{name}
		}
		all = append(all, unless...)
		groups = append(groups, append([]store.Condition{one}, unless...))
	}
	switch {
	case len(groups) == 0:
		return asked, nil
	case asked.Not:
		return store.Condition{Any: [][]store.Condition{append(all, asked)}}, nil
	}
	if free != nil {
		asked.Fields = free
		groups = append(groups, []store.Condition{asked})
	}
	return store.Condition{Any: groups}, nil
}

// conditions returns the conditions under which a caller may see a field, nil for all records.
func (m *Fields) conditions(ctx context.Context, c *Caller, name string) ([]store.Condition, error) {
	i := m.find(name)
	if i < 0 {
		return nil, nil
	}
	conditions, verdict, err := m.List[i].Read.Conditions(ctx, c)
	if verdict == Denied {
		return []store.Condition{never()}, err
	}
	return conditions, err
}

// lookedAt adds the fields that rules depend on to those that a store loads; nil means all. Without them, rules would see
// zero values.
func (m *Fields) lookedAt(fields []string, depends Set) []string {
	if fields == nil {
		return nil
	}
	fields = slices.Clone(fields)
	for left := depends; left != 0; left &= left - 1 {
		for _, name := range m.List[bits.TrailingZeros64(uint64(left))].looks {
			if name == "" { // any of them
				return nil
			}
			top, _, _ := strings.Cut(name, ".")
			if !slices.Contains(fields, top) {
				fields = append(fields, top)
			}
		}
	}
	return fields
}

// find returns the index of the top-level field of a path, -1 if it has no rules. Only top-level fields have rules, which
// apply to all fields within.
func (m *Fields) find(name string) int {
	top, _, _ := strings.Cut(name, ".")
	return slices.IndexFunc(m.List, func(member FieldRules) bool { return member.Field.Name == top })
}

// Rules returns the rules of a top-level field, without any for a field that has none.
func (m *Fields) Rules(name string) FieldRules {
	if m != nil {
		if i := m.find(name); i >= 0 {
			return m.List[i]
		}
	}
	return FieldRules{}
}

// IsHidden reports whether a set has the top-level field of a path.
func (m *Fields) IsHidden(hidden Set, name string) bool {
	if hidden == 0 {
		return false
	}
	i := m.find(name)
	return i >= 0 && hidden.Has(i)
}

// IsPersonal reports whether hidden fields depend on the caller.
func (m *Fields) IsPersonal() bool {
	return m != nil && slices.ContainsFunc(m.List, func(member FieldRules) bool { return member.Read.IsPersonal() })
}

// Runs reports whether rules call user functions that may use the request.
func (m *Fields) Runs() bool { return m != nil && m.runs }

// PossibleConditions returns the conditions that hidden fields may add to a query, without values, and whether they may
// add groups.
func (m *Fields) PossibleConditions() (conditions []store.Condition, groups bool) {
	if m == nil {
		return nil, false
	}
	for i := range m.List {
		if m.List[i].Read == nil {
			continue
		}
		groups = true // for a search, and to match nothing
		asked, _ := m.List[i].Read.PossibleConditions()
		conditions = append(conditions, asked...)
	}
	return conditions, groups
}
