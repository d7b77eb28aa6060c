package soak_test

import (
	"slices"
	"sync"
	"sync/atomic"
)

// entry is what a client knows about a record that it created. Only its worker uses it.
type entry struct {
	mark   string
	id     string // "" if the client never got it
	sure   bool   // the record exists; otherwise it may or may not exist
	values []int  // the possible values of the record
}

// counter is a record that all workers increment.
type counter struct {
	entry     *entry
	first     int
	succeeded atomic.Int64 // changes with the response 200
	lost      atomic.Int64 // changes that were too late: 412
	open      atomic.Int64 // changes without a response, saved or not
}

// ledger has the expected records of a collection. Deleted records are removed, and must not exist at the end.
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

// compare reports missing and unexpected records in the store. It returns how many records of unknown state exist.
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

// compare compares a counter with the changes whose responses reported success.
func (c *counter) compare(where string, records []kept, f *findings) {
	i := slices.IndexFunc(records, func(r kept) bool { return r.mark == c.entry.mark })
	if i < 0 {
		f.add("%s: the counter %q is gone", where, c.entry.mark)
		return
	}
	least := c.first + int(c.succeeded.Load())
	if value, most := records[i].value, least+int(c.open.Load()); value < least || value > most {
		f.add("%s: the counter %q is %d, want %d to %d: updates were lost or made twice", where, c.entry.mark, value, least, most)
	}
}
