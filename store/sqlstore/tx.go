package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

// tx is a transaction on the records of a table, without their type.
type tx struct {
	store *table
	t     *transaction
	read  map[any][]any // the columns of records when they were read, by hashable key
}

// Transact runs a transaction.
func (r records) Transact(ctx context.Context, runner compiled.Runner) error {
	p := r.plan()
	if p.err != nil {
		return p.err
	}
	return r.db.transact(ctx, p.name, func(ctx context.Context, t *transaction) error {
		return runner.Run(ctx, &tx{store: r.table, t: t})
	})
}

// Ends declares that the transaction does nothing after the next write of a record. It is ignored in a part of a
// transaction.
func (t *tx) Ends() { t.t.ending = t.t.parts == 0 && t.t.depth == 0 }

// finisher returns what can commit together with the statement of a write, nil if another statement may follow. Values that
// triggers of other programs set may break the record, which is then not to be saved.
func (t *tx) finisher(p *plan, statement string) Finisher {
	s := &p.statements
	switch {
	case !t.t.ending, p.existing, p.lists != nil, p.after != nil, s.reread != "", s.advance != "" && statement == s.insert, t.t.changes.has(p),
		p.db.hasTrash.Load() && p.referrers().toTrash != nil:
		return nil
	}
	by, _ := t.t.Transaction.(Finisher)
	return by
}

// Get returns a record and locks it until the transaction ends.
func (t *tx) Get(ctx context.Context, id any) (any, error) {
	p := t.store.plan()
	key, err := p.keyFor(id)
	if err != nil {
		return nil, err
	}
	record, err := p.one(ctx, t.t.locking(p, txn.Exclusive), p.statements.get, key...)
	if errors.Is(err, store.ErrNotFound) {
		t.remember(key, missing)
	}
	if err != nil {
		return nil, err
	}
	values, err := p.values(reflect.ValueOf(record).Elem())
	if err != nil {
		return nil, err
	}
	t.remember(key, values)
	return record, nil
}

// Peek returns the record and locks it, as Get does.
func (t *tx) Peek(ctx context.Context, id any) (any, error) { return t.Get(ctx, id) }

func (t *tx) remember(id key, values []any) {
	if t.read == nil {
		t.read = map[any][]any{}
	}
	t.read[id.hashable()] = values
}

// missing replaces the columns of a record that was read but does not exist.
var missing = []any{}

// Insert adds a record, and sets its identifier if that is generated.
func (t *tx) Insert(ctx context.Context, record any, _ bool) error {
	p, v := t.store.plan(), reflect.ValueOf(record).Elem()
	p.record.Stamp(record, nil)
	generated := p.generatesID && p.ids[0].field.Value(v).IsZero()
	if err := t.insert(ctx, p, v, generated); err != nil {
		return err
	}
	if generated && p.lists == nil && !t.t.changes.has(p) {
		return nil
	}
	id, err := p.keyOf(v)
	if err != nil {
		return err
	}
	delete(t.read, id.hashable()) // the record exists now
	if err := t.saveLists(ctx, v, id, nil, nil); err != nil {
		return err
	}
	if !generated && p.statements.advance != "" {
		if _, err := t.t.db.first(ctx, t.t, p.statements.advance, id); err != nil {
			return err
		}
	}
	if !t.t.changes.has(p) {
		return nil
	}
	return t.t.noteWrite(ctx, p, id, nil)
}

// insert writes the row of a record. Generated reports that the database generates the identifier.
func (t *tx) insert(ctx context.Context, p *plan, v reflect.Value, generated bool) error {
	if id := p.ids[0].field; !generated && p.key.Generated() && id.Value(v).IsZero() { // a string
		random, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("sqlstore: generating a UUID: %w", err)
		}
		if err := model.UnmarshalText(id.Value(v), []byte(random.String())); err != nil {
			return err
		}
	}
	if err := p.records.Normalize(v.Addr()); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	if err := p.before.run(ctx, t.t, p, v); err != nil {
		return err
	}
	values, err := p.values(v)
	if err != nil {
		return err
	}
	statement, values := p.statements.insert, slices.Clip(values[:len(p.own)])
	if generated {
		i := slices.Index(p.columns, p.ids[0])
		statement, values = p.statements.create, slices.Delete(values, i, i+1)
	}
	found, err := t.write(ctx, statement, values, v, generated)
	if err == nil && !found {
		err = errors.New("sqlstore: the database did not store the record")
	}
	if err != nil {
		err = t.t.asMissingReference(ctx, p, v, p.asBroken(err, v))
		if id, failed := p.keyOf(v); failed == nil && errors.Is(err, store.UniqueError{Field: p.key.Name()}) {
			read, looked := t.read[id.hashable()]
			t.t.overtaken = t.t.overtaken || looked && len(read) == 0
		}
		return err
	}
	if err := p.after.run(ctx, t.t, p, v); err != nil || !p.db.hasTrash.Load() || p.record.IsDeleted(v) {
		return err
	}
	return t.t.checkLiving(ctx, p, v, nil, false)
}

// step is a part of every write of a record: before or after its statement.
type step func(t *transaction, ctx context.Context, p *plan, record reflect.Value) error

func (s step) run(ctx context.Context, t *transaction, p *plan, record reflect.Value) error {
	if s == nil {
		return nil
	}
	return s(t, ctx, p, record)
}

// write runs a statement that changes one row, sets the stored values in the record, and reports whether a row matched.
// Generated reports that the database generates the identifier.
func (t *tx) write(ctx context.Context, statement string, args []any, record reflect.Value, generated bool) (found bool, err error) {
	p := t.store.plan()
	if reread := p.statements.reread; reread != "" {
		n, err := t.t.Exec(ctx, statement, args...)
		if n == 0 || err != nil {
			return false, err
		}
		if statement, args = p.statements.rereadGenerated, nil; !generated {
			var id key
			id, err = p.keyOf(record)
			statement, args = reread, id
		}
		if err != nil {
			return false, err
		}
	}
	return t.t.write(ctx, t.finisher(p, statement), statement, args, func(rows Rows) error {
		return newScanner(p.statements.returned, nil, nil).scan(rows, record)
	})
}

// Update writes the columns that differ from those the transaction has read. The database increments the version; the
// record's version is ignored.
func (t *tx) Update(ctx context.Context, id, record any, _ bool) error {
	p := t.store.plan()
	key, err := p.keyFor(id)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(record).Elem()
	if own, err := p.keyOf(v); err != nil || !own.is(key) {
		return fmt.Errorf("sqlstore: an update of %s changes the identifier", p.typ.Name())
	}
	p.record.Touch(record)
	p.record.SetDeleted(v, time.Time{})
	if !t.t.changes.has(p) {
		return t.update(ctx, p, key, v)
	}
	// Without a lock the change could wait for another transaction, and the record before it would not be the one read here.
	if p.dialect.facts.RowLocks && len(t.read[key.hashable()]) == 0 {
		if found, err := t.t.lockRow(ctx, p, key); err != nil || !found {
			return cmp.Or(err, store.ErrNotFound)
		}
	}
	before, err := t.t.copyOf(ctx, p, key)
	if err == nil {
		err = t.update(ctx, p, key, v)
	}
	if err != nil {
		return err
	}
	return t.t.noteWrite(ctx, p, key, before)
}

// update writes the columns and lists that differ from those read, and sets the stored values in the record. The
// statement returns those that only the database knows.
func (t *tx) update(ctx context.Context, p *plan, key key, v reflect.Value) error {
	computed := p.computedColumns(v)
	if err := p.records.Normalize(v.Addr()); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	if err := p.before.run(ctx, t.t, p, v); err != nil {
		return err
	}
	values, err := p.values(v)
	if err != nil {
		return err
	}
	read := t.read[key.hashable()]
	var changed []*column
	var args []any
	for i, c := range p.own {
		if !p.isID(c) && c != p.deleted && !slices.Contains(computed, c) && (len(read) == 0 || !same(read[i], values[i])) {
			changed, args = append(changed, c), append(args, values[i])
		}
	}
	var held any
	if p.db.hasTrash.Load() && p.referrers().toTrash != nil {
		if held, err = t.t.copyOf(ctx, p, key); err != nil {
			return err
		}
	}
	found := true
	switch {
	case len(changed)+len(computed) > 0:
		found, err = t.write(ctx, p.update(changed, computed), append(args, key...), v, false)
	case p.lists == nil:
		return t.t.failed
	case len(read) == 0: // the record only has lists
		found, err = t.t.lockRow(ctx, p, key)
	}
	switch {
	case err != nil:
		return t.t.asMissingReference(ctx, p, v, p.asBroken(err, v))
	case !found:
		return store.ErrNotFound
	}
	if err := p.after.run(ctx, t.t, p, v); err != nil {
		return err
	}
	err = t.saveLists(ctx, v, key, read, values)
	if err == nil && held != nil {
		err = t.t.checkLiving(ctx, p, v, held, false)
	}
	if err == nil && len(p.statements.returned) > len(p.ids) {
		values, err = p.values(v)
	}
	if err != nil {
		return err
	}
	t.remember(key, values)
	return nil
}

// computedColumns returns the columns of an update that are computed from stored values: the version, and a time of creation that
// the record does not set.
func (p *plan) computedColumns(record reflect.Value) (computed []*column) {
	for _, c := range p.statements.fields {
		switch c.field {
		case p.record.Version:
			c.field.Value(record).SetZero() // the value is ignored, so it need not be valid
			computed = append(computed, c)
		case p.record.Created:
			if c.field.Value(record).IsZero() {
				computed = append(computed, c)
			}
		}
	}
	return computed
}

// stamp sets the version and the time of change of records that lose a reference, and writes further assignments.
func (t *transaction) stamp(ctx context.Context, b *builder, p *plan, keys []key, set ...string) error {
	record := reflect.New(p.typ)
	p.record.Touch(record.Interface())
	for _, c := range p.statements.fields {
		switch c.field {
		case p.record.Version:
			set = append(set, c.quoted+" = "+nextVersion(c))
		case p.record.Modified:
			now, err := c.valueIn(record.Elem())
			if err != nil {
				return err
			}
			set = append(set, c.quoted+" = "+b.value(now))
		}
	}
	if set == nil {
		return nil
	}
	statement, args := p.dialect.statement(b, "UPDATE "+p.quoted+" SET "+strings.Join(set, ", ")+" WHERE "+p.where(b).anyOf(p.ids, keys))
	_, err := t.Exec(ctx, statement, args...)
	return err
}

// Delete deletes the record, or moves it to the trash.
func (t *tx) Delete(ctx context.Context, id any) error {
	p := t.store.plan()
	key, err := p.keyFor(id)
	switch {
	case err != nil:
		return err
	case p.deleted != nil:
		return t.trash(ctx, p, key)
	}
	return t.remove(ctx, p, key)
}

// remove deletes the row of a record.
func (t *tx) remove(ctx context.Context, p *plan, key key) error {
	all, err := t.onDelete(ctx, p, key, false)
	if err != nil {
		return err
	}
	var found bool
	if by := t.finisher(p, p.statements.remove); by != nil && len(all) == 1 {
		found, err = t.t.write(ctx, by, p.statements.remove+" RETURNING 1", key, func(Rows) error { return nil })
	} else {
		var n int64
		if p.dialect.facts.RowChecks != nil && p.holds(all) {
			n, err = t.t.removeFirst(ctx, p, key, all)
		} else {
			n, err = t.t.Exec(ctx, p.statements.remove, key...)
		}
		found = n > 0
	}
	if err == nil && !found {
		return store.ErrNotFound
	}
	t.t.wrote = true
	delete(t.read, key.hashable())
	if err := t.t.asRestricted(ctx, all, err); err != nil {
		return err
	}
	return t.t.noteDelete(ctx, all)
}

// values returns the record's value for each column.
func (p *plan) values(v reflect.Value) ([]any, error) {
	values := make([]any, len(p.columns))
	for i, c := range p.columns {
		var err error
		if values[i], err = c.valueIn(v); err != nil {
			return nil, err
		}
	}
	return values, nil
}
