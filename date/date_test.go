package date_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/trove-api/trove/date"
)

func TestADateIsItsText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0001-01-01", "0004-02-29", "1582-10-10", "1970-01-01", "2000-02-29", "2026-11-28", "9999-12-31"} {
		d, err := date.Parse(text)
		if err != nil || d.String() != text {
			t.Errorf("%s is %s, %v", text, d, err)
		}
		year, month, day := d.Date()
		if date.New(year, month, day) != d || date.Of(d.Time(time.UTC)) != d || date.Of(d.Time(time.FixedZone("", 14*60*60))) != d {
			t.Errorf("%s is not the date of its parts", text)
		}
	}
}

func TestOnlyOneFormIsADate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "2026", "2026-11", "2026-11-31", "2025-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "0000-00-00",
		"10000-01-01", "-001-01-01", "2026-1-1", "26-01-01", "2026-01-01 ", " 2026-01-01", "2026-01-01T00:00:00Z", "20260101", "2026/01/01", "２０２６-01-01", "2026-01-0\x00",
	} {
		if d, err := date.Parse(text); err == nil {
			t.Errorf("%q is %s", text, d)
		}
	}
}

func TestDaysAreCountedAsPackageTimeDoes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		at := time.Date(1, 1, 1+random.IntN(3_652_059), random.IntN(24), random.IntN(60), 0, 0, time.UTC)
		n := random.IntN(40_000) - 20_000
		d, later := date.Of(at), date.Of(at.AddDate(0, 0, n))
		if d.AddDays(n) != later || later.Sub(d) != n || d.Weekday() != at.Weekday() || d.String() != at.Format(time.DateOnly) ||
			d.Compare(later) != sign(-n) || d.Before(later) != (n > 0) || d.After(later) != (n < 0) {
			t.Fatalf("%s and %d days: %s", d, n, later)
		}
	}
}

func sign(n int) int {
	return min(max(n, -1), 1)
}

func TestTheZeroDateIsTheFirstDay(t *testing.T) {
	t.Parallel()
	var zero date.Date
	if !zero.IsZero() || zero.String() != "0001-01-01" || zero != date.Of(time.Time{}) || zero.AddDays(1).IsZero() {
		t.Errorf("the zero date is %s", zero)
	}
}

func TestOtherYearsHaveNoText(t *testing.T) {
	t.Parallel()
	last := date.New(9999, time.December, 31)
	for _, d := range []date.Date{
		last.AddDays(1), (date.Date{}).AddDays(-1), last.AddDays(math.MaxInt), last.AddDays(math.MinInt), date.New(math.MaxInt32, 1, 1), date.New(-5, 1, 1),
	} {
		if text, err := json.Marshal(d); err == nil {
			t.Errorf("a date is %s", text)
		}
	}
	if text, err := json.Marshal(last); string(text) != `"9999-12-31"` || err != nil {
		t.Errorf("the last date is %s, %v", text, err)
	}
}
