package gate

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
)

// Members are the rules for fields of one struct. Nil is none. It is safe for concurrent use.
type Members struct {
	List []MemberRules

	hides bool // a field may be hidden
	runs  bool // rules call functions of the user's that may ask for the request
}

// MemberRules has the rules of a field.
type MemberRules struct {
	Field *model.Field
	Read  *Rule    // nil for none
	Write *Rule    // nil for none
	looks []string // the fields that Read looks at; "" for those that only a call of it shows
}

// MaxMembers is how many fields of a struct can have rules.
const MaxMembers = 64

// Set is a set of fields, by their indexes in the list.
// It is one word, hence MaxMembers: sets are made for every record that is shown, and must cost no memory.
type Set uint64

// Has reports whether a field is in the set.
func (s Set) Has(i int) bool { return s>>i&1 != 0 }

// membership is what is known of the fields that a caller may see.
// It is found once for a call. Only the fields that depend on the record are asked again, record by record.
type membership struct {
	of      *Members // whose they are: a call looks at records of several resources
	hidden  Set      // in every record
	depends Set      // on the record
}

// Add adds a field with its rules.
func (m *Members) Add(field *model.Field, read, write *Rule) {
	added := MemberRules{Field: field, Read: read, Write: write}
	if read != nil {
		for _, n := range read.leaves {
			if n.Member != "" || n.Kind == "filter" {
				added.looks = append(added.looks, n.Member)
			}
		}
	}
	m.List = append(m.List, added)
	m.hides = m.hides || read != nil
	m.runs = m.runs || read.Runs() || write.Runs()
}

// Hides reports whether a field may be hidden.
func (m *Members) Hides() bool { return m != nil && m.hides }

// of returns what is known of a caller without a record.
// The caller remembers it, because a collection asks for it with each record.
func (m *Members) of(c *Caller) membership {
	if c.members.of == m {
		return c.members
	}
	c.members = membership{of: m}
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

// Hidden returns which fields of a record a caller may not see. On an error the set is not complete, so that
// nothing of the record may be shown.
func (m *Members) Hidden(ctx context.Context, c *Caller, record any) (Set, error) {
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
func (m *Members) confine(ctx context.Context, c *Caller, query store.Query) (store.Query, error) {
	known := m.of(c)
	if known.hidden|known.depends == 0 {
		return query, nil
	}
	where := make([]store.Condition, 0, len(query.Where)+1)
	// Filters by a hidden field would reveal its value by bisection: "salary[gt]=…" needs some
	// twenty requests. So each condition matches only records in which the caller sees the field.
	for i := range query.Where {
		condition, err := m.condition(ctx, c, query.Where[i])
		if err != nil {
			return query, err
		}
		where = append(where, condition)
	}
	query.Where = where
	query.Order = slices.Clone(query.Order)
	// A sort order reveals values too, by where a record is between others. So hidden values sort as null.
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

// condition joins a condition with the rules of the fields that it is about. One about several
// becomes a group for each of them: a search in name and salary finds a record by its name for everyone, and by its
// salary only for callers who see it.
func (m *Members) condition(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	var free []string
	groups := [][]store.Condition{}
	fields := asked.Fields
	if asked.Through != "" { // it reveals the reference
		fields = []string{asked.Through}
	}
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
		groups = append(groups, append([]store.Condition{one}, unless...))
	}
	if len(groups) == 0 {
		return asked, nil
	}
	if free != nil {
		asked.Fields = free
		groups = append(groups, []store.Condition{asked})
	}
	return store.Condition{Any: groups}, nil
}

// conditions returns in which records a caller may see a field: nil for all.
func (m *Members) conditions(ctx context.Context, c *Caller, name string) ([]store.Condition, error) {
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

// lookedAt adds the fields that rules look at to those that a store loads. Without them, rules would judge a zero. Nil is
// all fields.
func (m *Members) lookedAt(fields []string, depends Set) []string {
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

// find returns the index of the field that a path is of, or is within; -1 for one without rules.
// Only fields of the record have rules: what is within one is hidden and written with it.
func (m *Members) find(name string) int {
	top, _, _ := strings.Cut(name, ".")
	return slices.IndexFunc(m.List, func(member MemberRules) bool { return member.Field.Name == top })
}

// IsHidden reports whether a set has the field that a path is of, or is within.
func (m *Members) IsHidden(hidden Set, name string) bool {
	if hidden == 0 {
		return false
	}
	i := m.find(name)
	return i >= 0 && hidden.Has(i)
}

// IsPersonal reports whether the caller decides what is hidden.
func (m *Members) IsPersonal() bool {
	return m != nil && slices.ContainsFunc(m.List, func(member MemberRules) bool { return member.Read.IsPersonal() })
}

// Runs reports whether rules call functions of the user's that may ask for the request.
func (m *Members) Runs() bool { return m != nil && m.runs }

// Asks returns the conditions that hidden fields may add to a query, without values, and
// whether they may add groups.
func (m *Members) PossibleConditions() (conditions []store.Condition, groups bool) {
	if m == nil {
		return nil, false
	}
	for i := range m.List {
		if m.List[i].Read == nil {
			continue
		}
		groups = true // for a search, and to find nothing
		asked, _ := m.List[i].Read.PossibleConditions()
		conditions = append(conditions, asked...)
	}
	return conditions, groups
}
