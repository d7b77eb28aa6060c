package memory

// slots are the slots of a table, by id and by [answerLock]. Most identifiers are integers
// of one type, which are found faster by themselves than as any value.
type slots struct {
	numbered map[int64]*slot
	others   map[any]*slot
}

func newSlots() slots {
	return slots{map[int64]*slot{}, map[any]*slot{}}
}

// get returns a slot, nil where there is none.
func (s slots) get(id any) *slot {
	if n, ok := id.(int64); ok {
		return s.numbered[n]
	}
	return s.others[id]
}

func (s slots) set(id any, made *slot) {
	if n, ok := id.(int64); ok {
		s.numbered[n] = made
	} else {
		s.others[id] = made
	}
}

func (s slots) remove(id any) {
	if n, ok := id.(int64); ok {
		delete(s.numbered, n)
	} else {
		delete(s.others, id)
	}
}
