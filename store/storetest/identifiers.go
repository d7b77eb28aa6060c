package storetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// identity describes records with one type of identifier.
type identity[R any] struct {
	field     string                    // the JSON name of the identifier
	generated bool                      // by the store, if it is zero
	record    func(id any, text int) *R // a record with an identifier, nil for none, and another value
	ids       []any                     // identifiers that stores confuse, in the order of lists
	missing   []any                     // identifiers that no record has, and stores take for others; the first two can be saved
	invalid   []any                     // values that identify nothing
	none      func(n int) any           // identifiers that no record has
	many      int                       // how many identifiers GetMany must accept
}

func integers() identity[account] {
	return identity[account]{
		field: "id", generated: true,
		record: func(id any, n int) *account {
			given, _ := id.(int64)
			return &account{ID: given, Email: fmt.Sprint(id, n), Count: int64(n)}
		},
		ids:     []any{int64(3), int64(20), int64(100), int64(4711)},
		missing: []any{int64(21), int64(1), int64(-1), int64(1 << 40)},
		none:    func(n int) any { return int64(n) + 10_000 }, many: manyValues,
	}
}

func keys() identity[player] {
	return identity[player]{
		field:  "nickname",
		record: func(id any, n int) *player { return &player{id.(string), int64(n)} },
		ids: []any{
			" ada", `"quoted" 'key'`, "'; DROP TABLE keyed; --", "-1", "01", "1", "1.0", "100%", "Ada", "a b", "a.json", "a/b", "a?b=c&d", "a\\b", "ada", "ada ",
			"e", "e\u0301", "\u00e9", "日本語", "🏴‍☠️",
		},
		missing: []any{"ad", "ADA", "adaa", "", "%", "ada\x00", "\xff"},
		none:    func(n int) any { return "none " + strconv.Itoa(n) }, many: 1200,
	}
}

func uuids() identity[token] {
	parse := uuid.MustParse
	return identity[token]{
		field: "id", generated: true,
		record: func(id any, n int) *token {
			given, _ := id.(uuid.UUID)
			return &token{ID: given, Label: strconv.Itoa(n)}
		},
		ids:     []any{parse("00000000-0000-4000-8000-000000000002"), parse("77777777-0000-4000-8000-000000000003"), parse("ffffffff-0000-4000-8000-000000000001")},
		missing: []any{uuid.UUID{1, 15: 1}, uuid.UUID{15: 4}, uuid.Nil, uuid.Max},
		none:    func(n int) any { return uuid.UUID(binary.BigEndian.AppendUint64(make([]byte, 8), uint64(n+1))) }, many: 1200,
	}
}

func pairs() identity[seat] {
	return identity[seat]{
		field: "hall,name",
		record: func(id any, n int) *seat {
			key := id.(store.Key)
			return &seat{key[0].(int64), key[1].(string), strconv.Itoa(n)}
		},
		ids: []any{
			seatID(-2, "z"), seatID(0, "a"), seatID(1, ""), seatID(1, "1"), seatID(1, "a"), seatID(1, "a;b"), seatID(1, "ab"),
			seatID(2, "B"), seatID(2, "a"), seatID(2, "é"), seatID(11, ""), seatID(11, "a"),
		},
		missing: []any{seatID(1, "b"), seatID(3, "a"), seatID(0, ""), seatID(1, "a\x00")},
		invalid: []any{int64(1), "a", store.Key{int64(1)}, store.Key{"a", int64(1)}, store.Key{int64(1), "a", "a"}},
		none:    func(n int) any { return seatID(int64(n)+20, "a") }, many: 1200,
	}
}

func seatID(hall int64, name string) store.Key { return store.Key{hall, name} }

// rules returns the rules that every type of identifier follows.
func (i identity[R]) rules() []rule[*trial[R]] {
	rules := []rule[*trial[R]]{
		{
			"records are found by their exact identifier, and listed in its order",
			"Insert must not change an identifier that is set. All its fields and bytes count, in every locale. Numbers sort by value, strings and UUIDs by bytes, whenever a record was inserted.",
			func(c *trial[R]) { c.holdsAlike(i.fill(c)...) },
		},
		{
			"a missing record is ErrNotFound",
			"Get, and the transaction's Get, Update and Delete, must return store.ErrNotFound. The client gets a 404.",
			i.isMissing,
		},
		{
			"a duplicate identifier is rejected",
			"Insert must return a store.UniqueError with the JSON name of the identifier, or the names separated by commas, and leave the existing record unchanged.",
			i.isTaken,
		},
		{
			"of concurrent inserts and deletes of one record, one succeeds",
			"All other inserts must get a store.UniqueError, all other deletes store.ErrNotFound.",
			i.isTakenOnce,
		},
		{
			"an update cannot change the identifier",
			"The record passed to Update must have the id passed to Update. If not, Update returns an error and changes nothing.",
			i.stays,
		},
		{
			"an update and a delete change one record",
			"The identifier of a deleted record may be used again, even within the same transaction.",
			i.changesOne,
		},
		{
			"GetMany returns what Get returns, in the order of the identifiers",
			"A missing record is nil, because the others are still needed. An identifier may occur more than once, and the list may be empty, or longer than the database allows as parameters of one statement. The call ends with the context.",
			i.getsMany,
		},
	}
	if i.generated {
		rules = append(rules, rule[*trial[R]]{
			"a generated identifier is new, and set before Insert returns",
			"Later steps of the transaction need it, such as the Location header. It is not that of another record, not even of a deleted one, nor one that a caller has set.",
			i.isGenerated,
		})
	}
	return rules
}

// fill inserts a record for each identifier, in another order than that of lists.
func (i identity[R]) fill(c *trial[R]) []*R {
	c.Helper()
	all := make([]*R, len(i.ids))
	for _, first := range []int{1, 0} { // the odd ones, then the even ones
		for n := first; n < len(all); n += 2 {
			all[n] = i.record(i.ids[n], n)
			c.insert(all[n])
			c.same("the record after Insert", i.record(i.ids[n], n), all[n])
		}
	}
	return all
}

func (i identity[R]) isMissing(c *trial[R]) {
	all := i.fill(c)
	c.fails("Tx.Update", c.store.Transact(c.ctx, overwriting(i.missing[0], i.record(i.missing[0], 0), false)), store.ErrNotFound)
	for _, id := range i.missing {
		_, err := c.store.Get(c.ctx, id)
		c.fails("Get", err, store.ErrNotFound)
		c.fails("Tx.Delete", c.store.Transact(c.ctx, removing[R](id)), store.ErrNotFound)
		c.fails("Tx.Get", c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[R]) error {
			_, err := tx.Get(ctx, id)
			return err
		}), store.ErrNotFound)
	}
	for _, id := range i.invalid {
		if _, err := c.store.Get(c.ctx, id); err == nil {
			c.Errorf("Get by %v: no error", id)
		}
	}
	c.holds(all...)
}

func (i identity[R]) isTaken(c *trial[R]) {
	all := i.fill(c)
	for n, id := range i.ids {
		c.taken("Insert", c.store.Transact(c.ctx, inserting(i.record(id, n+100))), i.field)
	}
	err := c.store.Transact(c.ctx, func(ctx context.Context, tx store.Tx[R]) error {
		return errors.Join(tx.Insert(ctx, i.record(i.missing[0], 1)), tx.Insert(ctx, i.record(i.missing[0], 2)))
	})
	c.taken("the second Insert of the transaction", err, i.field)
	c.holds(all...)
}

func (i identity[R]) isTakenOnce(c *trial[R]) {
	errs := together(16, func(n int) error { return c.store.Transact(c.ctx, inserting(i.record(i.ids[0], n))) })
	winner := c.oneSucceeds(errs, func(err error) { c.taken("concurrent Insert", err, i.field) })
	c.holds(i.record(i.ids[0], winner))
	errs = together(10, func(int) error { return c.store.Transact(c.ctx, removing[R](i.ids[0])) })
	c.oneSucceeds(errs, func(err error) { c.fails("concurrent Delete", err, store.ErrNotFound) })
	c.holds()
}

func (i identity[R]) stays(c *trial[R]) {
	all := i.fill(c)
	for n, id := range i.ids {
		for _, other := range i.missing[:2] {
			if err := c.store.Transact(c.ctx, overwriting(id, i.record(other, n), n%2 == 0)); err == nil {
				c.Errorf("Update of %v to the identifier %v: no error", id, other)
			}
		}
	}
	c.holds(all...)
}

func (i identity[R]) changesOne(c *trial[R]) {
	all := i.fill(c)
	for n, id := range i.ids {
		all[n] = i.record(id, n+100)
		c.transact(overwriting(id, i.record(id, n+100), n%2 == 0))
		c.holds(all...)
	}
	c.remove(i.ids[0])
	_, err := c.store.Get(c.ctx, i.ids[0])
	c.fails("Get after the delete", err, store.ErrNotFound)
	c.holds(all[1:]...)
	all[0], all[1] = i.record(i.ids[0], 200), i.record(i.ids[1], 201)
	c.transact(func(ctx context.Context, tx store.Tx[R]) error {
		return errors.Join(tx.Delete(ctx, i.ids[1]), tx.Insert(ctx, i.record(i.ids[1], 201)), tx.Insert(ctx, i.record(i.ids[0], 200)))
	})
	c.holdsAlike(all...)
}

func (i identity[R]) getsMany(c *trial[R]) {
	if _, ok := c.store.(store.BatchGetter[R]); !ok {
		return
	}
	want, ids := i.fill(c), slices.Clone(i.ids)
	slices.Reverse(want)
	slices.Reverse(ids)
	c.getsMany(ids, want)
	c.getsMany(nil, nil)
	c.getsMany([]any{}, nil)
	c.getsMany(i.missing[:1], []*R{nil})
	want[0] = i.record(ids[0], 100)
	c.transact(overwriting(ids[0], i.record(ids[0], 100), true))
	c.remove(ids[1])
	want[1] = nil
	for _, id := range i.missing {
		ids, want = append(ids, id, ids[0]), append(want, nil, want[0])
	}
	c.getsMany(ids, want)
	for n := range i.many {
		ids, want = append(ids, i.none(n)), append(want, nil)
	}
	c.getsMany(append(ids, ids[0]), append(want, want[0]))
	ctx, cancel := context.WithCancel(c.ctx)
	cancel()
	_, err := c.store.(store.BatchGetter[R]).GetMany(ctx, ids)
	c.fails("GetMany", err, context.Canceled)
}

// getsMany checks what GetMany returns, if the store has it.
func (c *trial[R]) getsMany(ids []any, want []*R) {
	c.Helper()
	if batches, ok := c.store.(store.BatchGetter[R]); ok {
		got, err := batches.GetMany(c.ctx, ids)
		if err != nil {
			c.Fatalf("GetMany of %d: %v", len(ids), err)
		}
		c.same("GetMany", want, got)
	}
}

func (i identity[R]) isGenerated(c *trial[R]) {
	c.insert(i.record(i.ids[0], 0))
	seen := map[any]bool{i.ids[0]: true, c.id.Of(new(R)): true}
	for n := range 5 {
		record := i.record(nil, n)
		var within any
		c.transact(func(ctx context.Context, tx store.Tx[R]) error {
			err := tx.Insert(ctx, record)
			within = c.id.Of(record)
			return err
		})
		if now := c.id.Of(record); seen[within] || within != now {
			c.Errorf("the identifier was %v when Insert returned and %v later; earlier ones are %v", within, now, seen)
		}
		seen[within] = true
		c.same("Get", record, c.get(within))
		c.remove(within)
	}
}

func integerRules() []rule[*trial[account]] {
	return []rule[*trial[account]]{
		{
			"generated integers increase",
			"So records of one transaction are listed as they were inserted.",
			func(c *trial[account]) {
				batch := []*account{named("h"), named("b"), named("g"), named("a"), named("f"), named("c"), named("e"), named("d")}
				c.insertTogether(batch...)
				c.holds(batch...)
			},
		},
		{
			"concurrently inserted records get different identifiers",
			"No insert may fail, and no record may be lost.",
			func(c *trial[account]) {
				records := make([]*account, 20)
				c.succeed("Insert", together(len(records), func(i int) error {
					records[i] = named(strconv.Itoa(i))
					return c.store.Transact(c.ctx, inserting(records[i]))
				}))
				slices.SortFunc(records, func(a, b *account) int { return int(a.ID - b.ID) })
				c.holds(records...)
			},
		},
	}
}

func pairRules() []rule[*trial[seat]] {
	return []rule[*trial[seat]]{{
		"a list continues after a composite key",
		"This applies in both directions, and with sort orders of other fields or of single key fields.",
		continuesAfterPairs,
	}}
}

func continuesAfterPairs(c *trial[seat]) {
	var all []*seat
	for hall := range int64(3) {
		for _, name := range []string{"a", "a\x01", "b"} {
			all = append(all, &seat{hall, name, strconv.Itoa(len(all) % 2)})
		}
	}
	c.insert(all...)
	seats := oracleOf(all)
	c.matches(seats, ordered("-hall"))
	c.matches(seats, ordered("guest", "-hall"))
	for _, names := range [][]string{
		{"hall", "name"},
		{"-hall", "-name"},
		{"-hall", "name"},
		{"name", "hall"},
		{"guest", "hall", "name"},
		{"-guest", "-hall", "-name"},
		{"guest", "-name", "-hall"},
	} {
		query := ordered(names...)
		c.matches(seats, query)
		query.Limit = 4
		for _, at := range seats.records {
			if query.After = seats.position(at, query.Order); !c.matches(seats, query) {
				return
			}
		}
	}
}
