package gate

import "github.com/trove-api/trove/store"

// Scratch is memory for what a rule becomes in a query. Every page of a collection asks its rule anew,
// and what was made for that would be most of what rules cost it. The zero value is empty, and nil is
// none: then all of it is new.
type Scratch struct {
	group alternatives
	where [4]store.Condition
	lent  bool
	taken bool // the group
}

// Lend lets the conditions of the caller's next query be made in a room. Nobody may have those of the
// query before any more.
func (c *Caller) Lend(room *Scratch) {
	if c.room = room; room != nil {
		room.lent, room.taken = true, false
	}
}

// Clear makes a room hold on to nothing, such as the values of a caller.
func (r *Scratch) Clear() {
	if r != nil && r.lent {
		*r = Scratch{}
	}
}

// take returns the group of the room, nil where there is none or another rule has it: a query through
// references has conditions of several.
func (c *Caller) take() *alternatives {
	if c.room == nil || c.room.taken {
		return nil
	}
	c.room.taken = true
	return &c.room.group
}

// list returns an empty list for n conditions of a query.
func (c *Caller) list(n int) []store.Condition {
	if c.room == nil || n > len(c.room.where) {
		return make([]store.Condition, 0, n)
	}
	return c.room.where[:0]
}

// equality is the condition of an equal with its value in one piece of memory.
type equality struct {
	conditions [1]store.Condition
	values     [1]any
}

// alternatives is a group in one piece of memory, with room for what most of them have one of: what is
// the caller's own.
type alternatives struct {
	conditions [1]store.Condition
	groups     [4][]store.Condition
	own        equality
}
