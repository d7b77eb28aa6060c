package codec_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type audit struct {
	Note string `json:"note" validate:"omitempty,min=3"`
}

type ruled struct {
	audit

	Name    string           `json:"name" validate:"min=2"`
	Free    string           `json:"free"`
	Count   int              `json:"count" validate:"omitempty"`
	Rate    float64          `json:"rate" validate:"omitempty,gt=1"`
	On      bool             `json:"on" validate:"eq=true"`
	At      time.Time        `json:"at" validate:"required"`
	Pointer *int             `json:"pointer" validate:"omitempty,gt=1"`
	Tags    []string         `json:"tags" validate:"omitempty,min=1"`
	Labels  map[string]int   `json:"labels" validate:"omitempty,min=1"`
	Point   [2]int           `json:"point" validate:"unique"`
	Inner   inner            `json:"inner" validate:"required"`
	Lines   []inner          `json:"lines"`
	ByKey   map[string]inner `json:"byKey"`
	Ptr     *inner           `json:"ptr"`
}

type inner struct {
	N     int      `json:"n" validate:"omitempty,gte=5"`
	Words []string `json:"words" validate:"max=3"`
}

func TestExplicitEmptyValuesOfFieldsWithRulesAreNoted(t *testing.T) {
	t.Parallel()
	c := codecOf[ruled](t)
	for _, test := range []struct {
		name, body string
		want       map[string]string // Go path by path
	}{
		{"none in an empty body", `{}`, nil},
		{"not what is not empty", `{"name":"a","count":1,"rate":0.1,"on":true,"at":"2024-01-01T00:00:00Z","tags":[""],"labels":{"":0},"point":[0,1]}`, nil},
		{"not fields without rules", `{"free":""}`, nil},
		{"not pointers", `{"pointer":0}`, nil},
		{"not nulls", `{"pointer":null,"ptr":null}`, nil},
		{"not mistyped ones", `{"name":0,"count":"","inner":[]}`, nil},
		{"each empty value", `{"name":"","count":0.0,"rate":-0.0e5,"on":false,"at":"0001-01-01T00:00:00Z"}`, map[string]string{
			"name": "Name", "count": "Count", "rate": "Rate", "on": "On", "at": "At",
		}},
		{"a zero of each number", `{"rate":0}`, map[string]string{"rate": "Rate"}},
		{"lists, maps and arrays", `{"tags":[],"labels":{},"point":[0,0]}`, map[string]string{"tags": "Tags", "labels": "Labels", "point": "Point"}},
		{"a promoted field", `{"note":""}`, map[string]string{"note": "audit.Note"}},
		{"a struct and what is in it", `{"inner":{"n":0}}`, map[string]string{"inner.n": "Inner.N"}},
		{"in lists", `{"lines":[{"n":1},{"n":0,"words":[]}]}`, map[string]string{"lines[1].n": "Lines[1].N", "lines[1].words": "Lines[1].Words"}},
		{"in maps", `{"byKey":{"k":{"n":0}}}`, map[string]string{"byKey[k].n": "ByKey[k].N"}},
		{"behind pointers", `{"ptr":{"n":0}}`, map[string]string{"ptr.n": "Ptr.N"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []mode{create, replace, merge} {
				record := new(ruled)
				found := emptyIn(decode(t, c, test.body, record, mode), record)
				if test.want == nil {
					test.want = map[string]string{}
				}
				if diff := cmp.Diff(test.want, found); diff != "" {
					t.Errorf("mode %v (-want +got):\n%s", mode, diff)
				}
			}
		})
	}
}
