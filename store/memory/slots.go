package memory

// slots are the slots of a table, by id and by [answerLock]. Most identifiers are integers
// of one type, which are found faster by themselves than as any value.
type slots[T any] struct {
	numbered map[int64]*slot[T]
	others   map[any]*slot[T]
}

func newSlots[T any]() slots[T] {
	return slots[T]{map[int64]*slot[T]{}, map[any]*slot[T]{}}
}

// get returns a slot, nil where there is none.
func (s slots[T]) get(id any) *slot[T] {
	if n, ok := id.(int64); ok {
		return s.numbered[n]
	}
	return s.others[id]
}

func (s slots[T]) set(id any, made *slot[T]) {
	if n, ok := id.(int64); ok {
		s.numbered[n] = made
	} else {
		s.others[id] = made
	}
}

func (s slots[T]) remove(id any) {
	if n, ok := id.(int64); ok {
		delete(s.numbered, n)
	} else {
		delete(s.others, id)
	}
}
