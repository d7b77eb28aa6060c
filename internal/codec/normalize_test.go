package codec_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

type diary struct {
	ID    int64                 `json:"id"`
	At    time.Time             `json:"at"`
	Left  *time.Time            `json:"left"`
	Days  []time.Time           `json:"days"`
	Named map[string]*time.Time `json:"named"`
	Pages []page                `json:"pages"`
	First *page                 `json:"first"`
}

type page struct {
	Ends [2]*time.Time `json:"ends"`
	Next []page        `json:"next"`
	Rate float32       `json:"rate"`
}

func TestWhatIsNormalizedIsACopy(t *testing.T) {
	t.Parallel()
	s, err := model.Compile(reflect.TypeFor[diary]())
	if err != nil {
		t.Fatal(err)
	}
	records := codec.CompileRecords(s)
	given := time.Date(2024, 2, 29, 23, 59, 59, 123456789, time.FixedZone("", 3600))
	kept := time.Date(2024, 2, 29, 22, 59, 59, 123456000, time.UTC)
	of := func(at time.Time) *diary {
		pages := []page{{Ends: [2]*time.Time{nil, &at}, Next: []page{{Ends: [2]*time.Time{&at, nil}}}}}
		return &diary{At: at, Left: &at, Days: []time.Time{at}, Named: map[string]*time.Time{"a": &at, "b": nil}, Pages: pages, First: &pages[0]}
	}
	shared := of(given)
	record := *shared
	if err := records.Normalize(reflect.ValueOf(&record)); err != nil {
		t.Fatal(err)
	}
	same := cmp.Comparer(func(a, b time.Time) bool {
		return a.Equal(b) && a.Format(time.RFC3339Nano) == b.Format(time.RFC3339Nano)
	})
	if diff := cmp.Diff(of(kept), &record, same); diff != "" {
		t.Errorf("the record (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(of(given), shared, same); diff != "" {
		t.Errorf("what others have of it (-want +got):\n%s", diff)
	}
	before := records.Clone(&record).(*diary)
	if err := records.Normalize(reflect.ValueOf(&record)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, &record, same); diff != "" {
		t.Errorf("normalized again (-want +got):\n%s", diff)
	}
}

func TestAFaultOfTheProgramIsNotReportedAsTheClients(t *testing.T) {
	t.Parallel()
	type log struct {
		ID   int64     `json:"id"`
		Made time.Time `json:"made" api:"created"`
		At   time.Time `json:"at"`
	}
	s, err := model.Compile(reflect.TypeFor[log]())
	if err != nil {
		t.Fatal(err)
	}
	records, late := codec.CompileRecords(s), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for want, record := range map[string]*log{
		"at: at must be within the years from 0000 to 9999 in UTC":                                           {At: late},
		"the program has set what no store can keep: made must be within the years from 0000 to 9999 in UTC": {Made: late},
	} {
		if err := records.Normalize(reflect.ValueOf(record)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
