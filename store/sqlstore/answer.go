package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
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

// Answers is the table trove_answers, in which the database keeps answers to requests that
// may be sent again. [DB.Create] makes it with the others; for a migration its text is that
// of DDL(db.Answers()).
func (db *DB) Answers() Tabled { return answerStore(db) }

func answerStore(db *DB) *Store[answerRow] {
	return Table[answerRow](db, Named(answersTable), func(s *settings) { s.whole = true })
}

// CheckAnswers returns what keeps answers from being kept: a table trove_answers that is
// missing or is another one. resource.New calls it where an operation needs it.
func (s *Store[T]) CheckAnswers(ctx context.Context) error {
	if err := s.plan().err(); err != nil {
		return err
	}
	if err := errors.Join(s.db.answers.table.Check(ctx), s.db.answers.table.CheckInserts(ctx)); err != nil {
		return fmt.Errorf("sqlstore: answers to requests that may be sent again need the table %s, "+
			"which db.Create makes and of which sqlstore.DDL(db.Answers()) is the text: %w", answersTable, err)
	}
	return nil
}

// Answer returns the answer under a key, which is locked from then on.
func (t *tx[T]) Answer(ctx context.Context, key string) (store.Answer, error) {
	return t.store.db.answers.find(ctx, t.t, key, time.Now())
}

// KeepAnswer keeps an answer.
func (t *tx[T]) KeepAnswer(ctx context.Context, key string, given store.Answer) error {
	return t.store.db.answers.keep(ctx, t.t, answerRow{key, given.Request, given.Content, given.Expires})
}

// answerTable keeps the answers of a database.
type answerTable struct {
	table *Store[answerRow]
	texts answerTexts
	sweeper
}

func newAnswerTable(db *DB) *answerTable {
	a := &answerTable{table: answerStore(db)}
	if a.table.plan().err() == nil {
		a.texts = a.table.plan().answerTexts()
	}
	return a
}

// find returns the answer under a key, or [store.ErrNotFound].
//
// Where transactions lock rows there must be a row to lock before there is an answer. So
// an empty one that has expired is inserted, at which another transaction with the key
// waits until this one ends, and after which it sees the answer or is run again. Only an
// old answer that has expired is locked in a second step. One that has not is never
// changed again, so that it can be read without a lock.
func (a *answerTable) find(ctx context.Context, t *transaction, key string, now time.Time) (store.Answer, error) {
	locks := a.table.plan().dialect.RowLocks
	if locks {
		switch claimed, err := a.claim(ctx, t, key); {
		case err != nil:
			return store.Answer{}, err
		case claimed:
			return store.Answer{}, store.ErrNotFound
		}
	}
	found, err := a.table.one(ctx, t, a.table.plan().statements.get, key)
	if locks && (errors.Is(err, store.ErrNotFound) || err == nil && !now.Before(found.Expires)) {
		found, err = a.take(ctx, t, key)
	}
	switch {
	case err != nil:
		return store.Answer{}, err
	case !now.Before(found.Expires):
		return store.Answer{}, store.ErrNotFound
	}
	return store.Answer{Request: found.Request, Content: found.Content, Expires: found.Expires}, nil
}

// claim inserts an empty answer, and reports whether the key was free.
func (a *answerTable) claim(ctx context.Context, t *transaction, key string) (bool, error) {
	values, err := a.values(answerRow{Key: key})
	if err != nil {
		return false, err
	}
	rows, err := t.Query(ctx, a.texts.claim, values...)
	if err != nil {
		return false, err
	}
	claimed := rows.Next()
	t.answered = t.answered || claimed
	return claimed, t.db.finish(ctx, rows, nil)
}

// take locks the answer under a key as it is now, or inserts an empty one.
func (a *answerTable) take(ctx context.Context, t *transaction, key string) (*answerRow, error) {
	values, err := a.values(answerRow{Key: key})
	if err != nil {
		return nil, err
	}
	t.answered = true
	return a.table.one(ctx, t, a.texts.take, values...)
}

// keep writes an answer over what is there under its key.
func (a *answerTable) keep(ctx context.Context, t *transaction, given answerRow) error {
	values, err := a.values(given)
	if err != nil {
		return err
	}
	t.answered = true
	_, err = t.Exec(ctx, a.texts.keep, values...)
	return err
}

func (a *answerTable) values(given answerRow) ([]any, error) {
	return a.table.plan().values(rowOf(given))
}

func rowOf(given answerRow) reflect.Value { return reflect.ValueOf(&given).Elem() }
