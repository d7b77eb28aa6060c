package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
)

// receipt has an index of its groups. The fields have the names of functions.
type receipt struct {
	ID    int64     `json:"id"`
	Count string    `json:"count" api:"group"`
	Sum   int64     `json:"sum" api:"aggregate"`
	Cost  cost      `json:"cost" api:"aggregate"`
	Max   time.Time `json:"max" api:"group"`
}

func (receipt) Constraints() []store.Constraint {
	return []store.Constraint{store.Index("count", "sum")}
}

// cost is a decimal number.
type cost string

func (cost) DecimalDigits() (precision, scale int) { return 10, 2 }

func (c cost) MarshalText() ([]byte, error) {
	if c == "" {
		return []byte("0"), nil
	}
	return []byte(c), nil
}

func (c *cost) UnmarshalText(text []byte) error {
	*c = cost(text)
	return nil
}

var (
	counts = store.Term{Function: "count"}
	groups = store.Term{Value: store.Order{Field: "count"}}
	sums   = store.Term{Value: store.Order{Field: "sum"}, Function: "sum"}
)

func TestAnIndexServesGroupsAndSums(t *testing.T) {
	t.Parallel()
	db, _ := made(t, &receipt{Count: "a", Sum: 1})
	watched, r := recorded(db)
	s := sqlstore.Table[receipt](watched)
	r.statements = nil
	_, err := s.Aggregate(t.Context(), store.Aggregation{
		Where: []store.Condition{store.Ne("count", "x")}, Terms: []store.Term{counts, groups, sums}, Count: true, Limit: 30,
	})
	if err != nil || len(r.statements) != 1 {
		t.Fatalf("%d statements: %v", len(r.statements), err)
	}
	steps := plan(t, db, r.statements[0])
	if !strings.Contains(steps, "COVERING INDEX") || strings.Contains(steps, "TEMP B-TREE FOR GROUP BY") {
		t.Errorf("it runs by %s:\n%s", steps, r.statements[0].text)
	}
}

// measurement is numbers of a sensor.
type measurement struct {
	ID     int64   `json:"id"`
	Sensor string  `json:"sensor" api:"group"`
	Value  float64 `json:"value" api:"aggregate"`
	Count  int64   `json:"count" api:"aggregate"`
}

func TestSumsBeyondTheRangeOfTheDatabaseAreThoseOfTheStoreInMemory(t *testing.T) {
	t.Parallel()
	const huge, most = math.MaxFloat64, math.MaxInt64
	measurements := []*measurement{
		{Sensor: "over", Value: huge, Count: most},
		{Sensor: "over", Value: huge, Count: most},
		{Sensor: "over", Count: 1},
		{Sensor: "over"},
		{Sensor: "under", Value: -huge, Count: -most},
		{Sensor: "under", Value: -huge, Count: -most},
		{Sensor: "back", Value: huge, Count: most},
		{Sensor: "back", Value: -huge, Count: most},
		{Sensor: "back", Value: 1.5, Count: -most},
		{Sensor: "some", Value: 1e200, Count: 3},
		{Sensor: "some", Value: 3e200, Count: 4},
		{Sensor: "zero"},
	}
	at := func(name, function string) store.Term {
		return store.Term{Value: store.Order{Field: name}, Function: function}
	}
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db, inMemory := made(t), memory.New[measurement]()
			s := sqlstore.Table[measurement](db)
			if err := db.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(store.Insert(t.Context(), s, measurements...), store.Insert(t.Context(), inMemory, measurements...)); err != nil {
				t.Fatal(err)
			}
			asked := store.Aggregation{Terms: []store.Term{at("sensor", ""), at("value", "sum"), at("value", "avg"), at("count", "sum"), at("count", "avg")}}
			for _, asked.Order = range [][]int{nil, {2}, {-2}, {3, 1}, {-3}, {4}, {-5}} {
				want, err := inMemory.Aggregate(t.Context(), asked)
				if err != nil {
					t.Fatal(err)
				}
				outside, err := s.Aggregate(t.Context(), asked)
				var within store.Aggregated
				inner := s.Transact(t.Context(), func(ctx context.Context, _ store.Tx[measurement]) (err error) {
					within, err = s.Aggregate(ctx, asked)
					return err
				})
				if rows := shown(outside); err != nil || inner != nil || rows != shown(want) || rows != shown(within) {
					t.Errorf("sorted by %v: %v (%v)\nwithin a transaction: %v (%v)\nin memory: %v", asked.Order, rows, err, shown(within), inner, shown(want))
				}
			}
		})
	}
}

// shown returns the rows of an aggregation, with large numbers as floats.
func shown(found store.Aggregated) (text string) {
	for _, row := range found.Rows {
		for _, value := range row {
			if number, ok := value.(*big.Rat); ok {
				if value = number.RatString(); len(number.RatString()) > 60 {
					value, _ = number.Float64()
				}
			}
			text += fmt.Sprint(value, " ")
		}
		text += "; "
	}
	return text
}

func TestUnitsOfTimesAreThoseOfTheStoreInMemoryInEveryZone(t *testing.T) {
	t.Parallel()
	zones := []*time.Location{time.UTC, time.FixedZone("Not/Anywhere", 5*60*60+45*60)} // PostgreSQL knows no such name
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	var receipts []*receipt
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		_, change := time.Unix(random.Int64N(4e9)-5e8, 0).In(zones[2+random.IntN(4)]).ZoneBounds() // up to 2080
		if change.IsZero() {
			change = time.Unix(0, 0)
		}
		receipts = append(receipts, &receipt{Max: change.Add(time.Duration(random.IntN(9)-4) * 15 * time.Minute)})
	}
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db, inMemory := made(t), memory.New[receipt]()
			s := sqlstore.Table[receipt](db)
			if err := db.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(store.Insert(t.Context(), s, receipts...), store.Insert(t.Context(), inMemory, receipts...)); err != nil {
				t.Fatal(err)
			}
			for _, zone := range zones {
				if database == "SQLite" && zone == zones[1] { // it knows the names that Go knows
					continue
				}
				for _, unit := range []string{"year", "quarter", "month", "week", "day", "hour"} {
					by := store.Term{Value: store.Order{Field: "max"}, Unit: unit, Zone: zone}
					asked := store.Aggregation{Terms: []store.Term{counts, by}, Order: []int{-2}, Count: true}
					found, err := s.Aggregate(t.Context(), asked)
					want, wrong := inMemory.Aggregate(t.Context(), asked)
					if err != nil || wrong != nil || shown(found) != shown(want) || found.Total != want.Total {
						t.Errorf("%s in %s: %.300s (%v), want %.300s (%v)", unit, zone, shown(found), err, shown(want), wrong)
					}
				}
			}
		})
	}
}

// BenchmarkAggregate groups a million rows, next to the same by hand. Ratio is the median of the store's times divided by that
// of the statement's.
func BenchmarkAggregate(b *testing.B) {
	const inserted, doubled = 1000, 10
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		b.Run(database, func(b *testing.B) {
			db := made(b)
			s := sqlstore.Table[receipt](db)
			if err := db.Create(b.Context(), s); err != nil {
				b.Fatal(err)
			}
			receipts := make([]*receipt, inserted)
			for i := range receipts {
				at := time.Date(2026, 1, 1+i%365, i%24, 0, 0, 0, time.UTC)
				receipts[i] = &receipt{Count: []string{"new", "sold", "lost"}[i%3], Sum: int64(i), Cost: "12.50", Max: at}
			}
			if err := store.Insert(b.Context(), s, receipts...); err != nil {
				b.Fatal(err)
			}
			columns, exact, decimals := `"count", "sum", cost, max`, `CAST(SUM("sum") AS TEXT)`, "CAST(SUM(cost) AS TEXT)"
			month, zoned := "to_char(max AT TIME ZONE 'UTC', 'YYYY-MM')", "to_char(max AT TIME ZONE 'Europe/Berlin', 'YYYY-MM')"
			if db.Dialect().Name() == "sqlite" {
				columns += ", cost__order"
				exact, decimals = `SUM("sum")`, "SUM(CAST(cost AS REAL))"                       // not exact, because SQLite has no exact numbers
				month, zoned = "substr(max, 1, 7)", "trove_unit(max, 'month', 'Europe/Berlin')" // SQLite has no time zones
			}
			for range doubled {
				if _, err := db.Exec(b.Context(), "INSERT INTO receipts ("+columns+") SELECT "+columns+" FROM receipts"); err != nil {
					b.Fatal(err)
				}
			}
			if _, err := db.Exec(b.Context(), map[bool]string{true: "ANALYZE", false: "VACUUM ANALYZE receipts"}[db.Dialect().Name() == "sqlite"]); err != nil {
				b.Fatal(err)
			}
			berlin, err := time.LoadLocation("Europe/Berlin")
			if err != nil {
				b.Fatal(err)
			}
			months, local := store.Term{Value: store.Order{Field: "max"}, Unit: "month", Zone: time.UTC}, store.Term{Value: store.Order{Field: "max"}, Unit: "month", Zone: berlin}
			total, average := store.Term{Value: store.Order{Field: "cost"}, Function: "sum"}, store.Term{Value: store.Order{Field: "sum"}, Function: "avg"}
			for _, c := range []struct {
				name    string
				terms   []store.Term
				columns string
			}{
				{"counts", []store.Term{groups, counts}, `"count", COUNT(*)`},
				{"integers", []store.Term{groups, counts, sums}, `"count", COUNT(*), ` + exact},
				{"averages", []store.Term{groups, counts, average}, `"count", COUNT(*), AVG("sum")`},
				{"decimals", []store.Term{groups, counts, total}, `"count", COUNT(*), ` + decimals},
				{"months", []store.Term{months, counts, sums}, month + `, COUNT(*), ` + exact},
				{"months in a zone", []store.Term{local, counts, sums}, zoned + `, COUNT(*), ` + exact},
			} {
				b.Run(c.name, func(b *testing.B) {
					var by, hand []time.Duration
					for b.Loop() {
						began := time.Now()
						if _, err := s.Aggregate(b.Context(), store.Aggregation{Terms: c.terms, Count: true, Limit: 30}); err != nil {
							b.Fatal(err)
						}
						by = append(by, time.Since(began))
						began = time.Now()
						readAll(b, db, "SELECT "+c.columns+" FROM receipts GROUP BY 1 ORDER BY 1", len(c.terms))
						hand = append(hand, time.Since(began))
					}
					slices.Sort(by)
					slices.Sort(hand)
					b.ReportMetric(float64(by[len(by)/2])/float64(hand[len(hand)/2]), "ratio")
				})
			}
		})
	}
}

// readAll reads the columns of a statement.
func readAll(b *testing.B, db *sqlstore.DB, text string, columns int) {
	b.Helper()
	rows, err := db.Query(b.Context(), text)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	dest := make([]any, columns)
	for i := range dest {
		dest[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			b.Fatal(err)
		}
	}
}
