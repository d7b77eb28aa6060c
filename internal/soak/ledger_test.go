package soak_test

import (
	"slices"
	"sync"
	"sync/atomic"
)

// entry is what a client knows of a record that it created. Only the worker that made it
// touches it.
type entry struct {
	mark   string
	id     string // "" for one that the client was never told
	sure   bool   // the record is there; else it may be there or not
	values []int  // one of which the record has
}

// counter is a record that all workers count up.
type counter struct {
	entry *entry
	first int
	told  atomic.Int64 // changes that were answered 200
	lost  atomic.Int64 // changes that came too late: 412
	open  atomic.Int64 // changes without an answer, saved or not
}

// ledger knows the records of a collection. A record that is deleted for sure is struck
// off, and must not be there in the end.
type ledger struct {
	mu      sync.Mutex
	entries map[string]*entry
}

func newLedger() *ledger { return &ledger{entries: map[string]*entry{}} }

func (l *ledger) note(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[e.mark] = e
}

func (l *ledger) strike(e *entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.entries, e.mark)
}

// compare finds what the store has and should not, and the reverse. It returns how many
// records whose fate nobody knew are there.
func (l *ledger) compare(where string, records []kept, f *findings) (open int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[string]int{}
	for _, r := range records {
		found[r.mark]++
		e := l.entries[r.mark]
		switch {
		case e == nil:
			f.add("%s: the record %q is there; its create was refused, or it was deleted", where, r.mark)
		case !slices.Contains(e.values, r.value):
			f.add("%s: the record %q has the value %d, want one of %v", where, r.mark, r.value, e.values)
		case !e.sure:
			open++
		}
	}
	for mark, e := range l.entries {
		if n := found[mark]; n > 1 || n == 0 && e.sure {
			f.add("%s: the record %q is there %d times, want once", where, mark, n)
		}
	}
	return open
}

// compare holds a counter to the changes that were told to have been saved.
func (c *counter) compare(where string, records []kept, f *findings) {
	i := slices.IndexFunc(records, func(r kept) bool { return r.mark == c.entry.mark })
	if i < 0 {
		f.add("%s: the counter %q is gone", where, c.entry.mark)
		return
	}
	least := c.first + int(c.told.Load())
	if value, most := records[i].value, least+int(c.open.Load()); value < least || value > most {
		f.add("%s: the counter %q is %d, want %d to %d: updates were lost or made twice", where, c.entry.mark, value, least, most)
	}
}
