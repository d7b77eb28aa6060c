package wire_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// The values of a request's conditions. MINE is replaced by the record's own tag.
var (
	tagConditions  = []string{"", "MINE", `"other"`, "*", "W/MINE"}
	timeConditions = []string{"", beforeChanged, changed}
)

// verdict returns the status that RFC 9110, section 13.2.2, requires for conditions: 412, 304, or 0 for none.
func verdict(reads, dated bool, match, unmodified, noneMatch, modified string) int {
	switch {
	case match != "" && (match == `"other"` || match == "W/MINE"): // the strong comparison
		return http.StatusPreconditionFailed
	case match == "" && dated && unmodified == beforeChanged:
		return http.StatusPreconditionFailed
	case noneMatch != "" && noneMatch != `"other"`: // the weak comparison
		if !reads {
			return http.StatusPreconditionFailed
		}
		return http.StatusNotModified
	case noneMatch == "" && reads && dated && (modified == changed || modified == afterChanged):
		return http.StatusNotModified
	}
	return 0
}

func TestPreconditionsHoldInTheOrderOfTheRFC(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		items := conditionalItems
		if testing.Short() {
			items = items[:2]
		}
		for _, item := range items {
			tag := tagOf(w, item)
			for _, match := range tagConditions {
				for _, noneMatch := range tagConditions {
					for _, unmodified := range timeConditions {
						for _, modified := range append([]string{afterChanged}, timeConditions...) {
							playConditions(w, item, tag, [4]string{match, unmodified, noneMatch, modified})
						}
					}
				}
			}
			if again := tagOf(w, item); again != tag {
				w.T.Errorf("%s was changed by a rejected request", item)
			}
		}
	})
}

// playConditions sends the conditions with a GET, a HEAD and a PATCH. The PATCH has an invalid body, which is only
// read if the conditions hold.
func playConditions(w spec.Wire, item, tag string, values [4]string) {
	w.T.Helper()
	var lines []string
	for i, name := range [...]string{"If-Match", "If-Unmodified-Since", "If-None-Match", "If-Modified-Since"} {
		if values[i] != "" {
			lines = append(lines, name, strings.ReplaceAll(values[i], "MINE", tag))
		}
	}
	dated := strings.HasPrefix(item, "/api/scrolls")
	for method, otherwise := range map[string]int{"GET": 200, "HEAD": 200, "PATCH": 400} {
		body := ""
		if method == "PATCH" {
			body = `{"title":""}`
		}
		want := verdict(method != "PATCH", dated, values[0], values[1], values[2], values[3])
		if want == 0 {
			want = otherwise
		}
		if got := w.Send(method+" "+item, body, lines...); got.Status != want {
			w.T.Errorf("%s %s with %q is %d, want %d: %s", method, item, lines, got.Status, want, got.Body)
		}
	}
}

func TestListsOfTags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule         string
		lines        []string // for If-Match, and for If-None-Match
		match, fresh int      // the status of a GET with them as If-Match, as If-None-Match
	}{
		{"one of a list", spec.Header(`"x", MINE ,"y"`), 200, 304},
		{"none of a list", spec.Header(`"x","y"`), 412, 200},
		{"empty elements of a list", spec.Header(`,, "x",	,MINE,`), 200, 304},
		{"several lines are one list", spec.Header(`"x"`, `MINE`, `"y"`), 200, 304},
		{"a weak tag is strong enough for a reader alone", spec.Header(`W/MINE`), 412, 304},
		{"a weak tag beside the strong one", spec.Header(`W/MINE, MINE`), 200, 304},
		{"a comma within a tag parts nothing", spec.Header(`"x,y"`), 412, 200},
		{"an empty tag is one", spec.Header(`""`), 412, 200},
		{"tags are compared by case", spec.Header(`"X"`), 412, 200},
		{"a tag of many characters", spec.Header(`"` + strings.Repeat("a", 4000) + `"`), 412, 200},
		{"no quotation marks", spec.Header(`abc`), 400, 400},
		{"one quotation mark", spec.Header(`"abc`), 400, 400},
		{"no comma", spec.Header(`"a" "b"`), 400, 400},
		{"a space in a tag", spec.Header(`"a b"`), 400, 400},
		{"a small w", spec.Header(`w/"a"`), 400, 400},
		{"a star in a list", spec.Header(`*, "a"`), 400, 400},
		{"a star on a line of its own", spec.Header(`*`, `"a"`), 400, 400},
		{"two stars", spec.Header(`*`, `*`), 400, 400},
		{"an empty field", spec.Header(``), 400, 400},
		{"commas alone", spec.Header(`,`), 400, 400},
		{"apostrophes", spec.Header(`'a'`), 400, 400},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
				for _, item := range conditionalItems {
					tag := tagOf(w, item)
					for name, want := range map[string]int{"If-Match": test.match, "If-None-Match": test.fresh} {
						var lines []string
						for _, line := range test.lines {
							lines = append(lines, name, strings.ReplaceAll(line, "MINE", tag))
						}
						a := w.Send("GET "+item, "", lines...).HasStatus(want)
						if want == 400 {
							a.IsProblem(400).Mentions(`"name":"`+name+`","in":"header"`, "double quotes")
						}
					}
				}
			})
		})
	}
}

func TestAPreconditionThatFailsSavesNothing(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		for _, item := range conditionalItems {
			before := w.Send("GET "+item, "").HasStatus(200)
			tag := before.Header.Get("ETag")
			for _, lines := range [][]string{
				spec.Header("If-Match", `"other"`), spec.Header("If-Match", "W/"+tag), spec.Header("If-None-Match", "*"),
				spec.Header("If-None-Match", tag), spec.Header("If-None-Match", "W/"+tag), spec.Header("If-Match", tag, "If-None-Match", tag),
			} {
				for _, request := range []string{"PUT ", "PATCH ", "DELETE "} {
					body := `{"title":"b","code":"2"}`
					if !strings.Contains(item, "chests") {
						body = `{"title":"b"}`
					}
					if request == "DELETE " {
						body = ""
					}
					w.Send(request+item, body, lines...).IsProblem(412).Has("ETag", "")
				}
			}
			after := w.Send("GET "+item, "").Is(200, before.Body)
			if after.Header.Get("ETag") != tag {
				w.T.Errorf("%s has another tag", item)
			}
			w.Send("DELETE "+item, "", "If-Match", tag).Is(204, "")
			w.Send("DELETE "+item, "", "If-Match", tag).IsProblem(404)
		}
	})
}

func TestOfTwoChangesToOneStateTheSecondFails(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		for _, item := range conditionalItems {
			tag := tagOf(w, item)
			first := w.Send("PATCH "+item, `{"title":"first"}`, "If-Match", tag).HasStatus(200)
			w.Send("PATCH "+item, `{"title":"second"}`, "If-Match", tag).IsProblem(412)
			w.Send("GET "+item, "").HasStatus(200).Mentions(`"title":"first"`)
			w.Send("PUT "+item, `{"title":"third"}`, "If-Match", first.Header.Get("ETag")).HasStatus(200)
		}
	})
}

func TestAnETagOfAnyResponseGuardsAChange(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		for _, item := range conditionalItems {
			sparse, whole := tagOf(w, item+"?fields=title"), tagOf(w, item)
			if sparse == whole {
				t.Errorf("%s: two representations have the tag %s", item, whole)
			}
			w.Send("GET "+item, "", "If-None-Match", sparse).HasStatus(200)
			w.Send("GET "+item+"?fields=title", "", "If-None-Match", whole).HasStatus(200)
			w.Send("GET "+item+"?fields=title", "", "If-None-Match", sparse).Is(304, "")
			w.Send("GET "+item, "", "If-Match", sparse).HasStatus(200)
			w.Send("PATCH "+item, `{"title":"b"}`, "If-None-Match", sparse).IsProblem(412)
			w.Send("PATCH "+item, `{"title":"b"}`, "If-Match", sparse).HasStatus(200)
			w.Send("PATCH "+item, `{"title":"c"}`, "If-Match", sparse).IsProblem(412)
		}
	})
}

func TestIfNoneMatchStarCreatesOnly(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		w.Send("PUT /api/keepers/new", `{"title":"a"}`, "If-Match", "*").IsProblem(412)
		w.Send("PUT /api/keepers/new", `{"title":"a"}`, "If-Match", `"x"`).IsProblem(412)
		w.Send("GET /api/keepers/new", "").IsProblem(404)
		w.Send("PUT /api/keepers/new", `{"title":"a"}`, "If-None-Match", "*").HasStatus(201).Has("Location", "/api/keepers/new")
		w.Send("PUT /api/keepers/new", `{"title":"b"}`, "If-None-Match", "*").IsProblem(412)
		w.Send("GET /api/keepers/new", "").HasStatus(200).Mentions(`"title":"a"`)
		w.Send("PUT /api/keepers/new", `{"title":"b"}`, "If-Match", "*").HasStatus(200)
		w.Send("PUT /api/goblets/9", `{"title":"b"}`, "If-None-Match", "*").IsProblem(404) // nothing is created there
	})
}

func TestOtherErrorsComeBeforePreconditions(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		const other = `"other"`
		w.Send("GET /api/scrolls/9", "", "If-Match", other).IsProblem(404)
		w.Send("GET /api/scrolls/9", "", "If-None-Match", "*").IsProblem(404)
		w.Send("GET /api/scrolls/1?nope=1", "", "If-Match", other).IsProblem(400).Mentions("nope")
		w.Send("GET /api/scrolls/1", "", "If-Match", other, "Accept", "text/csv").IsProblem(406)
		w.Send("PATCH /api/scrolls/1", "x", "If-Match", other, "Content-Type", "text/plain").IsProblem(415)
		w.Send("BREW /api/scrolls/1", "", "If-Match", other).IsProblem(405)
		w.Send("PATCH /api/scrolls/1", "{", "If-Match", other).IsProblem(412) // before the content is read
		w.Send("PATCH /api/scrolls/1", `{"title":""}`, "If-Match", other).IsProblem(412)
		w.Send("OPTIONS /api/scrolls/1", "", "If-Match", other).Is(204, "")
	})
}

func TestChangesWithoutARequiredPreconditionAreRejected(t *testing.T) {
	t.Parallel()
	api := func(t testing.TB) spec.Client {
		t.Helper()
		at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
		return spec.NewClient(t, resource.Config{},
			resource.Of[spec.Scroll]{RequirePrecondition: true, Store: memory.New(spec.Scroll{Title: "a", ChangedAt: at})},
			resource.Of[spec.Keeper]{
				RequirePrecondition: true, Store: memory.New(spec.Keeper{Name: "1", Title: "a"}),
				Operations: []operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}, operation.Post{}},
			})
	}
	spec.OverTheWire(t, api, func(w spec.Wire) {
		for _, lines := range [][]string{
			nil, spec.Header("If-Modified-Since", changed), spec.Header("If-Unmodified-Since", "yesterday"),
			spec.Header("If-Unmodified-Since", afterChanged, "If-Unmodified-Since", afterChanged), spec.Header("If-Range", `"x"`),
			spec.Header("If-Unmodified-Since", beforeChanged), spec.Header("If-Unmodified-Since", changed), spec.Header("If-Unmodified-Since", afterChanged),
			spec.Header("If-None-Match", `"x"`), spec.Header("If-None-Match", `W/"x", "y"`), spec.Header("If-None-Match", `"x"`, "If-Unmodified-Since", changed),
		} {
			w.Send("PUT /api/scrolls/1", `{"title":"b"}`, lines...).IsProblem(428).Mentions("If-Match")
			w.Send("PATCH /api/scrolls/1", `{"title":"b"}`, lines...).IsProblem(428)
			w.Send("DELETE /api/scrolls/1", "", lines...).IsProblem(428)
			w.Send("PUT /api/keepers/1", `{"title":"b"}`, lines...).IsProblem(428)
		}
		w.Send("GET /api/scrolls/1", "").HasStatus(200).Mentions(`"title":"a"`)
		w.Send("POST /api/scrolls", `{"title":"b"}`).HasStatus(201) // there is no state yet
		w.Send("PATCH /api/scrolls/1", `{"title":"b"}`, "If-Match", `"x"`).IsProblem(412)
		w.Send("PATCH /api/scrolls/1", `{"title":"b"}`, "If-Match", tagOf(w, "/api/scrolls/1")).HasStatus(200)
		w.Send("PATCH /api/scrolls/1", `{"title":"c"}`, "If-Match", "*").HasStatus(200) // any state is accepted
		w.Send("PUT /api/keepers/1", `{"title":"c"}`, "If-None-Match", "*").IsProblem(412)
		w.Send("PUT /api/keepers/new", `{"title":"b"}`, "If-None-Match", "*").HasStatus(201)
		w.Send("DELETE /api/scrolls/1", "", "If-Match", tagOf(w, "/api/scrolls/1")).Is(204, "")
	})
}

// TestOfTwoChangesWithinASecondTheSecondFails has a resource whose changes require a condition. Both changes name
// the same state.
func TestOfTwoChangesWithinASecondTheSecondFails(t *testing.T) {
	t.Parallel()
	of := resource.Of[spec.Scroll]{RequirePrecondition: true, Store: memory.New(spec.Scroll{Title: "a"})}
	c := spec.NewClient(t, resource.Config{}, of)
	read := c.Send("GET /api/scrolls/1", "").HasStatus(200)
	for field, value := range map[string]string{"If-Match": read.Header.Get("ETag"), "If-Unmodified-Since": time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)} {
		passed := 0
		for _, title := range []string{"b", "c"} {
			if c.Send("PATCH /api/scrolls/1", `{"title":"`+title+`"}`, field, value).Status == 200 {
				passed++
			}
		}
		if passed > 1 {
			t.Errorf("both changes passed by %s", field)
		}
	}
}

type vase struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func TestAWeakTagInIfMatchFailsAndTheErrorSaysWhy(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[vase]{})
	tag := c.Send("POST /api/vases", `{"name":"Ming"}`).Header.Get("ETag")
	for _, request := range []string{"GET /api/vases/1", "PUT /api/vases/1", "PATCH /api/vases/1", "DELETE /api/vases/1"} {
		body := ""
		if request[0] == 'P' {
			body = `{"name":"Qing"}`
		}
		for match, says := range map[string]string{
			`W/` + tag:                "is weak",
			`W/"other", W/` + tag:     "is weak",
			`"other"`:                 "Reload it",
			`"other", W/` + tag:       "Reload it",
			`W/` + tag + `, "other" `: "Reload it",
		} {
			c.Send(request, body, "If-Match", match).IsProblem(http.StatusPreconditionFailed).Mentions(says)
		}
	}
	c.Send("PATCH /api/vases/2", `{"name":"Qing"}`, "If-Match", "W/"+tag).IsProblem(http.StatusNotFound)
	c.Send("GET /api/vases/1", "", "If-None-Match", "W/"+tag).HasStatus(http.StatusNotModified)
	c.Send("PATCH /api/vases/1", `{"name":"Qing"}`, "If-Match", tag).HasStatus(http.StatusOK)
}
