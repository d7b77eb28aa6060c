package memory

import "slices"

// key returns the condition by whose tree rows are found that may fulfil a condition: itself, or
// one of those that must all hold; nil for none.
func (c *condition) key() *condition {
	if c.tree != nil {
		return c
	}
	if c.each {
		for i := range c.parts {
			if c.parts[i].tree != nil {
				return &c.parts[i]
			}
		}
	}
	return nil
}

// keys goes through the conditions that rows are found by: one, those of a union, or none.
func (c *condition) keys(yield func(*condition) bool) {
	switch {
	case c.tree != nil:
		yield(c)
	case c.isUnion:
		for i := range c.parts {
			if !yield(c.parts[i].key()) {
				return
			}
		}
	}
}

// isPlainUnion reports whether a union asks nothing but its keys.
func (c *condition) isPlainUnion() bool {
	return c.isUnion && !slices.ContainsFunc(c.parts, func(part condition) bool { return part.tree == nil })
}

// search finds the rows of a condition by its keys, and returns how many there are. Those of a
// union may be in several spans; it counts them as often.
func (c *condition) search() int {
	if c.tree == nil {
		c.rows = 0
		for key := range c.keys {
			c.rows += key.search()
		}
		return c.rows
	}
	values := c.values
	if len(values) > 1 { // each once: clients can write many
		values = slices.Clone(values)
		slices.SortFunc(values, func(a, b value) int { return a.compare(&b) })
		values = slices.Compact(values)
	}
	c.spans, c.rows = c.firstSpan[:0], 0
	for i := range values {
		equal := c.all.in.equal(c.tree, &values[i])
		c.spans = append(c.spans, equal)
		c.rows += equal.len()
	}
	return c.rows
}

// has reports whether a row is in a span of a key. Most values differ in their integers, which
// takes less to see than a comparison of all of them.
func (c *condition) has(r *row) bool {
	if list := c.tree.elements; list != nil {
		has, _ := list.has(r.record, c) // it was read when the row was made, without an error
		return has
	}
	found := r.value(c.tree.tree)
	if c.set != nil {
		return c.isOne(*found)
	}
	for i := range c.values {
		if c.values[i].integer == found.integer && c.values[i] == *found {
			return true
		}
	}
	return false
}

// union are the keys of a group, the one with the most rows first: what is in it already need
// not be looked at to be counted.
type union []*condition

// union appends the keys of a group.
func (c *condition) union(keys union) union {
	for key := range c.keys {
		if keys = append(keys, key); key.rows > keys[0].rows {
			keys[0], keys[len(keys)-1] = key, keys[0]
		}
	}
	return keys
}

// len returns in how many positions of spans rows are.
func (u union) len() (rows int) {
	for _, key := range u {
		rows += key.rows
	}
	return rows
}

// eachFrom goes through the rows of the nth key of a union and those behind it which no key
// before has, until yield returns false.
func (l *list) eachFrom(u union, n int, yield func(*row) bool) {
	going := true
	for i := n; i < len(u); i++ {
		for _, s := range u[i].spans {
			s.each(0, false, func(r *row) bool {
				isKnown := slices.ContainsFunc(u[:i], func(before *condition) bool { return before.has(r) })
				going = l.try() && (isKnown || yield(r))
				return going
			})
			if !going {
				return
			}
		}
	}
}

// count makes the total of a list that of its only condition, without looking at more rows than
// those which are in the smaller spans of a union.
func (l *list) count(c *condition) {
	switch {
	case c.tree != nil:
		l.total, l.counted = c.rows, true
	case c.isPlainUnion():
		keys := c.union(l.firstUnion[:0])
		total := 0
		if len(keys) > 0 {
			total = keys[0].rows
		}
		l.eachFrom(keys, 1, func(*row) bool {
			total++
			return true
		})
		l.total, l.counted = total, l.err == nil
	}
}
