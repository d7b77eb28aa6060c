package collections_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// Visit is a time in a hotel.
type Visit struct {
	ID      int64       `json:"id"`
	From    date.Date   `json:"from" validate:"gte=2020-01-01,lt=2100-01-01" api:"filter=exact|range,sort"`
	To      date.Date   `json:"to" validate:"gtfield=From" api:"filter=range,sort,unique"`
	Paid    *date.Date  `json:"paid" validate:"omitempty,gtefield=From" api:"filter=exact|range|exists,sort"`
	Booked  date.Date   `json:"booked" default:"2020-02-29" example:"2021-03-01"`
	Nights  []date.Date `json:"nights" validate:"unique,dive,gte=2020-01-01" api:"filter=contains"`
	Details struct {
		Day date.Date `json:"day" api:"filter=range"`
	} `json:"details"`
}

func TestDatesAreRecordsOfTheirText(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Visit]{}, func(c spec.Client) {
		const one = `{"from":"2026-11-28","to":"2026-12-01","nights":["2026-11-28","2026-11-29"],"details":{"day":"2026-11-28"}}`
		const stored = `{"id":1,"from":"2026-11-28","to":"2026-12-01","paid":null,"booked":"2020-02-29","nights":["2026-11-28","2026-11-29"],"details":{"day":"2026-11-28"}}`
		c.Send("POST /api/things", one).Is(201, stored)
		c.Send("GET /api/things/1", "").Is(200, stored)
		c.Send("PATCH /api/things/1", `{"paid":"9999-12-31","booked":"0001-01-01"}`).HasStatus(200).Mentions(`"paid":"9999-12-31"`, `"booked":"0001-01-01"`)
		c.Send("GET /api/things?nights=2026-11-29", "").HasStatus(200).Mentions(`"id":1`)
		c.Send("GET /api/things?nights=2026-11-30", "").Is(200, `[]`)
		c.Send("GET /api/things?details.day[gte]=2026-11-28&details.day[lt]=2026-11-29", "").HasStatus(200).Mentions(`"id":1`)
		c.Send("POST /api/things", `{"from":"2026-11-28","to":"2026-12-01","details":{"day":"2026-11-28"}}`).IsProblem(409).Mentions(`"field":"to"`)
	})
}

func TestOnlyTheTextOfADateIsADate(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Visit]{}, func(c spec.Client) {
		for _, wrong := range []string{
			`"2026-02-29"`, `"2026-1-1"`, `"0000-01-01"`, `"10000-01-01"`, `"2026-01-01T00:00:00Z"`, `""`, `20260101`, `null`, `"2026-01-01 "`,
		} {
			c.Send("POST /api/things", `{"from":"2026-11-28","to":"2026-12-01","details":{"day":`+wrong+`}}`).
				IsInvalid("details.day", "day must be a date such as 2006-01-02")
		}
		for _, query := range []string{"from=2026-02-29", "from[gte]=2026", "paid[between]=2026-01-01..x", "nights=now"} {
			c.Send("GET /api/things?"+query, "").IsProblem(400).Mentions("a date such as 2006-01-02")
		}
	})
}

func TestRulesCompareDates(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Visit]{}, func(c spec.Client) {
		for _, test := range []struct{ from, to, more, field, message string }{
			{"2019-12-31", "2026-12-01", "", "from", "from must not be before 2020-01-01"},
			{"2100-01-01", "2126-12-01", "", "from", "from must be before 2100-01-01"},
			{"2026-11-28", "2026-11-28", "", "to", "to must be after from"},
			{"2026-11-28", "2026-02-28", "", "to", "to must be after from"},
			{"2026-11-28", "2026-11-29", `,"paid":"2026-11-27"`, "paid", "paid must not be before from"},
			{"2026-11-28", "2026-11-29", `,"nights":["2019-12-31"]`, "nights[0]", "nights[0] must not be before 2020-01-01"},
			{"2026-11-28", "2026-11-29", `,"nights":["2026-01-01","2026-01-01"]`, "nights", "nights must not contain duplicates"},
		} {
			c.Send("POST /api/things", fmt.Sprintf(`{"from":%q,"to":%q,"details":{"day":"2026-01-01"}%s}`, test.from, test.to, test.more)).
				IsInvalid(test.field, test.message)
		}
		c.Send("POST /api/things", `{"from":"2020-01-01","to":"2099-12-31","paid":"2020-01-01","details":{"day":"2026-01-01"}}`).HasStatus(201)
	})
}

func TestDatesAreSortedAndFilteredByValue(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	first := date.New(2026, time.January, 1)
	type day struct {
		from date.Date
		paid *date.Date
	}
	days := make([]day, 40)
	for i := range days {
		days[i].from = first.AddDays(random.IntN(30))
		if random.IntN(3) > 0 {
			days[i].paid = new(days[i].from.AddDays(random.IntN(5)))
		}
	}
	spec.Alike(t, resource.Of[Visit]{}, func(c spec.Client) {
		for i, d := range days {
			body := fmt.Sprintf(`{"from":%q,"to":%q,"details":{"day":%q}`, d.from, first.AddDays(100+i), d.from)
			if d.paid != nil {
				body += fmt.Sprintf(`,"paid":%q`, *d.paid)
			}
			c.Send("POST /api/things", body+"}").HasStatus(201)
		}
		matching := func(holds func(d day) bool) string {
			var ids []string
			for i, d := range days {
				if holds(d) {
					ids = append(ids, fmt.Sprint(i+1))
				}
			}
			return strings.Join(ids, " ")
		}
		for range 20 {
			low, high := first.AddDays(random.IntN(30)), first.AddDays(random.IntN(30))
			for query, holds := range map[string]func(d day) bool{
				"from=" + low.String():                            func(d day) bool { return d.from == low },
				"from=" + low.String() + "&from=" + high.String(): func(d day) bool { return d.from == low || d.from == high },
				"from[gt]=" + low.String():                        func(d day) bool { return d.from.After(low) },
				"from[between]=" + low.String() + ".." + high.String(): func(d day) bool {
					return !d.from.Before(low) && !d.from.After(high)
				},
				"details.day[lte]=" + low.String(): func(d day) bool { return !d.from.After(low) },
				"paid[lt]=" + low.String():         func(d day) bool { return d.paid != nil && d.paid.Before(low) },
				"exists[paid]=false":               func(d day) bool { return d.paid == nil },
			} {
				if got := idsIn(c, "/api/things?itemsPerPage=100&"+query); got != matching(holds) {
					t.Errorf("%s has %s, want %s", query, got, matching(holds))
				}
			}
		}
		order := make([]int, len(days))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return days[a].from.Compare(days[b].from) })
		var want []string
		for _, i := range order {
			want = append(want, fmt.Sprint(i+1))
		}
		if got := idsIn(c, "/api/things?itemsPerPage=100&sort=from"); got != strings.Join(want, " ") {
			t.Errorf("sorted by from: %s, want %s", got, want)
		}
		for _, sort := range []string{"from", "-from", "paid", "-paid"} {
			query := "sort=" + url.QueryEscape(sort)
			if got, want := walkBack(c, "/api/things?itemsPerPage=1&cursor=&"+query), idsIn(c, "/api/things?itemsPerPage=100&"+query); got != want {
				t.Errorf("%s by cursors: %s, want %s", sort, got, want)
			}
		}
	})
}

// Holiday has a date as its identifier.
type Holiday struct {
	Day  date.Date `json:"day" api:"id"`
	Name string    `json:"name" validate:"notblank"`
}

func TestADateCanBeTheIdentifier(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Holiday]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{"day":"2026-12-25","name":"Christmas"}`).HasStatus(201).Has("Location", "/api/things/2026-12-25")
		c.Send("POST /api/things", `{"day":"2026-12-25","name":"Christmas"}`).IsProblem(409)
		c.Send("POST /api/things", `{"name":"New Year"}`).IsInvalid("day", "day is required")
		c.Send("GET /api/things/2026-12-25", "").Is(200, `{"day":"2026-12-25","name":"Christmas"}`)
		c.Send("GET /api/things/2026-12-26", "").IsProblem(404)
		c.Send("GET /api/things/christmas", "").IsProblem(404)
		c.Send("DELETE /api/things/2026-12-25", "").HasStatus(204)
	})
}

func TestTheDocumentDescribesDates(t *testing.T) {
	t.Parallel()
	visits := resource.Of[Visit]{Operations: operation.Standard()}
	api, err := resource.New(resource.Config{}, visits, resource.Of[Holiday]{})
	if err != nil {
		t.Fatal(err)
	}
	if err := openapi.Mount(api, openapi.Config{Title: "Hotel", Version: "1"}); err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	c.Send("GET /api/docs.json", "").HasStatus(200).Mentions(`"format":"date"`)
	openapitest.Conform(t, api)
}

func TestMistakesWithDatesAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	type bill struct {
		ID   int64     `json:"id"`
		Due  date.Date `json:"due" validate:"gte=tomorrow"`
		Sent date.Date `json:"sent" validate:"ltfield=At" default:"2026-02-30"`
		At   time.Time `json:"at"`
		Name string    `json:"name" api:"filter=range"`
		Gone date.Date `json:"gone" api:"filter=partial"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[bill]{})
	for _, want := range []string{
		`bill.Due: validate rule "gte" needs a value of the type date.Date, found "tomorrow"`,
		`bill.Sent: validate rule "ltfield" compares the type date.Date with At of the type time.Time; allowed: the same type`,
		`bill.Sent: `, `bill.Gone: filter "partial" does not support the type date.Date`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v\nwant %s", err, want)
		}
	}
}

func TestADateThatAProgramSetsBeyondTheYearsIsNotSaved(t *testing.T) {
	t.Parallel()
	for name, in := range spec.Stores[Visit](t) {
		late := &Visit{Booked: date.New(9999, time.December, 31).AddDays(1)}
		if err := store.Insert(t.Context(), in, late); err == nil || !strings.Contains(err.Error(), "must be within the years from 0001 to 9999") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
