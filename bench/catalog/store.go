package catalog

import "sync"

// Store keeps the items of every contender but Trove, which has its own. An item is never
// changed once it is in the store: a write puts another in its place.
type Store struct {
	mu    sync.RWMutex
	items map[int64]*Item
	order []int64
}

// NewStore makes a store that holds copies of the items.
func NewStore(items []Item) *Store {
	s := &Store{items: make(map[int64]*Item, len(items)), order: make([]int64, 0, len(items))}
	for _, item := range items {
		s.items[item.ID] = &item
		s.order = append(s.order, item.ID)
	}
	return s
}

// Get returns the item, or false.
func (s *Store) Get(id int64) (*Item, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	item, ok := s.items[id]
	return item, ok
}

// List returns a page, from 1, and how many items there are on all of them. A name that
// is not empty leaves out all items that have another.
func (s *Store) List(name string, page, size int) (items []*Item, total int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	start, end := (page-1)*size, page*size
	items = make([]*Item, 0, size)
	if name == "" {
		total = len(s.order)
		for _, id := range s.order[min(start, total):min(end, total)] {
			items = append(items, s.items[id])
		}
		return items, total
	}
	for _, id := range s.order {
		item := s.items[id]
		if item.Name != name {
			continue
		}
		if start <= total && total < end {
			items = append(items, item)
		}
		total++
	}
	return items, total
}

// Insert adds an item, with the next identifier.
func (s *Store) Insert(in *Input) *Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	item := in.Item(int64(len(s.order))+1, Now())
	s.items[item.ID] = item
	s.order = append(s.order, item.ID)
	return item
}

// Update changes an item, or returns false. Where change refuses, nothing is saved.
func (s *Store) Update(id int64, change func(in *Input) error) (*Item, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, ok := s.items[id]
	if !ok {
		return nil, false, nil
	}
	in := before.Input()
	if err := change(&in); err != nil {
		return nil, true, err
	}
	item := in.Item(id, before.CreatedAt)
	s.items[id] = item
	return item, true, nil
}
