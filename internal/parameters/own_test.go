package parameters_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/parameters"
)

type forecast struct {
	Days   int         `json:"days" validate:"gte=1,lte=14" default:"7"`
	Unit   string      `json:"unit" validate:"omitempty,oneof=metric imperial" message:"Metric or imperial, please"`
	Place  string      `json:"place" validate:"required"`
	Limit  *float64    `json:"limit" validate:"omitempty,gt=0"`
	Since  time.Time   `json:"since"`
	Keys   []uuid.UUID `json:"keys" validate:"max=2"`
	Deep   bool        `json:"deep"`
	Agent  string      `json:"X-Agent" api:"header" validate:"max=5"`
	Wishes []string    `json:"X-Wishes" api:"header" validate:"dive,min=2"`
}

func readOwn(t *testing.T, query string, header http.Header) (*forecast, string) {
	t.Helper()
	set, err := parameters.Compile(parameters.Options{Record: record(t), Own: own[forecast](t)})
	if err != nil {
		t.Fatal(err)
	}
	values, err := set.Read(t.Context(), query, header, none, nil)
	if err != nil {
		return nil, explain(err)
	}
	return values.Own.(*forecast), ""
}

func TestOwnParametersAreTyped(t *testing.T) {
	t.Parallel()
	key := uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
	got, wrong := readOwn(t, "place=a+b&days=3&limit=0.5&since=2024-02-29T00:00:00Z&keys="+key.String()+"&keys="+key.String()+"&deep=true&unit=metric",
		http.Header{"X-Agent": {"me"}, "X-Wishes": {"sun, rain", "snow"}})
	want := &forecast{
		Days: 3, Unit: "metric", Place: "a b", Limit: new(0.5), Since: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), Keys: []uuid.UUID{key, key},
		Deep: true, Agent: "me", Wishes: []string{"sun", "rain", "snow"},
	}
	if diff := cmp.Diff(want, got); diff != "" || wrong != "" {
		t.Errorf("%s (-want +got):\n%s", wrong, diff)
	}
}

func TestOwnParametersThatAreNotGiven(t *testing.T) {
	t.Parallel()
	got, wrong := readOwn(t, "place=x", http.Header{})
	if wrong != "" || got.Days != 7 || got.Limit != nil || len(got.Keys) != 0 || got.Agent != "" {
		t.Errorf("%s: %+v", wrong, got)
	}
}

func TestOwnParametersAreChecked(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                                "place is required",
		"place=":                          "place",
		"place=x&days=0":                  "days must be at least 1",
		"place=x&days=15":                 "days must be at most 14",
		"place=x&days=many":               "days must be an integer",
		"place=x&days=":                   "days must be an integer",
		"place=x&days=1&days=2":           "days must be given only once",
		"place=x&unit=zz":                 "Metric or imperial, please",
		"place=x&limit=0":                 "limit must be greater than 0",
		"place=x&limit=null":              "limit must be a number",
		"place=x&since=yesterday":         "since must be",
		"place=x&keys=zz":                 "keys",
		"place=x&deep=yes":                "deep must be true or false",
		"place=%00":                       "place must not contain the character U+0000",
		"place=x&page=1":                  `Unknown parameter "page"`,
		"place=x&day=1":                   `Unknown parameter "day"; did you mean "days"?`,
		"days=0&deep=2&unit=zz&colour=re": "days must be at least 1",
	} {
		if _, got := readOwn(t, query, http.Header{}); !strings.Contains(got, want) || strings.Contains(got, "zz") {
			t.Errorf("%s returns %q, want %q", query, got, want)
		}
	}
	for name, test := range map[string]struct {
		header http.Header
		want   string
	}{
		"a rule of a header":             {http.Header{"X-Agent": {"too long"}}, "X-Agent must be at most 5 characters long"},
		"a header given twice":           {http.Header{"X-Agent": {"a", "b"}}, "X-Agent must be given only once"},
		"a rule of the values of a list": {http.Header{"X-Wishes": {"ok,x"}}, "X-Wishes[1] must be at least 2 characters long"},
	} {
		if _, got := readOwn(t, "place=x", test.header); !strings.Contains(got, test.want) {
			t.Errorf("%s returns %q, want %q", name, got, test.want)
		}
	}
}

func TestMistakesInOwnParameters(t *testing.T) {
	t.Parallel()
	type nested struct{ A int }
	type mistaken struct {
		Object nested            `json:"object"`
		Map    map[string]string `json:"map"`
		Nulls  []*int            `json:"nulls"`
		Sorted int               `json:"sorted" api:"sort"`
		Type   string            `json:"Content-Type" api:"header"`
		Space  string            `json:"X Y" api:"header"`
		Twice  string            `json:"x-twice" api:"header"`
		Again  string            `json:"X-Twice" api:"header"`
	}
	_, err := parameters.Compile(parameters.Options{Record: record(t), Own: own[mistaken](t)})
	for _, want := range []string{
		"mistaken.Object: is a parameter of the type parameters_test.nested; allowed: a bool, number, string",
		"mistaken.Map: is a parameter of the type map[string]string",
		"mistaken.Nulls: is a parameter of the type []*int; a parameter has no null in it",
		`mistaken.Sorted: is a parameter; its api tag can have the word "header" alone`,
		"mistaken.Type: is the header parameter Content-Type, which HTTP has a use for already",
		"mistaken.Space: is the header parameter X Y; a name has letters, digits and hyphens",
		`two header parameters have the name "X-Twice"`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in: %v", want, err)
		}
	}
}
