package memory

import (
	"cmp"
	"slices"
	"time"

	"github.com/trove-api/trove/store"
)

func (s scalar[V]) matcher(operator store.Operator, given []any) matcher {
	values := make([]V, len(given))
	for i, each := range given {
		self, _ := locate[V](way{found: s.at.way.found})
		values[i] = *self.in(copyOf(each))
	}
	want := values[0]
	switch operator {
	case store.Equal:
		return s.equal(values)
	case store.NotEqual:
		equal := s.equal(values)
		return func(in instance) (bool, error) { is, err := equal(in); return !is, err }
	case store.Less:
		return func(in instance) (bool, error) { v := s.at.in(in); return v != nil && cmp.Less(*v, want), nil }
	case store.LessEqual:
		return func(in instance) (bool, error) { v := s.at.in(in); return v != nil && !cmp.Less(want, *v), nil }
	case store.Greater:
		return func(in instance) (bool, error) { v := s.at.in(in); return v != nil && cmp.Less(want, *v), nil }
	case store.GreaterEqual:
		return func(in instance) (bool, error) { v := s.at.in(in); return v != nil && !cmp.Less(*v, want), nil }
	}
	return nil
}

func (s scalar[V]) equal(values []V) matcher {
	if want := values[0]; len(values) == 1 && want == want { //nolint:gocritic // no number is not itself
		return func(in instance) (bool, error) { v := s.at.in(in); return v != nil && *v == want, nil }
	}
	return func(in instance) (bool, error) {
		v := s.at.in(in)
		return v != nil && slices.ContainsFunc(values, func(want V) bool { return cmp.Compare(*v, want) == 0 }), nil
	}
}

func (b boolean) matcher(operator store.Operator, given []any) matcher {
	if len(given) > 1 {
		return nil
	}
	self, _ := locate[bool](way{found: b.at.way.found})
	want := *self.in(copyOf(given[0]))
	switch operator {
	case store.Equal:
	case store.NotEqual:
		return func(in instance) (bool, error) { v := b.at.in(in); return v == nil || *v != want, nil }
	default:
		return nil
	}
	return func(in instance) (bool, error) { v := b.at.in(in); return v != nil && *v == want, nil }
}

func (m moment) matcher(operator store.Operator, given []any) matcher {
	if len(given) > 1 {
		return nil
	}
	fits := sign(operator)
	want := given[0].(time.Time).Round(0) // without a monotonic clock, which Compare would prefer
	if operator == store.NotEqual || fits == nil {
		return nil
	}
	return func(in instance) (bool, error) { v := m.at.in(in); return v != nil && fits(v.Compare(want)), nil }
}

// compares returns the test of an operator that compares, for any kind; nil for another
// operator.
func (c *column) compares(operator store.Operator, values []ordered) matcher {
	isOneOf := func(found ordered) bool { return slices.Contains(values, found) }
	holds := isOneOf
	switch fits := sign(operator); {
	case operator == store.NotEqual:
		holds = func(found ordered) bool { return !isOneOf(found) }
	case fits == nil:
		return nil
	case operator != store.Equal:
		holds = func(found ordered) bool { return found.present && fits(found.compare(&values[0])) }
	}
	return func(in instance) (bool, error) {
		found, err := c.kind.ordered(in)
		return err == nil && holds(found), err
	}
}

// sign returns which results of a comparison fulfil an operator; nil for one that does not
// compare.
func sign(operator store.Operator) func(compared int) bool {
	switch operator {
	case store.Equal:
		return func(c int) bool { return c == 0 }
	case store.NotEqual:
		return func(c int) bool { return c != 0 }
	case store.Less:
		return func(c int) bool { return c < 0 }
	case store.LessEqual:
		return func(c int) bool { return c <= 0 }
	case store.Greater:
		return func(c int) bool { return c > 0 }
	case store.GreaterEqual:
		return func(c int) bool { return c >= 0 }
	}
	return nil
}
