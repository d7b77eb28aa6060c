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

// lookup returns how an index can answer a condition, if it can: where one field is equal to
// one of some values. Such a condition has no mistake.
func (c columns) lookup(condition *store.Condition) (found lookup, ok bool) {
	if len(condition.Fields) != 1 || len(condition.Values) == 0 {
		return found, false
	}
	column := c.byName[condition.Fields[0]]
	switch {
	case column == nil:
	case condition.Operator == store.Equal && column.index != noIndex:
		values, err := column.values(condition)
		found.index, found.terms = column.index, distinct(values)
		return found, err == nil
	case condition.Operator == store.EqualFold && column.folds != noIndex:
		texts := make([]ordered, len(condition.Values))
		for i, value := range condition.Values {
			text, isText := value.(string)
			if texts[i] = orderedText(store.Fold(text)); !isText {
				return found, false
			}
		}
		found.index, found.terms = column.folds, distinct(texts)
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
type plan struct {
	postings []*posting
	count    int // of the rows in them
	lookup   *lookup
	tree     int  // the number of the tree to go through, if not the postings
	turned   bool // go through it with identifiers the other way
	total    int  // how many records match, if that is known before; else unknown
}

const unknown = -1

// plan decides how to answer a list, by how many rows there are to go through. The caller
// holds the table's lock.
func (t *table) plan(l *list) plan {
	p := plan{total: unknown, tree: max(l.order.columns[0].tree, 0), turned: l.order.isTurned()}
	clear(l.postings)
	l.postings = l.postings[:0]
	for i := range l.lookups {
		if postings, count := t.postings(l, &l.lookups[i]); p.lookup == nil || count < p.count {
			p.postings, p.count, p.lookup = postings, count, &l.lookups[i]
		}
	}
	if p.lookup == nil {
		return p
	}
	if len(l.query.Where) == 1 {
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
func (t *table) reach(l *list, p plan) int {
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
func (p *plan) inOrder(l *list) bool {
	return len(p.postings) <= 1 && l.order.columns[0].tree == 0
}

// postings returns the postings that a lookup of a list names, which the list holds, and how
// many rows they have.
func (t *table) postings(l *list, named *lookup) (found []*posting, count int) {
	start, index := len(l.postings), &t.indexes[named.index]
	for _, term := range named.terms {
		if p := index.byTerm[term]; p != nil {
			l.postings, count = append(l.postings, p), count+p.Len()
		}
	}
	return l.postings[start:], count
}
