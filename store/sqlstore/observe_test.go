package sqlstore_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// watching is an observer that notes what ends.
type watching struct {
	name  string
	mu    sync.Mutex
	lines []string // "SELECT coins", with the kind of an error
	texts []string
	order *[]string // of the observers; nil for one
}

type nameKey struct{}

func (w *watching) Begin(ctx context.Context, _ sqlstore.Statement) context.Context {
	if w.order != nil {
		*w.order = append(*w.order, w.name+" begins")
	}
	return context.WithValue(ctx, nameKey{}, w.name)
}

func (w *watching) End(ctx context.Context, statement sqlstore.Statement, result sqlstore.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.order != nil {
		*w.order = append(*w.order, ctx.Value(nameKey{}).(string)+" ends")
	}
	line := strings.TrimSpace(statement.Operation + " " + statement.Table)
	if result.Err != nil || result.ErrorType != "" {
		line = strings.TrimSpace(line + " " + result.ErrorType)
	}
	w.lines = append(w.lines, line)
	w.texts = append(w.texts, statement.Text)
	if result.Duration < 0 {
		w.lines = append(w.lines, "a negative duration")
	}
}

// drained returns the lines, and forgets them.
func (w *watching) drained() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.lines
	w.lines = nil
	return lines
}

func TestAnObserverSeesStatementsWithOperationAndTable(t *testing.T) {
	t.Parallel()
	db := open(t)
	w := &watching{}
	db.Observe(w)
	s := sqlstore.Table[coin](db)
	if err := db.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name string
		run  func() error
		want []string
	}{
		{"insert", func() error { return store.Insert(t.Context(), s, &coin{Name: "marker"}) }, []string{"BEGIN", "INSERT coins", "COMMIT"}},
		{"a duplicate", func() error { return store.Insert(t.Context(), s, &coin{Name: "marker"}) }, []string{"BEGIN", "INSERT coins unique", "ROLLBACK"}},
		{"get", func() error { _, err := s.Get(t.Context(), int64(1)); return err }, []string{"SELECT coins"}},
		{"a statement of the program", func() error { _, err := db.Exec(t.Context(), "update coins SET worth = ?", 7); return err }, []string{"UPDATE coins"}},
		{"a caller that leaves", func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := db.Query(ctx, "SELECT 1 FROM coins")
			return err
		}, []string{"SELECT coins canceled"}},
		{"an unknown statement", func() error { _, err := db.Query(t.Context(), "SHELVE coins"); return err }, []string{"other"}},
	}
	w.drained()
	for _, step := range steps {
		err := step.run()
		got := w.drained()
		if step.name == "a duplicate" { // the store then finds the cause
			got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "SELECT") })
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (%v): the calls differ (-want +got):\n%s", step.name, err, diff)
		}
	}
	if all := strings.Join(w.texts, "\n"); strings.Contains(all, "marker") || !strings.Contains(all, "INSERT INTO") {
		t.Errorf("the texts have values, or no statements:\n%s", all)
	}
}

func TestTheOperationAndTheTableAreFoundOutsideOfBrackets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`SELECT a, (SELECT b FROM "inner") FROM "outer" WHERE c = 'FROM x'`: "SELECT outer",
		`INSERT INTO "books"("a") SELECT 1 FROM "other"`:                    "INSERT books",
		"DELETE FROM `books` WHERE id = ?":                                  "DELETE books",
		`UPDATE "shop"."books" SET "FROM" = 1`:                              "UPDATE shop.books",
		"WITH x AS (SELECT 1 FROM a)\nSELECT * FROM x":                      "SELECT x",
		`SELECT count(*) FROM (SELECT 1 FROM "books") AS page`:              "SELECT",
		"ROLLBACK TO SAVEPOINT trove_part":                                  "ROLLBACK",
		"PRAGMA optimize":                                                   "",
		"":                                                                  "",
		"SELECT ')":                                                         "SELECT",
	} {
		s := sqlstore.StatementOf(text)
		if got := strings.TrimSpace(s.Operation + " " + s.Table); got != want || s.Text != text {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestTheFirstObserverIsAroundTheSecond(t *testing.T) {
	t.Parallel()
	db := open(t)
	var order []string
	db.Observe(&watching{name: "a", order: &order}, &watching{name: "b", order: &order})
	if n := one[int](t, db, "SELECT 1"); n != 1 {
		t.Fatal(n)
	}
	if want := []string{"a begins", "b begins", "b ends", "a ends"}; !slices.Equal(order, want) {
		t.Errorf("the calls are %q, want %q", order, want)
	}
}

// TestAnObservedTransactionHasTheMethodsOfTheDriver holds for each driver; that of package postgres has the same test.
func TestAnObservedTransactionHasTheMethodsOfTheDriver(t *testing.T) {
	t.Parallel()
	finishing := sqlstore.New(finishingDriver{sqlstore.DriverOf(open(t))})
	for name, db := range map[string]*sqlstore.DB{"sqlite": open(t), "a finisher": finishing} {
		plain := begun(t, db)
		db.Observe(&watching{})
		watched := begun(t, db)
		for method := range plain.Methods() {
			if !hasMethod(watched, method.Name) {
				t.Errorf("%s: %s hides the method %s of %s", name, watched, method.Name, plain)
			}
		}
		if plain == watched {
			t.Errorf("%s: the transaction is not observed", name)
		}
	}
}

func hasMethod(t reflect.Type, name string) bool { _, ok := t.MethodByName(name); return ok }

// begun returns the type of the transactions of a database.
func begun(t *testing.T, db *sqlstore.DB) (found reflect.Type) {
	t.Helper()
	err := db.Transact(t.Context(), func(ctx context.Context) error {
		executor, _ := sqlstore.Tx(ctx)
		found = reflect.ValueOf(executor).Elem().FieldByName("Transaction").Elem().Type()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// finishingDriver has transactions that end with their last statement, and methods that drivers need not have.
type finishingDriver struct{ sqlstore.Driver }

func (finishingDriver) PingWrites(context.Context) error  { return errors.New("pinged") }
func (finishingDriver) ProbeWrites(context.Context) error { return errors.New("probed") }
func (finishingDriver) Stats() sqlstore.Stats             { return sqlstore.Stats{InUse: 3} }

func (d finishingDriver) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	begun, err := d.Driver.Begin(ctx)
	return finishingTx{begun}, err
}

type finishingTx struct{ sqlstore.Transaction }

func (t finishingTx) Last(ctx context.Context, statement string, args ...any) (sqlstore.Rows, error) {
	rows, err := t.Query(ctx, statement, args...)
	return finishingRows{rows, func() error { return t.Commit(context.WithoutCancel(ctx)) }}, err
}

type finishingRows struct {
	sqlstore.Rows

	commit func() error
}

func (r finishingRows) Close() error {
	if err := r.Rows.Close(); err != nil {
		return err
	}
	return r.commit()
}

func TestObserversHideNoMethodOfADriver(t *testing.T) {
	t.Parallel()
	db := sqlstore.New(finishingDriver{sqlstore.DriverOf(open(t))})
	w := &watching{}
	db.Observe(w)
	s := sqlstore.Table[coin](db)
	if err := s.PingWrites(t.Context()); err == nil || !strings.Contains(err.Error(), "pinged") {
		t.Errorf("PingWrites returns %v, want the error of the driver", err)
	}
	if got := db.Stats().InUse; got != 3 {
		t.Errorf("%d connections are in use, want those of the driver", got)
	}
}

func TestStatsCountConnectionsAndWaits(t *testing.T) {
	t.Parallel()
	db, coins := made(t, &coin{Name: "a"})
	before := db.Stats()
	if before.InUse != 0 || before.Idle < 1 || before.Max < 2 || before.Retries != 0 {
		t.Errorf("at rest: %+v", before)
	}
	waited := make(chan error, 1)
	err := coins.Transact(t.Context(), func(context.Context, store.Tx[coin]) error {
		go func() { waited <- store.Insert(t.Context(), coins, &coin{Name: "b"}) }()
		for db.Stats().Waits == before.Waits {
			select {
			case err := <-waited:
				return errors.Join(err, errors.New("a write did not wait"))
			case <-t.Context().Done():
				return t.Context().Err()
			default:
			}
		}
		if during := db.Stats(); during.InUse != 1 {
			t.Errorf("in a transaction: %+v", during)
		}
		return nil
	})
	if err := errors.Join(err, <-waited); err != nil {
		t.Fatal(err)
	}
	if after := db.Stats(); after.Waits != before.Waits+1 || after.Waited <= before.Waited || after.InUse != 0 {
		t.Errorf("after a wait: %+v", after)
	}
}

func TestRetriesAreCounted(t *testing.T) {
	t.Parallel()
	plain, _ := made(t, &coin{Name: "a"})
	db, r := recorded(plain)
	w := &watching{}
	db.Observe(w)
	s := sqlstore.Table[coin](db)
	failing(r, "UPDATE", 3, sqlstore.RetryFault)
	if err := s.Transact(t.Context(), updating(int64(1), func(c *coin) { c.Worth++ })); err != nil {
		t.Fatal(err)
	}
	if got := db.Stats().Retries; got != 3 {
		t.Errorf("%d retries after three conflicts", got)
	}
	conflicts := slices.DeleteFunc(w.drained(), func(line string) bool { return line != "UPDATE coins conflict" })
	if len(conflicts) != 3 {
		t.Errorf("the observer saw %d conflicts, want 3", len(conflicts))
	}
	failing(r, "DELETE", 2, sqlstore.RetryFault)
	if _, err := db.Exec(t.Context(), "DELETE FROM coins"); err != nil || db.Stats().Retries != 5 {
		t.Errorf("%d retries after two more (%v)", db.Stats().Retries, err)
	}
	failing(r, "DELETE", 1, sqlstore.UnavailableFault)
	if _, err := db.Exec(t.Context(), "DELETE FROM coins"); err == nil || db.Stats().Retries != 5 {
		t.Errorf("%d retries after an outage (%v)", db.Stats().Retries, err)
	}
}
