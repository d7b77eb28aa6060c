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

// Members are the rules of the members of one struct. Nil is none. It is safe for use by many
// goroutines.
type Members struct {
	List []MemberRules

	hides bool // a member may be hidden
	runs  bool // functions of the user's that may want to know the request
}

// MemberRules has the rules of a member.
type MemberRules struct {
	Field *model.Field
	Read  *Rule // nil for none
	Write *Rule // nil for none
	looks []string
}

// MaxMembers is how many members of a struct can have rules.
const MaxMembers = 64

// Set is a set of members, by their indexes in the list.
// One word holds it: sets are made for every record that is shown, and must cost no memory. Hence
// MaxMembers.
type Set uint64

// Has reports whether a member is in the set.
func (s Set) Has(i int) bool { return s>>i&1 != 0 }

// membership is what is known of a caller and the members of records.
// It is found once for a call. Of the members that are left to depend on the record only those are
// asked again, record by record.
type membership struct {
	of      *Members // whose they are: a call looks at records of several resources
	hidden  Set      // in every record
	depends Set      // on the record
}

// Add adds a member with its rules.
func (m *Members) Add(field *model.Field, read, write *Rule) {
	added := MemberRules{Field: field, Read: read, Write: write}
	if read != nil {
		read.root.members(&added.looks)
	}
	m.List = append(m.List, added)
	m.hides = m.hides || read != nil
	m.runs = m.runs || read.Runs() || write.Runs()
}

// members lists the members that a rule looks at, and "" for one that says so only when asked.
func (n *node) members(into *[]string) {
	for _, part := range n.parts {
		part.members(into)
	}
	switch n.Kind {
	case "where", "equal":
		*into = append(*into, n.Member)
	case "filter":
		*into = append(*into, "")
	}
}

// Hides reports whether a member may be hidden.
func (m *Members) Hides() bool { return m != nil && m.hides }

// of returns what is known of a caller before a record is looked at.
// It is remembered in the caller, as the hot path of a collection asks for it with each record.
func (m *Members) of(c *Caller) membership {
	if c.members.of == m {
		return c.members
	}
	c.members = membership{of: m}
	for i := range m.List {
		switch m.List[i].Read.Ask(c) {
		case Refused:
			c.members.hidden |= 1 << i
		case Depends:
			c.members.depends |= 1 << i
		}
	}
	return c.members
}

// Hidden returns which members of a record a caller may not see.
// An error leaves what is known so far, but a caller of this function that goes on in spite of the
// error would show too much: it has to stop.
func (m *Members) Hidden(ctx context.Context, c *Caller, record any) (Set, error) {
	if m == nil {
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

// never returns a condition that no record fulfils.
// never is a group of no conditions: in an any, nothing is found.
func never() store.Condition {
	return store.Condition{Any: [][]store.Condition{}}
}

// confine sees that a query tells nothing of hidden members.
func (m *Members) confine(ctx context.Context, c *Caller, query store.Query) (store.Query, error) {
	known := m.of(c)
	if known.hidden|known.depends == 0 {
		return query, nil
	}
	where := make([]store.Condition, 0, len(query.Where)+1)
	// To filter by a hidden member would tell its value by bisection: "salary[gt]=…" needs some
	// twenty questions. So each condition finds only records in which the caller sees the member.
	for i := range query.Where {
		condition, err := m.condition(ctx, c, query.Where[i])
		if err != nil {
			return query, err
		}
		where = append(where, condition)
	}
	query.Where = where
	query.Order = slices.Clone(query.Order)
	// An order tells values too, by where a record stands between others that are shown. A hidden
	// value counts as null, which all hidden ones share.
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

// condition joins a condition with the rules of the members that it is about. One about several
// becomes a group for each of them.
// A search over name and salary finds a record by its name for everybody, by its salary only for
// those who see it: hence the groups, rather than one condition that needs both.
func (m *Members) condition(ctx context.Context, c *Caller, asked store.Condition) (store.Condition, error) {
	var free []string
	groups := [][]store.Condition{}
	fields := asked.Fields
	if asked.Through != "" { // it tells of the reference
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

// conditions returns in which records a caller may see a member: nil for all.
func (m *Members) conditions(ctx context.Context, c *Caller, name string) ([]store.Condition, error) {
	i := m.find(name)
	if i < 0 {
		return nil, nil
	}
	conditions, verdict, err := m.List[i].Read.Conditions(ctx, c)
	if verdict == Refused {
		return []store.Condition{never()}, err
	}
	return conditions, err
}

// lookedAt adds to the members that a store is asked for those that rules look at.
// A store that loads only what is asked for would leave out what the rules are about to look at,
// and they would judge a zero. Nil is all members, and stays it.
func (m *Members) lookedAt(fields []string, depends Set) []string {
	if fields == nil {
		return nil
	}
	fields = slices.Clone(fields)
	for left := depends; left != 0; left &= left - 1 {
		for _, name := range m.List[bits.TrailingZeros64(uint64(left))].looks {
			// A filter's function names its members when it is asked, which is too late for the
			// query: so all are loaded.
			if name == "" {
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

// find returns the index of the member that a name is of, or is within; -1 for one without rules.
// Rules are those of top members: what is within one is hidden and written with it.
func (m *Members) find(name string) int {
	top, _, _ := strings.Cut(name, ".")
	return slices.IndexFunc(m.List, func(member MemberRules) bool { return member.Field.Name == top })
}

// IsHidden reports whether a set has the member that a name is of, or is within.
func (m *Members) IsHidden(hidden Set, name string) bool {
	i := m.find(name)
	return i >= 0 && hidden.Has(i)
}

// IsPersonal reports whether what is hidden depends on who asks.
func (m *Members) IsPersonal() bool {
	return m != nil && slices.ContainsFunc(m.List, func(member MemberRules) bool { return member.Read.IsPersonal() })
}

// Runs reports whether functions of the user's run for a rule that may want to know the
// request.
func (m *Members) Runs() bool { return m != nil && m.runs }

// Asks returns the conditions that hidden members may ask of a store, without values, and
// whether they may ask groups of it.
func (m *Members) Asks() (conditions []store.Condition, groups bool) {
	if m == nil {
		return nil, false
	}
	for i := range m.List {
		if m.List[i].Read == nil {
			continue
		}
		groups = true // for a search, and to find nothing
		asked, _ := m.List[i].Read.Asks()
		conditions = append(conditions, asked...)
	}
	return conditions, groups
}
