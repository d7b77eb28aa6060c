package memory

// rows are the saved rows of a table, by id. Integers, which most identifiers are, are found
// faster than as any value, and those that follow on one another, as generated ones do, are
// beside each other: a new record is put where the one before it has just been.
type rows struct {
	pages  map[int64]*page // by the first integer of each
	others map[any]*row
}

// page has the rows of neighbouring integers.
type page [16]*row

func newRows() rows {
	return rows{map[int64]*page{}, map[any]*row{}}
}

// number returns an id that is an integer. All ids of a table have one type.
func number(id any) (n int64, ok bool) {
	switch id := id.(type) {
	case int64:
		return id, true
	case int:
		return int64(id), true
	}
	return 0, false
}

// at returns where in its page an integer is, and the first integer of the page.
func at(n int64) (place int, first int64) {
	const last = int64(len(page{}) - 1)
	return int(n & last), n &^ last
}

// get returns a row, nil where there is none.
func (r rows) get(id any) *row {
	n, ok := number(id)
	if !ok {
		return r.others[id]
	}
	place, first := at(n)
	if p := r.pages[first]; p != nil {
		return p[place]
	}
	return nil
}

func (r rows) set(id any, saved *row) {
	n, ok := number(id)
	if !ok {
		r.others[id] = saved
		return
	}
	place, first := at(n)
	p := r.pages[first]
	if p == nil {
		p = &page{}
		r.pages[first] = p
	}
	p[place] = saved
}

func (r rows) remove(id any) {
	n, ok := number(id)
	if !ok {
		delete(r.others, id)
		return
	}
	place, first := at(n)
	p := r.pages[first]
	if p == nil {
		return
	}
	if p[place] = nil; *p == (page{}) {
		delete(r.pages, first)
	}
}
