package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/trove-api/trove/store"
)

// answersTable is the table that has the answers of all stores of a database.
const answersTable = "trove_answers"

// answerRow is a row of it.
type answerRow struct {
	Key     string    `json:"key" api:"id"`
	Request []byte    `json:"request"`
	Content []byte    `json:"content"`
	Expires time.Time `json:"expires" api:"filter=range"`
}

// Responses is the table trove_answers, in which the database keeps answers to requests that may be sent again. [DB.Create] makes
// it with the others; for a migration its text is that of DDL(db.Responses()).
func (db *DB) Responses() TableDefiner { return answerStore(db) }

func answerStore(db *DB) *Store[answerRow] {
	return Table[answerRow](db, Named(answersTable), func(s *settings) { s.whole = true })
}

// CheckResponses returns what keeps answers from being kept: a table trove_answers that is
// missing or is another one. resource.New calls it where an operation needs it.
func (s *table) CheckResponses(ctx context.Context) error {
	if err := s.plan().err; err != nil {
		return err
	}
	if err := errors.Join(s.db.answers.table.Check(ctx), s.db.answers.table.CheckInserts(ctx)); err != nil {
		return fmt.Errorf("sqlstore: answers to requests that may be sent again need the table %s, "+
			"which db.Create makes and of which sqlstore.DDL(db.Responses()) is the text: %w", answersTable, err)
	}
	return nil
}

// Response returns the answer under a key, which is locked from then on.
func (t *tx) Response(ctx context.Context, key string) (store.StoredResponse, error) {
	return t.store.db.answers.find(ctx, t.t, key, time.Now())
}

// KeepResponse keeps an answer.
func (t *tx) KeepResponse(ctx context.Context, key string, given store.StoredResponse) error {
	answers := t.store.db.answers
	_, err := answers.write(ctx, t.t, answers.texts.keep, answerRow{key, given.Request, given.Content, given.Expires})
	return err
}

// answerTable keeps the answers of a database.
type answerTable struct {
	table *Store[answerRow]
	texts answerTexts
	kept  atomic.Int64 // how many transactions have kept answers
}

func newAnswerTable(db *DB) *answerTable {
	a := &answerTable{table: answerStore(db)}
	if p := a.table.plan(); p.err == nil {
		a.texts = p.answerTexts()
	}
	return a
}

// answerTexts are the statements on answers besides those of every table.
type answerTexts struct {
	claim string // inserts an answer, unless there is one
	take  string // inserts an answer, or locks the one that is there
	keep  string // inserts an answer, or writes it over the one that is there
	sweep string // deletes some that have expired by a time
}

// answerTexts writes them. Those that expired first are deleted first, except those that a transaction has locked, so that
// neither waits for the other.
func (p *plan) answerTexts() answerTexts {
	d, key, expires := p.dialect, p.ids[0].quoted, p.find["expires"].value.quoted
	insert := d.text(func(b *builder) string { return d.insertInto(b, p.quoted, p.columns) })
	expired := "SELECT " + key + " FROM " + p.quoted + " WHERE " + expires + " <= "
	return answerTexts{
		claim: d.Upsert(insert, key, nil),
		take:  d.Upsert(insert, key, []string{key}),
		keep:  d.Upsert(insert, key, names(slices.DeleteFunc(slices.Clone(p.columns), p.isID))),
		sweep: "DELETE FROM " + p.quoted + " WHERE " + d.InFree(key, d.text(func(b *builder) string {
			return expired + b.value(nil) + " ORDER BY " + expires + " LIMIT " + strconv.Itoa(swept)
		})),
	}
}

// find returns the answer under a key, or [store.ErrNotFound].
//
// Where transactions lock rows there must be a row to lock before there is an answer. So an empty one that has expired is
// inserted, at which another transaction with the key waits until this one ends, and after which it sees the answer or is run
// again. Only an old answer that has expired is locked in a second step. One that has not is never changed again, so that it can
// be read without a lock.
func (a *answerTable) find(ctx context.Context, t *transaction, key string, now time.Time) (store.StoredResponse, error) {
	locks := t.db.dialect.facts.RowLocks
	if locks {
		switch claimed, err := a.write(ctx, t, a.texts.claim, answerRow{Key: key}); {
		case err != nil:
			return store.StoredResponse{}, err
		case claimed:
			return store.StoredResponse{}, store.ErrNotFound
		}
	}
	found, err := a.read(ctx, t, key)
	if locks && (errors.Is(err, store.ErrNotFound) || err == nil && !now.Before(found.Expires)) {
		if _, err = a.write(ctx, t, a.texts.take, answerRow{Key: key}); err == nil {
			found, err = a.read(ctx, t, key)
		}
	}
	switch {
	case err != nil:
		return store.StoredResponse{}, err
	case !now.Before(found.Expires):
		return store.StoredResponse{}, store.ErrNotFound
	}
	return store.StoredResponse{Request: found.Request, Content: found.Content, Expires: found.Expires}, nil
}

// read returns an answer as it is now, or [store.ErrNotFound].
func (a *answerTable) read(ctx context.Context, t *transaction, key string) (*answerRow, error) {
	p := a.table.plan()
	record, err := p.one(ctx, t, p.statements.get, key)
	row, _ := record.(*answerRow)
	return row, err
}

// write runs one of the statements that write an answer, and reports whether it has.
func (a *answerTable) write(ctx context.Context, t *transaction, statement string, given answerRow) (bool, error) {
	values, err := a.table.plan().values(reflect.ValueOf(&given).Elem())
	if err != nil {
		return false, err
	}
	n, err := t.Exec(ctx, statement, values...)
	t.answered = t.answered || n > 0
	return n > 0, err
}

const (
	// sweepEvery is how many transactions that kept answers there are for one that drops those that have expired.
	sweepEvery = 50
	// swept is how many that one drops at most: more than were kept meanwhile, so that they become fewer.
	swept = 4 * sweepEvery
)

// sweep drops some of the answers that have expired, in a transaction of its own, which makes none of those that save
// records fail. Where it fails itself the next one does its work. The first transaction of a program does so too, for
// there are programs that do not run for long.
func (a *answerTable) sweep(ctx context.Context) {
	if a.kept.Add(1)%sweepEvery != 1 {
		return
	}
	now, err := a.table.plan().find["expires"].value.bind(reflect.ValueOf(time.Now()))
	if err == nil {
		_, _ = a.table.db.driver.Exec(ctx, a.texts.sweep, now)
	}
}
