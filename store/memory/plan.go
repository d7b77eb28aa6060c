package memory

import (
	"slices"

	"github.com/trove-api/trove/store"
)

// lookup is a condition that an index can answer.
type lookup struct {
	condition int // which one of the query's
	index     int
	terms     []ordered // each once
}

// lookups finds the conditions of a query that an index can answer: those that one field
// is equal to one of some values. The conditions have been compiled without an error.
func (c columns) lookups(conditions []store.Condition) []lookup {
	var found []lookup
	for i := range conditions {
		if each, ok := c.lookup(&conditions[i]); ok {
			each.condition = i
			found = append(found, each)
		}
	}
	return found
}

func (c columns) lookup(condition *store.Condition) (found lookup, ok bool) {
	if len(condition.Fields) != 1 {
		return found, false
	}
	switch column := c.byName[condition.Fields[0]]; {
	case condition.Operator == store.Equal && column.index != noIndex:
		found.index = column.index
		values, err := column.values(condition)
		found.terms = distinct(values)
		return found, err == nil
	case condition.Operator == store.EqualFold && column.folds != noIndex:
		found.index = column.folds
		found.terms = []ordered{orderedText(store.Fold(condition.Values[0].(string)))}
		return found, true
	}
	return found, false
}

// distinct returns each value once. Clients can write long lists.
func distinct(values []ordered) []ordered {
	if len(values) == 1 {
		return values
	}
	seen := make(map[ordered]struct{}, len(values))
	return slices.DeleteFunc(values, func(value ordered) bool {
		_, again := seen[value]
		seen[value] = struct{}{}
		return again
	})
}

// plan is how a list is answered: from the postings of one lookup, or from a tree.
type plan[T any] struct {
	postings []*posting[T]
	count    int // of the rows in them
	lookup   *lookup
	tree     int  // the number of the tree to go through, if not the postings
	turned   bool // go through it with identifiers the other way
	total    int  // how many records match, if that is known before; else unknown
}

const unknown = -1

// plan decides how to answer a list, by how many rows there are to go through. The caller
// holds the table's lock.
func (t *table[T]) plan(l *list[T]) plan[T] {
	p := plan[T]{total: unknown, tree: max(l.order.columns[0].tree, 0), turned: l.order.isTurned()}
	for i := range l.lookups {
		if postings, count := t.postings(&l.lookups[i]); p.lookup == nil || count < p.count {
			p.postings, p.count, p.lookup = postings, count, &l.lookups[i]
		}
	}
	if p.lookup == nil {
		return p
	}
	if len(l.matchers) == 1 {
		p.total = p.count
	}
	if !p.inOrder(l) && p.count*sorting > t.reach(l, p) {
		p.lookup = nil
	}
	return p
}

// sorting is how many rows can be passed by in a tree in the time that it takes to put
// one in order.
const sorting = 5

// reach guesses how many rows of a tree a list will go through.
func (t *table[T]) reach(l *list[T], p plan[T]) int {
	all := t.trees[0].Len()
	if l.order.columns[0].tree == noTree {
		return all * sorting
	}
	if p.count == 0 || l.query.Limit == 0 || l.query.Count && p.total == unknown {
		return all
	}
	return min((l.query.Offset+l.query.Limit)*(all/p.count), all)
}

// inOrder reports whether the postings have the order of the list.
func (p *plan[T]) inOrder(l *list[T]) bool {
	return len(p.postings) <= 1 && l.order.columns[0].tree == 0
}

// postings returns the postings that a lookup names, and how many rows they have.
func (t *table[T]) postings(l *lookup) (found []*posting[T], count int) {
	index := &t.indexes[l.index]
	for _, term := range l.terms {
		if p := index.byTerm[term]; p != nil {
			found, count = append(found, p), count+p.Len()
		}
	}
	return found, count
}
