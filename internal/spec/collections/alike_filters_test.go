package collections_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type relic struct {
	ID     int64       `json:"id"`
	Name   string      `json:"name" api:"filter=partial"`
	Mark   string      `json:"mark" api:"filter=start"`
	Tail   string      `json:"tail" api:"filter=end"`
	Word   string      `json:"word" api:"filter=word_start"`
	Case   string      `json:"case" api:"filter=iexact"`
	Labels []string    `json:"labels" api:"filter=contains"`
	Counts []int64     `json:"counts" api:"filter=contains"`
	Keys   []uuid.UUID `json:"keys" api:"filter=contains"`
	Found  time.Time   `json:"found" api:"filter=exact|range"`
	Lost   *time.Time  `json:"lost" api:"filter=range|exists"`
	Whole  bool        `json:"whole" api:"filter"`
	Real   *bool       `json:"real" api:"filter=exact|exists"`
}

func TestFiltersFindTheSameRecordsInEveryStore(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[relic]{Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}}}, func(c spec.Client) {
		for _, body := range []string{
			`{"name":"Gold ring","mark":"Aa","tail":"xyz","word":"old ring","case":"One","labels":["red","hot","red"],"counts":[1,2],` +
				`"keys":["00000000-0000-4000-8000-000000000001"],"found":"2026-11-21T23:59:59Z","lost":"2026-11-22T00:00:00Z","whole":true,"real":false}`,
			`{"name":"silver","mark":"ab","tail":"ayz","word":"new cup","case":"ONE","labels":["blue"],"counts":[2,3],"keys":[],"found":"2026-11-22T00:00:00Z","whole":false,"real":true}`,
			`{"name":"copper","mark":"b","tail":"z","word":"ring","case":"two","labels":[],"counts":[],"keys":["f0000000-0000-4000-8000-000000000001"],` +
				`"found":"2026-11-22T23:59:59.999Z","lost":"2026-11-23T10:00:00Z","whole":true}`,
			`{"name":"tin","mark":"","tail":"","word":"","case":"","labels":["redder"],"counts":[10],"keys":[],"found":"2026-11-23T00:00:00+01:00","whole":false}`,
		} {
			c.Send("POST /api/things", body).HasStatus(http.StatusCreated)
		}
		for query, want := range map[string]string{
			"labels=red": "1", "labels=red&labels=blue": "1 2", "labels=Red": "", "labels=red&counts=2": "1", "counts=2": "1 2", "counts=2.0&counts=10": "1 2 4",
			"keys=f0000000-0000-4000-8000-000000000001": "3", "labels=": "",
			"name=gold&name=TIN": "1 4", "mark=a&mark=B": "1 2 3", "tail=YZ&tail=xyz": "1 2", "word=ring&word=cup": "1 2 3", "case=one&case=TWO": "1 2 3", "case=&case=two": "3 4",
			"found[gte]=2026-11-22": "2 3 4", "found[gt]=2026-11-21": "2 3 4", "found[lt]=2026-11-22": "1", "found[lte]=2026-11-22": "1 2 3 4", "found=2026-11-22": "2",
			"found[between]=2026-11-22..2026-11-22": "2 3 4", "found[gt]=2026-11-22": "", "lost[lte]=2026-11-22": "1", "lost[gt]=2026-11-22": "3", "found=2026-11-22T01:00:00%2B01:00": "2",
			"whole=true": "1 3", "whole=false": "2 4", "real=true": "2", "real=false": "1", "real=false&real=true": "1 2", "real[ne]=true": "1 3 4",
			"exists[real]=true": "1 2", "exists[lost]=false": "2 4", "exists[lost]=true": "1 3",
		} {
			if got := idsIn(c, "/api/things?"+strings.NewReplacer("[", "%5B", "]", "%5D").Replace(query)); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		for query, says := range map[string]string{
			"whole=2": "whole must be true or false", "whole=": "whole must be true or false", "real=yes": "real must be true or false", "exists[lost]=10": "must be true or false",
			"found=2026-13-01": "found must be a date and time such as", "found[gt]=2026-02-30": "or a date such as 2006-01-02", "counts=x": "counts must be", "keys=1": "keys has an invalid format",
			"itemsPerPage=-1": "itemsPerPage must be an integer between 0 and",
		} {
			c.Send("GET /api/things?"+strings.NewReplacer("[", "%5B", "]", "%5D").Replace(query), "").IsProblem(http.StatusBadRequest).Mentions(says)
		}
		for query, total := range map[string]string{"itemsPerPage=0": "4", "itemsPerPage=0&whole=true": "2", "itemsPerPage=0&page=3": "4", "itemsPerPage=0&labels=none": "0", "itemsPerPage=0.0": "4"} {
			answer := c.Send("GET /api/things?"+query, "").Is(http.StatusOK, `[]`).Has("X-Total-Count", total)
			if link := answer.Header.Get("Link"); strings.Contains(link, "next") || strings.Contains(link, "prev") || strings.Contains(link, "last") {
				t.Errorf("%s has the links %s", query, link)
			}
		}
	})
}
