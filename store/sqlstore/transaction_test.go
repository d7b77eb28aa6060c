package sqlstore_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type purse struct {
	ID    int64  `json:"id"`
	Owner string `json:"owner"`
}

func TestAStatementOfTheUsersIsSavedWithTheRecord(t *testing.T) {
	t.Parallel()
	db, coins := made[coin](t)
	if _, err := db.Exec(t.Context(), "CREATE TABLE log (line TEXT)"); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	insertWithLog := func(fail error) error {
		return coins.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
			if err := tx.Insert(ctx, &coin{Name: "a"}); err != nil {
				return err
			}
			executor, ok := sqlstore.Tx(ctx)
			if !ok {
				t.Error("there is no transaction in the context")
				return nil
			}
			if n := one[int](t, executor, "SELECT count(*) FROM coins"); n != 1 {
				t.Errorf("the statement sees %d coins", n)
			}
			if n, err := executor.Exec(ctx, "INSERT INTO log VALUES (?)", "a coin"); n != 1 || err != nil {
				t.Errorf("%d rows, %v", n, err)
			}
			return fail
		})
	}
	if err := insertWithLog(refused); !errors.Is(err, refused) {
		t.Errorf("the error is %v", err)
	}
	if n := one[int](t, db, "SELECT count(*) FROM log"); n != 0 || len(all(t, coins)) != 0 {
		t.Errorf("the failed transaction left %d lines and %d coins", n, len(all(t, coins)))
	}
	if err := insertWithLog(nil); err != nil {
		t.Error(err)
	}
	if n := one[int](t, db, "SELECT count(*) FROM log"); n != 1 || len(all(t, coins)) != 1 {
		t.Errorf("%d lines and %d coins are saved", n, len(all(t, coins)))
	}
	if _, ok := sqlstore.Tx(t.Context()); ok {
		t.Error("there is a transaction outside of one")
	}
}

func TestTablesOfOneDatabaseShareATransaction(t *testing.T) {
	t.Parallel()
	db, coins := made(t, &coin{Name: "a"})
	purses := sqlstore.Table[purse](db)
	if err := db.Create(t.Context(), purses); err != nil {
		t.Fatal(err)
	}
	move := func(fail error) error {
		return coins.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
			if err := tx.Delete(ctx, int64(1)); err != nil {
				return err
			}
			return errors.Join(purses.Transact(ctx, inserting(&purse{Owner: "me"})), fail)
		})
	}
	if err := move(errors.New("refused")); err == nil || len(all(t, coins)) != 1 || len(all(t, purses)) != 0 {
		t.Errorf("the failed transaction is partly saved (%v)", err)
	}
	if err := move(nil); err != nil || len(all(t, coins)) != 0 || len(all(t, purses)) != 1 {
		t.Errorf("the successful transaction is partly saved (%v)", err)
	}
}

func TestAnEndedTransactionCannotBeUsed(t *testing.T) {
	t.Parallel()
	_, coins := made(t, &coin{Name: "a"})
	var kept store.Tx[coin]
	var executor sqlstore.Executor
	err := coins.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
		kept = tx
		executor, _ = sqlstore.Tx(ctx)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Get(t.Context(), int64(1)); err == nil {
		t.Error("Get after the end is no error")
	}
	if _, err := executor.Exec(t.Context(), "DELETE FROM coins"); err == nil || len(all(t, coins)) != 1 {
		t.Error("a statement after the end is no error")
	}
}

func TestAnUpdateWritesWhatHasChanged(t *testing.T) {
	t.Parallel()
	db, _ := made(t, &coin{Name: "a", Worth: 1})
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	change := func(change func(*coin)) {
		t.Helper()
		r.statements = nil
		if err := s.Transact(t.Context(), updating(int64(1), change)); err != nil {
			t.Error(err)
		}
	}
	change(func(c *coin) { c.Worth = 2 })
	if got := r.last(t, "UPDATE"); got.text != `UPDATE "coins" SET "worth" = ? WHERE "id" = ? RETURNING "id"` {
		t.Errorf("the update is %s", got.text)
	}
	change(func(*coin) {})
	for _, s := range r.statements {
		if strings.HasPrefix(s.text, "UPDATE") {
			t.Errorf("nothing has changed, and the update is %s", s.text)
		}
	}
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
		return tx.Update(ctx, int64(1), &coin{ID: 1, Name: "unread"})
	})
	if got := r.last(t, "UPDATE"); err != nil || got.text != `UPDATE "coins" SET "name" = ?, "worth" = ? WHERE "id" = ? RETURNING "id"` {
		t.Errorf("a record that was not read is updated with %s (%v)", got.text, err)
	}
}

func TestTimesAreStoredAndReturnedToTheMicrosecond(t *testing.T) {
	t.Parallel()
	type event struct {
		ID int64  `json:"id"`
		At moment `json:"at" api:"sort,filter=range"`
	}
	_, s := made[event](t)
	made := &event{At: at("2024-02-29T23:59:59.123456789+02:00")}
	insert(t, s, made)
	if diff := cmp.Diff(all(t, s)[0], made); diff != "" {
		t.Errorf("the record differs from the stored one (-stored +record):\n%s", diff)
	}
	for sign, finds := range map[store.Operator]map[string]int{
		store.Less:         {"2024-02-29T21:59:59.123456Z": 0, "2024-02-29T21:59:59.1234561Z": 0, "2024-02-29T21:59:59.123457Z": 1},
		store.LessEqual:    {"2024-02-29T21:59:59.123456Z": 1, "2024-02-29T21:59:59.1234559Z": 0, "2024-02-29T21:59:59.1234561Z": 1},
		store.Greater:      {"2024-02-29T21:59:59.123456Z": 0, "2024-02-29T21:59:59.1234559Z": 1, "2024-02-29T21:59:59.1234561Z": 0},
		store.GreaterEqual: {"2024-02-29T21:59:59.123456Z": 1, "2024-02-29T21:59:59.1234561Z": 1, "2024-02-29T21:59:59.1234559Z": 1},
		store.Equal:        {"2024-02-29T21:59:59.123456Z": 1, "2024-02-29T21:59:59.1234561Z": 1, "2024-02-29T21:59:59.1234559Z": 0},
	} {
		for text, want := range finds {
			page, err := s.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"at"}, Operator: sign, Values: []any{at(text)}}}})
			if err != nil || len(page.Items) != want {
				t.Errorf("%s %s finds %d, want %d (%v)", sign, text, len(page.Items), want, err)
			}
		}
	}
}

// stamped is stored in a table that another program created.
type stamped struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Version int64  `json:"version"`
}

func TestWritesToATableThatOthersMade(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE stamped (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE, version INTEGER NOT NULL, label TEXT GENERATED ALWAYS AS (upper(name)))`)
	s := sqlstore.Table[stamped](db, sqlstore.Existing(), sqlstore.Named("stamped"))
	record := &stamped{Name: "a", Version: 1}
	insert(t, s, record)
	err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[stamped]) error {
		found, err := tx.Get(ctx, record.ID)
		if err != nil {
			return err
		}
		found.Version = 2
		if err := tx.Update(ctx, record.ID, found); err != nil {
			return err
		}
		found.Name = "b"
		return tx.Update(ctx, record.ID, found)
	})
	if got, getting := s.Get(t.Context(), record.ID); err != nil || getting != nil || *got != (stamped{record.ID, "b", 2}) {
		t.Errorf("the stored record is %+v (%v, %v)", got, err, getting)
	}
	err = s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[stamped]) error {
		return tx.Update(ctx, int64(99), &stamped{ID: 99, Name: "z"})
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an update of a missing record: %v", err)
	}
	taken := store.UniqueError{}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Transact(t.Context(), inserting(&stamped{Name: "B"})); err == nil || errors.As(err, &taken) && taken.Field != "name" {
		t.Errorf("a value that the table considers equal: %v", err)
	}
}

func TestAWriteOutsideOfItsTransactionIsAnErrorWithASingleWriter(t *testing.T) {
	t.Parallel()
	db, coins := made[coin](t)
	err := coins.Transact(t.Context(), func(ctx context.Context, _ store.Tx[coin]) error {
		_, err := db.Exec(ctx, "DELETE FROM coins")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "use the executor of sqlstore.Tx") {
		t.Errorf("Exec: %v", err)
	}
	insert(t, coins, &coin{Name: "a"})
}

func TestACommitIsNotCancelledWithItsCaller(t *testing.T) {
	t.Parallel()
	db, _ := made[coin](t)
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	var reported []store.Change
	s.Report(&store.Listener{Committed: func(_ context.Context, changes []store.Change) { reported = append(reported, changes...) }})
	ctx, leave := context.WithCancel(t.Context())
	r.fail = func(text string) error {
		if text == "COMMIT" {
			leave()
		}
		return nil
	}
	err := s.Transact(ctx, inserting(&coin{Name: "a"}))
	if n := one[int](t, db, "SELECT count(*) FROM coins"); err != nil || n != 1 || len(reported) != 1 {
		t.Errorf("the caller left during the commit: %d coins are saved, %d reported, and Transact returns %v", n, len(reported), err)
	}
}

func TestGoroutinesReadWithTheContextOfATransaction(t *testing.T) {
	t.Parallel()
	_, coins := made(t, &coin{Name: "a"})
	err := coins.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
		if err := tx.Insert(ctx, &coin{Name: "b"}); err != nil {
			return err
		}
		var readers sync.WaitGroup
		for range 8 {
			readers.Go(func() {
				page, err := coins.List(ctx, store.Query{Count: true})
				if err != nil || len(page.Items) != 2 || page.Total != 2 {
					t.Errorf("List with the context of the transaction: %d of %d coins, %v", len(page.Items), page.Total, err)
				}
				if found, err := store.Find(ctx, coins, "name", "b"); err != nil || found.ID != 2 {
					t.Errorf("Find with the context of the transaction: %+v, %v", found, err)
				}
			})
		}
		readers.Wait()
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
