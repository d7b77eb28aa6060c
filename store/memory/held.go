package memory

import "slices"

// held are what a transaction has locked, in order. A few are searched one after the
// other; more have a set.
type held struct {
	ids   []any
	first [2]any // where the first of ids are
	set   map[any]struct{}
}

func (h *held) has(id any) bool {
	if h.set != nil {
		_, ok := h.set[id]
		return ok
	}
	return slices.Contains(h.ids, id)
}

func (h *held) add(id any) {
	if h.ids == nil {
		h.ids = h.first[:0]
	}
	h.ids = append(h.ids, id)
	switch {
	case h.set != nil:
		h.set[id] = struct{}{}
	case len(h.ids) > several:
		h.set = make(map[any]struct{}, 2*several)
		for _, each := range h.ids {
			h.set[each] = struct{}{}
		}
	}
}
