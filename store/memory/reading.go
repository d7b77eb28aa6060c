package memory

// pageAtOnce is how many rows are read, passed over or copied under the table's lock at most.
const pageAtOnce = 1000

// reading returns the rows to go through, and whether the table's lock is held for reading
// until that is done. What is over soon reads under the table's lock, or copies a few rows;
// a scan goes through a copy of a tree, which costs nothing to make, so that nobody waits
// for it.
func (t *table) reading(l *list) (rows series, held bool) {
	t.mu.RLock()
	p := t.plan(l)
	switch {
	case p.atOnce(l):
		rows = t.series(&p)
		t.follow(l, &p, rows)
		return rows, true
	case p.lookup != nil && p.count <= pageAtOnce:
		defer t.mu.RUnlock()
		rows = p.gathered()
		t.follow(l, &p, rows)
		return rows, false
	}
	t.mu.RUnlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	p = t.plan(l) // another transaction may have ended meanwhile
	rows = t.copied(&p)
	t.follow(l, &p, rows)
	return rows, false
}

// atOnce reports whether few rows are gone through, however many there are.
func (p *plan) atOnce(l *list) bool {
	conditions, inOrder := len(l.query.Where), l.order.isInTree()
	if p.lookup != nil {
		conditions, inOrder = conditions-1, p.inOrder(l)
	}
	if conditions > 0 || !inOrder || l.query.Limit == 0 || l.query.Limit > pageAtOnce {
		return false
	}
	return l.query.Offset <= pageAtOnce || l.begins()
}

// series returns the rows of a plan in order, to be read under the table's lock.
func (t *table) series(p *plan) series {
	switch {
	case p.lookup == nil:
		return t.through(p, t.trees[p.tree])
	case len(p.postings) == 0:
		return sorted(nil)
	}
	return p.postings[0]
}

// copied returns the rows of a plan as they are now.
func (t *table) copied(p *plan) series {
	switch {
	case p.lookup == nil:
		return t.through(p, t.trees[p.tree].copied())
	case len(p.postings) == 1:
		return p.postings[0].copied()
	}
	rows := make(union, len(p.postings))
	for i, each := range p.postings {
		rows[i] = each.copied()
	}
	return rows
}

// through returns the rows of a plan's tree in the order of the list.
func (t *table) through(p *plan, rows tree) series {
	if p.turned {
		return turned{rows, t.columns.trees[p.tree].place}
	}
	return rows
}

// gathered returns a copy of the rows of a plan's postings, which are few.
func (p *plan) gathered() series {
	rows := make(sorted, 0, p.count)
	for _, each := range p.postings {
		each.from(nil, false, func(r *row) bool {
			rows = append(rows, r)
			return true
		})
	}
	return rows
}

// follow makes a list one of the rows of a plan: the condition that they all fulfil is
// tried no more, and the total is known where no other one is left.
func (t *table) follow(l *list, p *plan, rows series) {
	l.sorting = l.order.columns[0].tree == noTree
	if p.lookup != nil {
		l.sorting = !p.inOrder(l)
	}
	l.err = l.matchBut(t.columns, p.lookup)
	switch {
	case !l.counting:
	case len(l.matchers) == 0:
		l.total, l.counting = rows.Len(), false
	case p.total != unknown:
		l.total, l.counting = p.total, false
	}
}
