package catalog

import "sync"

// Store keeps the items of every contender but Trove, which has its own. An item is never
// changed once it is in the store: a write replaces it.
type Store struct {
	mu    sync.RWMutex
	items []*Item // in the order of their identifiers
	index map[int64]int
}

// NewStore returns a store with copies of the items.
func NewStore(items []Item) *Store {
	s := &Store{items: make([]*Item, 0, len(items)), index: make(map[int64]int, len(items))}
	for _, item := range items {
		s.add(&item)
	}
	return s
}

// add adds an item. The caller holds the lock.
func (s *Store) add(item *Item) {
	s.index[item.ID] = len(s.items)
	s.items = append(s.items, item)
}

// Get returns the item with the identifier. It returns false if there is none.
func (s *Store) Get(id int64) (*Item, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, ok := s.index[id]
	if !ok {
		return nil, false
	}
	return s.items[i], true
}

// List returns a page of items and the total number of items. Pages start at 1. A name that is not empty filters the
// items.
func (s *Store) List(name string, page, size int) (found []*Item, total int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	start, end := (page-1)*size, page*size
	found = make([]*Item, 0, size)
	if name == "" {
		total = len(s.items)
		return append(found, s.items[min(start, total):min(end, total)]...), total
	}
	for _, item := range s.items {
		if item.Name != name {
			continue
		}
		if start <= total && total < end {
			found = append(found, item)
		}
		total++
	}
	return found, total
}

// Insert adds an item and sets its identifier.
func (s *Store) Insert(in *Input) *Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	item := in.Item(int64(len(s.items))+1, Now())
	s.add(item)
	return item
}

// Update changes an item. It returns false if there is none. If change returns an error, nothing is saved.
func (s *Store) Update(id int64, change func(in *Input) error) (*Item, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.index[id]
	if !ok {
		return nil, false, nil
	}
	before := s.items[i]
	in := before.Input()
	if err := change(&in); err != nil {
		return nil, true, err
	}
	s.items[i] = in.Item(id, before.CreatedAt)
	return s.items[i], true, nil
}
