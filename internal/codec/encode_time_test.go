package codec_test

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestTimesAreWrittenAsPackageTimeWritesThem(t *testing.T) {
	t.Parallel()
	c := codecOf[time.Time](t)
	east := time.FixedZone("", 5*3600+30*60)
	for name, at := range map[string]time.Time{
		"the zero time":                {},
		"the first year":               time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		"the last nanosecond":          time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		"a leap day":                   time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC),
		"before 1970":                  time.Date(1969, 12, 31, 23, 59, 59, 1, time.UTC),
		"tenths":                       time.Date(2024, 1, 1, 0, 0, 0, 1e8, time.UTC),
		"milliseconds":                 time.Date(2024, 1, 1, 0, 0, 0, 10e6, time.UTC),
		"zeros in the fraction":        time.Date(2024, 1, 1, 0, 0, 0, 100000001, time.UTC),
		"another zone":                 time.Date(2024, 1, 1, 0, 0, 0, 5, east),
		"a zone without offset":        time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("Z", 0)),
		"the local zone":               time.Unix(1<<30, 0),
		"with a monotonic clock":       time.Now().UTC(),
		"another zone in the year -1":  time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).In(time.FixedZone("", -3600)),
		"the year before the first":    time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC),
		"the year after the last":      time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		"the year 10000 in zone, in 9": time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC).In(east),
	} {
		wantLikeText(t, c, name, at)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		at := time.Unix(random.Int64N(400e9)-100e9, random.Int64N(1e9)).UTC()
		wantLikeText(t, c, at.String(), at.Truncate(time.Duration(1)<<random.IntN(40)))
	}
}

func TestEveryDayIsWrittenAsPackageTimeWritesIt(t *testing.T) {
	t.Parallel()
	c := codecOf[time.Time](t)
	for _, year := range []int{0, 1, 99, 1600, 1899, 1969, 2000, 2023, 9599, 9996} {
		day := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		for end := day.AddDate(4, 0, 0); day.Before(end); day = day.AddDate(0, 0, 1) {
			wantLikeText(t, c, day.String(), day)
			wantLikeText(t, c, day.String(), day.Add(-time.Nanosecond))
		}
	}
}

// wantLikeText reports where a time is not written as its own method does.
func wantLikeText(t *testing.T, c subject, name string, at time.Time) {
	t.Helper()
	want, wantErr := at.MarshalText()
	got, err := c.Append(nil, at)
	if (err != nil) != (wantErr != nil) {
		t.Errorf("%s: error %v, want %v", name, err, wantErr)
	}
	if err == nil && string(got) != `"`+string(want)+`"` {
		t.Errorf("%s: %s, want %q", name, got, want)
	}
}
