package memory

import "sort"

// series are rows in an order.
type series interface {
	// from goes through the rows until yield returns false: from the first one that is not
	// before the pivot, or from the beginning without one; from the end, if it is to go
	// backward.
	from(pivot *row, backward bool, yield func(*row) bool)
	// at returns the nth row, counted from the end if it is to go backward; nil behind the
	// last.
	at(n int, backward bool) *row
	Len() int
}

// sorted are rows in the order of the identifier.
type sorted []*row

// search returns where a row with that identifier is or would be.
func (s sorted) search(r *row) (at int, found bool) {
	id := r.value(0)
	if n := len(s); n == 0 || s[n-1].value(0).compare(id) < 0 {
		return n, false
	}
	at = sort.Search(len(s), func(i int) bool { return s[i].value(0).compare(id) >= 0 })
	return at, at < len(s) && *s[at].value(0) == *id
}

func (s sorted) from(pivot *row, backward bool, yield func(*row) bool) {
	switch {
	case pivot == nil:
	case backward:
		at, found := s.search(pivot)
		if found {
			at++
		}
		s = s[:at]
	default:
		at, _ := s.search(pivot)
		s = s[at:]
	}
	for i := range s {
		if backward {
			i = len(s) - 1 - i
		}
		if !yield(s[i]) {
			return
		}
	}
}

func (s sorted) at(n int, backward bool) *row {
	if backward {
		n = len(s) - 1 - n
	}
	if n < 0 || n >= len(s) {
		return nil
	}
	return s[n]
}

// Len returns how many rows there are.
func (s sorted) Len() int { return len(s) }

// union are the rows of several series, in no order.
type union []series

func (u union) from(_ *row, _ bool, yield func(*row) bool) {
	more := true
	for _, each := range u {
		each.from(nil, false, func(r *row) bool {
			more = yield(r)
			return more
		})
		if !more {
			return
		}
	}
}

func (u union) at(int, bool) *row { return nil }

// Len returns how many rows there are.
func (u union) Len() int {
	n := 0
	for _, each := range u {
		n += each.Len()
	}
	return n
}
