package mysql_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	wire "github.com/go-sql-driver/mysql"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

// stay is a period in a room.
type stay struct {
	ID   int64      `json:"id"`
	Room string     `json:"room"`
	From time.Time  `json:"from"`
	To   *time.Time `json:"to"`
}

// Constraints keeps the stays in a room apart.
func (stay) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("from", "to", "room").Message("The room is taken.")}
}

// countingDriver counts deadlocks.
type countingDriver struct {
	sqlstore.Driver

	deadlocks atomic.Int64
}

func (d *countingDriver) Fault(err error) sqlstore.Fault {
	if rejected, ok := errors.AsType[*wire.MySQLError](err); ok && rejected.Number == 1213 {
		d.deadlocks.Add(1)
	}
	return d.Driver.Fault(err)
}

// connectTo returns a driver that is closed with the test.
func connectTo(t testing.TB, dsn string) sqlstore.Driver {
	t.Helper()
	d, err := mysql.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestPeriodsOfTwoProgramsNeverOverlap(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	var stores []*sqlstore.Store[stay]
	var counts []*countingDriver
	for range 3 {
		counted := &countingDriver{Driver: connectTo(t, dsn)}
		counts, stores = append(counts, counted), append(stores, table[stay](t, sqlstore.New(counted)))
	}
	start, ctx := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), impatient(t)
	var all sync.WaitGroup
	var saved atomic.Int64
	for i := range 16 {
		all.Go(func() {
			for n := range 8 {
				from := start.Add(time.Duration((i*5+n*7)%23) * time.Hour)
				err := store.Insert(ctx, stores[(i+n)%3], &stay{Room: fmt.Sprint(n % 2), From: from, To: new(from.Add(3 * time.Hour))})
				if err == nil {
					saved.Add(1)
				} else if _, taken := errors.AsType[store.ConstraintError](err); !taken {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, c := range counts {
		if n := c.deadlocks.Load(); n > 0 {
			t.Errorf("there were %d deadlocks", n)
		}
	}
	found, err := stores[0].List(ctx, store.Query{})
	if err != nil || int64(len(found.Items)) != saved.Load() || len(found.Items) < 4 {
		t.Fatalf("%d records were saved and %d are there, with the error %v", saved.Load(), len(found.Items), err)
	}
	for i, a := range found.Items {
		for _, b := range found.Items[:i] {
			if a.Room == b.Room && a.From.Before(*b.To) && b.From.Before(*a.To) {
				t.Errorf("%s and %s overlap in %s", a.From, b.From, a.Room)
			}
		}
	}
}

func TestNoUpdateIsLost(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	stores := []*sqlstore.Store[extreme]{table[extreme](t, open(t, dsn)), table[extreme](t, open(t, dsn))}
	ctx := impatient(t)
	if err := store.Insert(ctx, stores[0], &extreme{ID: 1}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 10 {
				if err := store.Update(ctx, stores[i%2], int64(1), func(r *extreme) error { r.Int++; return nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if record, err := stores[0].Get(ctx, int64(1)); err != nil || record.Int != 80 {
		t.Errorf("80 updates lead to %v, %v", record, err)
	}
}

func TestADeadlockRunsTheTransactionAgain(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	s, ctx := table[coin](t, db), impatient(t)
	if err := store.Insert(ctx, s, &coin{ID: 1, Name: "a"}, &coin{ID: 2, Name: "b"}); err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	both.Add(2)
	runs := make(chan int, 2)
	for i := range 2 {
		go func() {
			n := 0
			err := db.Transact(ctx, func(ctx context.Context) error {
				n++
				for step := range 2 {
					id := int64(1 + (i+step)%2)
					if err := store.Update(ctx, s, id, func(c *coin) error { c.Name += fmt.Sprint(i); return nil }); err != nil {
						return err
					}
					if step == 0 && n == 1 {
						both.Done()
						both.Wait() // each has locked one
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			runs <- n
		}()
	}
	if n := <-runs + <-runs; n < 3 {
		t.Errorf("the transactions ran %d times, want at least 3", n)
	}
	for id := range int64(2) {
		if got, err := s.Get(ctx, id+1); err != nil || len(got.Name) != 3 {
			t.Errorf("%v, %v: want both changes", got, err)
		}
	}
}

func TestALockThatIsNotReleasedEndsTheTransaction(t *testing.T) {
	t.Parallel()
	dsn := database(t, "innodb_lock_wait_timeout", "1")
	db := open(t, dsn)
	s, ctx := table[coin](t, db), impatient(t)
	if err := store.Insert(ctx, s, &coin{ID: 1, Name: "a"}); err != nil {
		t.Fatal(err)
	}
	err := db.Transact(ctx, func(held context.Context) error {
		if err := store.Update(held, s, int64(1), func(c *coin) error { c.Name = "b"; return nil }); err != nil {
			return err
		}
		// The other one ignores the error, and must not save what it has written before and after.
		err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
			if err := tx.Insert(ctx, &coin{Name: "before"}); err != nil {
				return err
			}
			_, _ = tx.Get(ctx, int64(1))
			_ = tx.Insert(ctx, &coin{Name: "after"})
			return nil
		})
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("the waiting transaction gives %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := one[int64](ctx, t, db, "SELECT COUNT(*) FROM coins"); n != 1 {
		t.Errorf("there are %d rows, want 1", n)
	}
}

func TestALostConnectionIsUnavailableAndReplaced(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	d := connectTo(t, dsn)
	db := sqlstore.New(d)
	s, ctx := table[coin](t, db), impatient(t)
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
		if err := tx.Insert(ctx, &coin{Name: "lost"}); err != nil {
			return err
		}
		own, _ := sqlstore.Tx(ctx)
		administer(t, dsn, fmt.Sprintf("KILL %d", one[int64](ctx, t, own, "SELECT CONNECTION_ID()")))
		return tx.Insert(ctx, &coin{Name: "also lost"})
	})
	if !errors.Is(err, store.ErrUnavailable) || !mysql.Doubts(d) {
		t.Errorf("the transaction gives %v", err)
	}
	if err := store.Insert(ctx, s, &coin{Name: "saved"}); err != nil || mysql.Doubts(d) {
		t.Errorf("the next one gives %v", err)
	}
	if n := one[int64](ctx, t, db, "SELECT COUNT(*) FROM coins"); n != 1 {
		t.Errorf("there are %d rows, want 1", n)
	}
}

func TestACancelledTransactionSavesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	s := table[coin](t, db)
	ctx, cancel := context.WithCancel(impatient(t))
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
		if err := tx.Insert(ctx, &coin{Name: "a"}); err != nil {
			return err
		}
		cancel()
		return tx.Insert(ctx, &coin{Name: "b"})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if n := one[int64](impatient(t), t, db, "SELECT COUNT(*) FROM coins"); n != 0 {
		t.Errorf("there are %d rows, want 0", n)
	}
}

func TestErrorsOfTheServer(t *testing.T) {
	t.Parallel()
	db, ctx := open(t, database(t)), impatient(t)
	for _, statement := range []string{
		"CREATE TABLE p (id BIGINT PRIMARY KEY, e ENUM('a'), t VARCHAR(2), n INT, CONSTRAINT few CHECK (n < 9), UNIQUE KEY n_key (n))",
		"CREATE TABLE c (id BIGINT PRIMARY KEY, p BIGINT NOT NULL, CONSTRAINT c_p_fkey FOREIGN KEY (p) REFERENCES p (id))",
		"INSERT INTO p (id, n) VALUES (1, 1)", "INSERT INTO c VALUES (1, 1)",
	} {
		if _, err := db.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	for statement, want := range map[string]sqlstore.Fault{
		"INSERT INTO p (id) VALUES (1)":                             {Kind: sqlstore.UniqueFault, Constraint: "PRIMARY"},
		"INSERT INTO p (id, n) VALUES (2, 1)":                       {Kind: sqlstore.UniqueFault, Constraint: "n_key"},
		"INSERT INTO c VALUES (2, 7)":                               {Kind: sqlstore.ForeignKeyFault, Constraint: "c_p_fkey"},
		"DELETE FROM p WHERE id = 1":                                {Kind: sqlstore.ForeignKeyFault, Constraint: "c_p_fkey"},
		"UPDATE p SET n = 10":                                       {Kind: sqlstore.CheckFault, Constraint: "few"},
		"UPDATE p SET n = 3000000000":                               {Kind: sqlstore.CheckFault},
		"UPDATE p SET t = 'abc'":                                    {Kind: sqlstore.CheckFault},
		"UPDATE p SET e = 'b'":                                      {Kind: sqlstore.CheckFault},
		"UPDATE p SET n = 'x'":                                      {Kind: sqlstore.CheckFault},
		"SELECT 9223372036854775807 + 1":                            {Kind: sqlstore.CheckFault},
		"SET STATEMENT max_statement_time=0.01 FOR SELECT SLEEP(9)": {Kind: sqlstore.UnavailableFault},
		"UPDATE missing SET n = 1":                                  {},
		"SELEC":                                                     {},
		"UPDATE p SET id = NULL":                                    {},
	} {
		rows, err := db.Query(ctx, statement)
		for err == nil && rows.Next() {
			err = nil
		}
		if err == nil {
			err = rows.Close()
		}
		if got := mysql.FaultOf(err); err == nil || got != want {
			t.Errorf("%s: %v, which is %+v, want %+v", statement, err, got, want)
		}
	}
}

func TestKindsOfErrors(t *testing.T) {
	t.Parallel()
	of := func(number uint16, message string) error {
		return fmt.Errorf("wrapped: %w", &wire.MySQLError{Number: number, Message: message})
	}
	for name, test := range map[string]struct {
		err  error
		want sqlstore.Fault
	}{
		"a duplicate in MySQL":          {of(1062, "Duplicate entry 'for key 'x'' for key 'coins.name_key'"), sqlstore.Fault{Kind: sqlstore.UniqueFault, Constraint: "name_key"}},
		"a check in MySQL":              {of(3819, "Check constraint 'few' is violated."), sqlstore.Fault{Kind: sqlstore.CheckFault, Constraint: "few"}},
		"a deadlock":                    {of(1213, "Deadlock found"), sqlstore.Fault{Kind: sqlstore.RetryFault}},
		"a node that is not ready":      {of(1047, "WSREP has not yet prepared node for application use"), sqlstore.Fault{Kind: sqlstore.UnavailableFault}},
		"NOWAIT in MySQL":               {of(3572, "NOWAIT is set"), sqlstore.Fault{Kind: sqlstore.UnavailableFault}},
		"too many connections":          {of(1040, "Too many connections"), sqlstore.Fault{Kind: sqlstore.UnavailableFault}},
		"a server with --read-only":     {of(1290, "running with the --read-only option"), sqlstore.Fault{Kind: sqlstore.UnwritableFault}},
		"a server with another option":  {of(1290, "running with the --secure-file-priv option"), sqlstore.Fault{}},
		"a full disk":                   {of(1021, "Disk full"), sqlstore.Fault{Kind: sqlstore.UnwritableFault}},
		"a lost connection":             {wire.ErrInvalidConn, sqlstore.Fault{Kind: sqlstore.UnavailableFault}},
		"a connection that was lost":    {driver.ErrBadConn, sqlstore.Fault{Kind: sqlstore.UnavailableFault}},
		"an answer that ends":           {io.ErrUnexpectedEOF, sqlstore.Fault{Kind: sqlstore.UnavailableFault}},
		"a cancelled context":           {context.Canceled, sqlstore.Fault{}},
		"a context that is out of time": {context.DeadlineExceeded, sqlstore.Fault{}},
		"a packet that is too large":    {wire.ErrPktTooLarge, sqlstore.Fault{Kind: sqlstore.CheckFault}},
		"something else":                {errors.New("else"), sqlstore.Fault{}},
		"nothing":                       {nil, sqlstore.Fault{}},
	} {
		if got := mysql.FaultOf(test.err); got != test.want {
			t.Errorf("%s is %+v, want %+v", name, got, test.want)
		}
	}
}

func TestPartsOfATransactionAreUndoneAlone(t *testing.T) {
	t.Parallel()
	db, ctx := open(t, database(t)), impatient(t)
	s := table[coin](t, db)
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
		for _, name := range []string{"a", "a", "b"} { // the server undoes only the statement that fails
			if err := tx.Insert(ctx, &coin{Name: name}); err != nil && !errors.Is(err, store.ErrConflict) {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrConflict) {
		t.Fatal(err)
	}
	if names := one[string](ctx, t, db, "SELECT COALESCE(GROUP_CONCAT(name ORDER BY name), '') FROM coins"); strings.Contains(names, "a,a") {
		t.Errorf("the names are %s", names)
	}
}
