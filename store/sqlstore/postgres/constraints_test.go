package postgres_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// lease has periods of every type, each apart for values of every type.
type lease struct {
	ID     int64      `json:"id"`
	From   time.Time  `json:"from"`
	To     *time.Time `json:"to"`
	Low    float64    `json:"low"`
	High   float64    `json:"high"`
	First  int32      `json:"first"`
	Last   int32      `json:"last"`
	Tenant *string    `json:"tenant"`
	Share  float64    `json:"share"`
	Open   bool       `json:"open"`
	Since  *time.Time `json:"since"`
	Kind   string     `json:"kind"`
}

func (lease) Constraints() []store.Constraint {
	return []store.Constraint{
		store.NoOverlap("from", "to", "tenant", "open").Only("kind", "times"),
		store.NoOverlap("low", "high", "share").Only("kind", "floats", "or 'so'"),
		store.NoOverlap("first", "last", "since").Except("kind", "times", "floats"),
		store.Unique("tenant", "share").Only("since", nil),
	}
}

func conflicts(t *testing.T, what string, err error, want bool) {
	t.Helper()
	if _, broken := errors.AsType[store.ConstraintError](err); broken != want || err != nil && !broken {
		t.Errorf("%s: the error is %v, want a conflict: %v", what, err, want)
	}
}

func TestPeriodsOfEveryTypeStayApart(t *testing.T) {
	t.Parallel()
	s := table[lease](t, open(t, schema(t)))
	at := func(hour int) time.Time { return time.Date(2026, 5, 1, hour, 0, 0, 1000, time.UTC) }
	add := func(l lease) error { return store.Insert(t.Context(), s, &l) }
	now, other := at(0), at(1)
	first := lease{Kind: "times", From: at(1), To: new(at(3)), Tenant: new("a'b"), Since: &now}
	conflicts(t, "the first", add(first), false)
	for what, change := range map[string]func(l *lease){
		"an overlap":           func(l *lease) { l.From = at(2) },
		"an open end":          func(l *lease) { l.From, l.To = at(0), nil },
		"the last microsecond": func(l *lease) { l.From, l.To = at(3).Add(-time.Microsecond), new(at(4)) },
		"-another tenant":      func(l *lease) { l.Tenant = new("a") },
		"-no tenant":           func(l *lease) { l.Tenant = nil },
		"-one that is open":    func(l *lease) { l.Open = true },
		"-another kind":        func(l *lease) { l.Kind, l.Since = "floats", &other },
		"-what comes after":    func(l *lease) { l.From, l.To = at(3), new(at(4)) },
		"-what came before":    func(l *lease) { l.From, l.To = at(0), new(at(1)) },
		"-nothing":             func(l *lease) { l.From, l.To = at(2), new(at(2)) },
		"-a longer tenant":     func(l *lease) { l.Tenant = new("a'b ") },
	} {
		l := first
		change(&l)
		conflicts(t, what, add(l), what[0] != '-')
	}
	floats := lease{Kind: "or 'so'", Low: 0.1, High: 0.30000000000000004, Share: 0.1, Since: new(at(7))}
	conflicts(t, "floats", add(floats), false)
	floats.Low, floats.High = 0.3, 1
	conflicts(t, "floats that differ in the last digit", add(floats), true)
	floats.Share = 0.10000000000000002
	conflicts(t, "another share", add(floats), false)
	numbers := lease{Kind: "x", First: -2147483648, Last: 2147483647, Since: new(at(9))}
	conflicts(t, "numbers", add(numbers), false)
	conflicts(t, "numbers again", add(numbers), true)
	numbers.Since = new(at(8))
	conflicts(t, "another time", add(numbers), false)
}

func TestPeriodsNeedNoExtensionAndNoPrivilegeButToCreate(t *testing.T) {
	t.Parallel()
	_, dsn := role(t)
	db := open(t, dsn)
	s := sqlstore.Table[lease](db)
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Fatalf("the error is %v", err)
	}
	for range 2 { // the second one finds everything
		if err := db.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := one[int64](impatient(t), t, db, "SELECT count(*) FROM pg_extension WHERE extname = 'btree_gist'"); n != 0 {
		t.Skip("the database has btree_gist")
	}
}

func TestTheStatementsOfCheckCreateWhatConstraintsNeed(t *testing.T) {
	t.Parallel()
	dsn := schema(t)
	db := open(t, dsn)
	s := table[lease](t, db)
	administer(t, dsn, `ALTER TABLE leases DROP CONSTRAINT `+constraintOf(t, db, "from"), `ALTER TABLE leases DROP CONSTRAINT `+constraintOf(t, db, "low"))
	err := s.Check(t.Context())
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Fatalf("the error is %v, want 2 lines", err)
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		_, statement, _ := strings.Cut(line, ": run ")
		administer(t, dsn, statement)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// constraintOf returns the quoted name of the exclusion constraint whose period begins with a column.
func constraintOf(t *testing.T, db *sqlstore.DB, column string) string {
	t.Helper()
	return one[string](impatient(t), t, db, "SELECT quote_ident(conname) FROM pg_constraint WHERE contype = 'x' AND conrelid = 'leases'::regclass AND conname LIKE '%\\_"+column+"\\_%'")
}

func TestPeriodsOfTwoProgramsNeverOverlap(t *testing.T) {
	t.Parallel()
	direct(t)
	dsn := schema(t)
	var stores []*sqlstore.Store[lease]
	var counts []*countingDriver
	for _, isolation := range []string{"read committed", "repeatable read", "serializable"} {
		counted := &countingDriver{Driver: connectTo(t, with(dsn, "default_transaction_isolation", isolation))}
		counts, stores = append(counts, counted), append(stores, table[lease](t, sqlstore.New(counted)))
	}
	start := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	var all sync.WaitGroup
	var mu sync.Mutex
	saved := 0
	for i := range 16 {
		all.Go(func() {
			for n := range 6 {
				from := start.Add(time.Duration((i*5+n*7)%23) * time.Hour)
				l := lease{Kind: "times", Tenant: new("a"), From: from, To: new(from.Add(3 * time.Hour)), Since: &from}
				err := store.Insert(t.Context(), stores[(i+n)%3], &l)
				conflicts(t, "a concurrent insert", err, err != nil)
				if err == nil {
					mu.Lock()
					saved++
					mu.Unlock()
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
	page, err := stores[0].List(t.Context(), store.Query{})
	if err != nil || len(page.Items) != saved || saved < 3 {
		t.Fatalf("%d records were saved and %d are there, with the error %v", saved, len(page.Items), err)
	}
	for i, a := range page.Items {
		for _, b := range page.Items[:i] {
			if a.From.Before(*b.To) && b.From.Before(*a.To) {
				t.Errorf("%s and %s overlap", a.From, b.From)
			}
		}
	}
}
