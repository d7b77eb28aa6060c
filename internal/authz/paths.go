package authz

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/trove-api/trove/internal/filter"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// records finds the records that conditions go through references to, in the transaction of the request, also those that
// are hidden from the caller.
type records interface {
	// Referred returns the records of a struct with the keys, nil for each that does not exist.
	Referred(ctx context.Context, of *model.Struct, keys []any) ([]any, error)
	// Find returns the records of a struct that a query selects.
	Find(ctx context.Context, of *model.Struct, query store.Query) ([]any, error)
}

// source is where conditions of rules find their fields, and the records that references lead to.
type source struct {
	record *model.Struct
	caller *Caller
	paths  *[]path // gets those that the conditions go
}

// Field returns a field of the records.
func (s source) Field(name string) (*filter.Field, error) { return filter.FieldOf(s.record, name) }

// Through compiles a condition on the records that a reference leads to.
func (s source) Through(c *store.Condition) (filter.Match, error) {
	if s.caller.Records == nil {
		return nil, fmt.Errorf("a condition goes through %q, but nothing can find its records", c.Through)
	}
	if r := s.record.ReferredBy(c.Through); r != nil {
		p := &pathBack{caller: s.caller, reference: r, to: s.record, condition: c}
		*s.paths = append(*s.paths, p)
		var within []path
		var err error
		p.match, err = filter.Compile(source{r.From, s.caller, &within}, []store.Condition{{Any: c.Any}})
		return p.holds, err
	}
	p := &pathTo{caller: s.caller, field: s.record.Field(c.Through)} // checkThrough has checked that it is a reference
	*s.paths = append(*s.paths, p)
	return filter.Behind(source{p.field.Reference.Target, s.caller, &p.within}, c, p.find)
}

// path is how a condition gets from a record to others.
type path interface {
	// load finds the others of several records at once, and keeps them.
	load(ctx context.Context, records []any) error
}

// subject is the record that a rule is evaluated for. Where conditions lead back to it, it counts as it is, and not as it
// is stored, because the call may be about to change it.
type subject struct {
	of     *model.Struct
	record any
	met    bool // conditions have led back to it
}

// is reports whether the record of a struct with a key is the subject.
func (s *subject) is(of *model.Struct, key any) bool {
	is := s.record != nil && s.of == of && s.of.Identifier().Is(s.record, key)
	s.met = s.met || is
	return is
}

// pathTo leads to the records in a reference.
type pathTo struct {
	caller *Caller
	field  *model.Field
	within []path      // from these records
	found  map[any]any // by key, those that are kept, nil for one that does not exist; nil for none
}

// find returns the records in the reference of a record.
func (p *pathTo) find(ctx context.Context, record reflect.Value) (found []any, err error) {
	keys := p.field.Keys(record)
	others, err := p.get(ctx, keys, p.caller.Keeps)
	if err != nil {
		return nil, err
	}
	for i, other := range others {
		if p.caller.subject.is(p.field.Reference.Target, keys[i]) {
			other = p.caller.subject.record
		}
		if other != nil {
			found = append(found, other)
		}
	}
	return found, nil
}

// get returns the records with keys, nil for each that does not exist. It asks the store for those that are not kept.
func (p *pathTo) get(ctx context.Context, keys []any, keep bool) ([]any, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	others, places, unknown := make([]any, len(keys)), make([]int, 0, len(keys)), make([]any, 0, len(keys))
	for i, key := range keys {
		other, known := p.found[key]
		if others[i] = other; !known {
			places, unknown = append(places, i), append(unknown, key)
		}
	}
	if len(unknown) == 0 {
		return others, nil
	}
	found, err := p.caller.Records.Referred(ctx, p.field.Reference.Target, unknown)
	for i, other := range found {
		others[places[i]] = other
		if keep && p.found == nil {
			p.found = make(map[any]any, len(found))
		}
		if keep {
			p.found[unknown[i]] = other
		}
	}
	return others, err
}

func (p *pathTo) load(ctx context.Context, records []any) error {
	var keys []any
	met := map[any]bool{}
	for _, record := range records {
		for _, key := range p.field.Keys(reflect.ValueOf(record).Elem()) {
			if !met[key] {
				met[key], keys = true, append(keys, key)
			}
		}
	}
	others, err := p.get(ctx, keys, true)
	if err != nil || len(p.within) == 0 {
		return err
	}
	return loadAll(ctx, p.within, existing(others))
}

// pathBack leads to the records that reference a record.
type pathBack struct {
	caller    *Caller
	reference *model.Referring
	to        *model.Struct
	condition *store.Condition
	match     filter.Match // of the referencing records; nil for all
	found     map[any]bool // by the identifier of a record, whether one matches; nil for nothing
}

// holds reports whether one of the records that reference a record matches the condition.
func (p *pathBack) holds(ctx context.Context, record reflect.Value) (bool, error) {
	id := p.to.Identifier()
	key := id.ValueIn(record).Interface()
	holds, known := p.found[key]
	switch {
	case known:
		return holds, nil
	case len(p.condition.Any) == 0, id.Generated() && id.ValueIn(record).IsZero(): // it is about to be created
		return false, nil
	}
	holds, err := p.ask(ctx, key)
	if err == nil && p.caller.Keeps {
		p.note(key, holds)
	}
	return holds, err
}

// ask asks the store of the referencing records. It evaluates the condition itself as far as it leads back to the subject,
// of which the store may have an earlier state.
func (p *pathBack) ask(ctx context.Context, key any) (bool, error) {
	own, from := &p.caller.subject, p.reference.From
	query := store.Query{Where: []store.Condition{
		{Fields: []string{p.reference.Field.Name}, Operator: store.Equal, Values: []any{key}}, {Any: p.condition.Any},
	}}
	switch leadsBack := own.record != nil && leads(from, p.condition.Any, own.of); {
	case leadsBack:
		query.Where = query.Where[:1]
	case own.of == from && own.record != nil:
		query.Limit = 2 // the subject may be one of them
	default:
		query.Limit = 1
	}
	found, err := p.caller.Records.Find(ctx, from, query)
	if err != nil {
		return false, err
	}
	if own.of == from && own.record != nil {
		own.met = true
		found = slices.DeleteFunc(found, func(record any) bool { return own.is(from, from.Identifier().Of(record)) })
		if slices.Contains(p.reference.Field.Keys(reflect.ValueOf(own.record).Elem()), key) {
			found = append(found, own.record)
		}
	}
	for _, record := range found {
		if ok, err := p.match(ctx, reflect.ValueOf(record).Elem()); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// leads reports whether conditions on records of a struct lead to records of another one.
func leads(of *model.Struct, lists [][]store.Condition, to *model.Struct) bool {
	for _, list := range lists {
		for i := range list {
			within := of
			if list[i].Through != "" {
				if within = behind(of, list[i].Through); within == to {
					return true
				}
			}
			if leads(within, list[i].Any, to) {
				return true
			}
		}
	}
	return false
}

func (p *pathBack) note(key any, holds bool) {
	if p.found == nil {
		p.found = map[any]bool{}
	}
	p.found[key] = holds
}

// load asks the store which of the records the condition holds for, because the records that reference them may be many. The
// records themselves may be in the trash.
func (p *pathBack) load(ctx context.Context, records []any) error {
	id := p.to.Identifier()
	var keys []any
	for _, record := range records {
		key := id.Of(record)
		if _, known := p.found[key]; !known {
			p.note(key, false)
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	condition := *p.condition
	condition.Any = make([][]store.Condition, len(p.condition.Any))
	for i, list := range p.condition.Any { // so that the index of the reference can serve
		condition.Any[i] = append([]store.Condition{{Fields: []string{p.reference.Field.Name}, Operator: store.Equal, Values: keys}}, list...)
	}
	query := store.Query{Where: []store.Condition{isOneOf(id, keys), condition}, Fields: id.Names()}
	if p.to.Deleted != nil {
		query.Deleted = store.WithDeleted
	}
	found, err := p.caller.Records.Find(ctx, p.to, query)
	if err != nil {
		p.found = nil
		return err
	}
	for _, record := range found {
		p.note(id.Of(record), true)
	}
	return nil
}

// isOneOf returns a condition for the records with identifiers.
func isOneOf(id model.Identifier, keys []any) store.Condition {
	if !id.IsComposite() {
		return store.Condition{Fields: id.Names(), Operator: store.Equal, Values: keys}
	}
	lists := make([][]store.Condition, len(keys))
	for i, key := range keys {
		for n, name := range id.Names() {
			lists[i] = append(lists[i], store.Condition{Fields: []string{name}, Operator: store.Equal, Values: []any{key.(store.Key)[n]}})
		}
	}
	return store.Condition{Any: lists}
}

func loadAll(ctx context.Context, paths []path, records []any) error {
	for _, p := range paths {
		if err := p.load(ctx, records); err != nil {
			return err
		}
	}
	return nil
}

// existing returns the records that are not nil.
func existing(records []any) []any {
	return slices.DeleteFunc(slices.Clone(records), func(record any) bool { return record == nil })
}

// Load finds what the rule looks at behind references of several records, so that Holds of each of them asks no store. It
// is kept until [Caller.Forget].
func (r *Rule) Load(ctx context.Context, c *Caller, records []any) error {
	if r == nil || !r.leads || len(records) < 2 || r.Decide(c) != Depends {
		return nil
	}
	records = existing(records)
	for _, n := range r.leaves {
		if n.inner == nil && n.Kind != "filter" {
			continue
		}
		if verdict, err := n.decide(&evaluation{ctx: ctx, caller: c}); verdict != Depends || err != nil {
			continue
		}
		conditions, err := n.conditionsOf(&evaluation{ctx: ctx, caller: c})
		if len(conditions) == 0 || err != nil {
			continue // Holds returns the error
		}
		found := c.known(n)
		if err := found.compile(c); err != nil {
			return err
		}
		if err := loadAll(ctx, found.paths, records); err != nil {
			return err
		}
	}
	return nil
}

// Load does what [Rule.Load] does, for the rules by which fields of records are shown.
func (m *Fields) Load(ctx context.Context, c *Caller, records []any) error {
	if !m.Leads() {
		return nil
	}
	for i := range m.List {
		if err := m.List[i].Read.Load(ctx, c, records); err != nil {
			return err
		}
	}
	return nil
}

// Forget forgets what rules have found behind references. Call it before records change.
func (c *Caller) Forget() {
	for i := range c.values {
		c.values[i].match, c.values[i].paths = nil, nil
	}
}

// behind returns the struct of the records that a reference of or to records leads to, nil for another name.
func behind(s *model.Struct, reference string) *model.Struct {
	if r := s.ReferredBy(reference); r != nil {
		return r.From
	}
	if f := s.Field(reference); f != nil && f.Reference != nil {
		return f.Reference.Target
	}
	return nil
}

// checkThrough checks conditions of access.Filter that go through references, and those within. Only a request shows
// them, and a store would compare fields of the wrong records.
func checkThrough(conditions []store.Condition, s *model.Struct) error {
	for i := range conditions {
		within, through := s, conditions[i].Through
		if through != "" {
			if within = behind(s, through); within == nil {
				return fmt.Errorf("a condition goes through %q, which is not a reference of %s%s", through, s.Go, naming.Allowed(through, s.Names(isReference)))
			}
			r := s.ReferredBy(through)
			joins := r != nil && r.Joined && r.Name == through // which is how stores know it
			if r == nil {
				joins = s.Field(through).Reference.Joined
			}
			if !joins {
				return fmt.Errorf("a condition goes through %q of %s, but the store cannot query the records of %s; "+
					"keep both in memory or in one database, or implement store.Joiner", through, s.Go, naming.TypeName(within.Go))
			}
		}
		for _, list := range conditions[i].Any {
			if err := checkThrough(list, within); err != nil {
				return err
			}
		}
	}
	return nil
}

func isReference(f *model.Field) bool { return f.Reference != nil }
