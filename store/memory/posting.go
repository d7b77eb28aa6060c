package memory

import "slices"

// few is how many rows a posting has in a slice. With more it has a tree.
const few = 128

// posting are the rows that have one value, in the order of the identifier. It is read while
// the table's lock is held.
type posting struct {
	rows  sorted
	large tree // in place of rows
}

func (p *posting) isLarge() bool { return p.large.rows != nil }

func (p *posting) set(r *row) {
	if p.isLarge() {
		p.large.add(r)
		return
	}
	at, found := p.rows.search(r)
	if found {
		p.rows[at] = r
		return
	}
	if p.rows = slices.Insert(p.rows, at, r); len(p.rows) > few {
		p.large = newTree(0)
		for _, each := range p.rows {
			p.large.add(each)
		}
		p.rows = nil
	}
}

func (p *posting) remove(r *row) {
	if p.isLarge() {
		p.large.Delete(r)
		return
	}
	if at, found := p.rows.search(r); found {
		p.rows = slices.Delete(p.rows, at, at+1)
	}
}

// Len returns how many rows there are.
func (p *posting) Len() int {
	if p.isLarge() {
		return p.large.Len()
	}
	return len(p.rows)
}

func (p *posting) from(pivot *row, backward bool, yield func(*row) bool) {
	if p.isLarge() {
		p.large.from(pivot, backward, yield)
		return
	}
	p.rows.from(pivot, backward, yield)
}

func (p *posting) at(n int, backward bool) *row {
	if p.isLarge() {
		return p.large.at(n, backward)
	}
	return p.rows.at(n, backward)
}

// copied returns rows that later changes do not change. The caller holds the table's lock
// for writing.
func (p *posting) copied() series {
	if p.isLarge() {
		return p.large.copied()
	}
	return slices.Clone(p.rows)
}
