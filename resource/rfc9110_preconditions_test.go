package resource_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// The values of a request's conditions; MINE is replaced by the record's own tag.
var (
	tagConditions  = []string{"", "MINE", `"other"`, "*", "W/MINE"}
	timeConditions = []string{"", beforeChanged, changed}
)

// verdict says what RFC 9110, section 13.2.2, makes of conditions: 412, 304, or 0 for
// what would be answered without them.
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
	overTheWire(t, conditionalAPI, func(w wire) {
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
				w.t.Errorf("%s was changed by what was refused", item)
			}
		}
	})
}

// playConditions sends the conditions with a GET, a HEAD and a PATCH. The last has a body
// that is refused, which is looked at only if the conditions hold.
func playConditions(w wire, item, tag string, values [4]string) {
	w.t.Helper()
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
		if got := w.send(method+" "+item, body, lines...); got.status != want {
			w.t.Errorf("%s %s with %q is %d, want %d: %s", method, item, lines, got.status, want, got.body)
		}
	}
}

func TestListsOfTags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule         string
		lines        []string // of If-Match, and of If-None-Match
		match, fresh int      // the status of a GET with them as If-Match, as If-None-Match
	}{
		{"one of a list", header(`"x", MINE ,"y"`), 200, 304},
		{"none of a list", header(`"x","y"`), 412, 200},
		{"empty elements of a list", header(`,, "x",	,MINE,`), 200, 304},
		{"several lines are one list", header(`"x"`, `MINE`, `"y"`), 200, 304},
		{"a weak tag is strong enough for a reader alone", header(`W/MINE`), 412, 304},
		{"a weak tag beside the strong one", header(`W/MINE, MINE`), 200, 304},
		{"a comma within a tag parts nothing", header(`"x,y"`), 412, 200},
		{"an empty tag is one", header(`""`), 412, 200},
		{"tags are compared by case", header(`"X"`), 412, 200},
		{"a tag of many characters", header(`"` + strings.Repeat("a", 4000) + `"`), 412, 200},
		{"no quotation marks", header(`abc`), 400, 400},
		{"one quotation mark", header(`"abc`), 400, 400},
		{"no comma", header(`"a" "b"`), 400, 400},
		{"a space in a tag", header(`"a b"`), 400, 400},
		{"a small w", header(`w/"a"`), 400, 400},
		{"a star in a list", header(`*, "a"`), 400, 400},
		{"a star on a line of its own", header(`*`, `"a"`), 400, 400},
		{"two stars", header(`*`, `*`), 400, 400},
		{"an empty field", header(``), 400, 400},
		{"commas alone", header(`,`), 400, 400},
		{"apostrophes", header(`'a'`), 400, 400},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, conditionalAPI, func(w wire) {
				for _, item := range conditionalItems {
					tag := tagOf(w, item)
					for name, want := range map[string]int{"If-Match": test.match, "If-None-Match": test.fresh} {
						var lines []string
						for _, line := range test.lines {
							lines = append(lines, name, strings.ReplaceAll(line, "MINE", tag))
						}
						a := w.send("GET "+item, "", lines...).hasStatus(want)
						if want == 400 {
							a.isProblem(400).mentions(`"name":"`+name+`","in":"header"`, "double quotes")
						}
					}
				}
			})
		})
	}
}

func TestAPreconditionThatFailsSavesNothing(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, item := range conditionalItems {
			before := w.send("GET "+item, "").hasStatus(200)
			tag := before.header.Get("ETag")
			for _, lines := range [][]string{
				header("If-Match", `"other"`), header("If-Match", "W/"+tag), header("If-None-Match", "*"),
				header("If-None-Match", tag), header("If-None-Match", "W/"+tag), header("If-Match", tag, "If-None-Match", tag),
			} {
				for _, request := range []string{"PUT ", "PATCH ", "DELETE "} {
					body := `{"title":"b","code":"2"}`
					if !strings.Contains(item, "chests") {
						body = `{"title":"b"}`
					}
					if request == "DELETE " {
						body = ""
					}
					w.send(request+item, body, lines...).isProblem(412).has("ETag", "")
				}
			}
			after := w.send("GET "+item, "").is(200, before.body)
			if after.header.Get("ETag") != tag {
				w.t.Errorf("%s has another tag", item)
			}
			w.send("DELETE "+item, "", "If-Match", tag).is(204, "")
			w.send("DELETE "+item, "", "If-Match", tag).isProblem(404)
		}
	})
}

func TestOfTwoChangesToOneStateTheSecondFails(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, item := range conditionalItems {
			tag := tagOf(w, item)
			first := w.send("PATCH "+item, `{"title":"first"}`, "If-Match", tag).hasStatus(200)
			w.send("PATCH "+item, `{"title":"second"}`, "If-Match", tag).isProblem(412)
			w.send("GET "+item, "").hasStatus(200).mentions(`"title":"first"`)
			w.send("PUT "+item, `{"title":"third"}`, "If-Match", first.header.Get("ETag")).hasStatus(200)
		}
	})
}

func TestATagOfAnyAnswerGuardsAChange(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, item := range conditionalItems {
			sparse, whole := tagOf(w, item+"?fields=title"), tagOf(w, item)
			if sparse == whole {
				t.Errorf("%s: two representations have the tag %s", item, whole)
			}
			w.send("GET "+item, "", "If-None-Match", sparse).hasStatus(200)
			w.send("GET "+item+"?fields=title", "", "If-None-Match", whole).hasStatus(200)
			w.send("GET "+item+"?fields=title", "", "If-None-Match", sparse).is(304, "")
			w.send("GET "+item, "", "If-Match", sparse).hasStatus(200)
			w.send("PATCH "+item, `{"title":"b"}`, "If-None-Match", sparse).isProblem(412)
			w.send("PATCH "+item, `{"title":"b"}`, "If-Match", sparse).hasStatus(200)
			w.send("PATCH "+item, `{"title":"c"}`, "If-Match", sparse).isProblem(412)
		}
	})
}

func TestIfNoneMatchStarCreatesOnly(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		w.send("PUT /api/keepers/new", `{"title":"a"}`, "If-Match", "*").isProblem(412)
		w.send("PUT /api/keepers/new", `{"title":"a"}`, "If-Match", `"x"`).isProblem(412)
		w.send("GET /api/keepers/new", "").isProblem(404)
		w.send("PUT /api/keepers/new", `{"title":"a"}`, "If-None-Match", "*").hasStatus(201).has("Location", "/api/keepers/new")
		w.send("PUT /api/keepers/new", `{"title":"b"}`, "If-None-Match", "*").isProblem(412)
		w.send("GET /api/keepers/new", "").hasStatus(200).mentions(`"title":"a"`)
		w.send("PUT /api/keepers/new", `{"title":"b"}`, "If-Match", "*").hasStatus(200)
		w.send("PUT /api/goblets/9", `{"title":"b"}`, "If-None-Match", "*").isProblem(404) // nothing is created there
	})
}

func TestWhatWouldBeRefusedAnywayIsToldFirst(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		const other = `"other"`
		w.send("GET /api/scrolls/9", "", "If-Match", other).isProblem(404)
		w.send("GET /api/scrolls/9", "", "If-None-Match", "*").isProblem(404)
		w.send("GET /api/scrolls/1?nope=1", "", "If-Match", other).isProblem(400).mentions("nope")
		w.send("GET /api/scrolls/1", "", "If-Match", other, "Accept", "text/csv").isProblem(406)
		w.send("PATCH /api/scrolls/1", "x", "If-Match", other, "Content-Type", "text/plain").isProblem(415)
		w.send("BREW /api/scrolls/1", "", "If-Match", other).isProblem(405)
		w.send("PATCH /api/scrolls/1", "{", "If-Match", other).isProblem(412) // before the content is looked at
		w.send("PATCH /api/scrolls/1", `{"title":""}`, "If-Match", other).isProblem(412)
		w.send("OPTIONS /api/scrolls/1", "", "If-Match", other).is(204, "")
	})
}

func TestUnguardedChangesAreRefusedWhereTheyMustBeGuarded(t *testing.T) {
	t.Parallel()
	api := func(t testing.TB) client {
		t.Helper()
		at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
		return newClient(t, resource.Config{},
			resource.Of[Scroll]{RequirePrecondition: true, Store: memory.New(Scroll{Title: "a", ChangedAt: at})},
			resource.Of[Keeper]{
				RequirePrecondition: true, Store: memory.New(Keeper{Name: "1", Title: "a"}),
				Operations: []operation.Operation{operation.Get{}, operation.Put{AllowCreate: true}, operation.Post{}},
			})
	}
	overTheWire(t, api, func(w wire) {
		for _, lines := range [][]string{
			nil, header("If-Modified-Since", changed), header("If-Unmodified-Since", "yesterday"),
			header("If-Unmodified-Since", afterChanged, "If-Unmodified-Since", afterChanged), header("If-Range", `"x"`),
			header("If-Unmodified-Since", beforeChanged), header("If-Unmodified-Since", changed), header("If-Unmodified-Since", afterChanged),
			header("If-None-Match", `"x"`), header("If-None-Match", `W/"x", "y"`), header("If-None-Match", `"x"`, "If-Unmodified-Since", changed),
		} {
			w.send("PUT /api/scrolls/1", `{"title":"b"}`, lines...).isProblem(428).mentions("If-Match")
			w.send("PATCH /api/scrolls/1", `{"title":"b"}`, lines...).isProblem(428)
			w.send("DELETE /api/scrolls/1", "", lines...).isProblem(428)
			w.send("PUT /api/keepers/1", `{"title":"b"}`, lines...).isProblem(428)
		}
		w.send("GET /api/scrolls/1", "").hasStatus(200).mentions(`"title":"a"`)
		w.send("POST /api/scrolls", `{"title":"b"}`).hasStatus(201) // there is no state yet
		w.send("PATCH /api/scrolls/1", `{"title":"b"}`, "If-Match", `"x"`).isProblem(412)
		w.send("PATCH /api/scrolls/1", `{"title":"b"}`, "If-Match", tagOf(w, "/api/scrolls/1")).hasStatus(200)
		w.send("PATCH /api/scrolls/1", `{"title":"c"}`, "If-Match", "*").hasStatus(200) // which says that any will do
		w.send("PUT /api/keepers/1", `{"title":"c"}`, "If-None-Match", "*").isProblem(412)
		w.send("PUT /api/keepers/new", `{"title":"b"}`, "If-None-Match", "*").hasStatus(201)
		w.send("DELETE /api/scrolls/1", "", "If-Match", tagOf(w, "/api/scrolls/1")).is(204, "")
	})
}

// TestOfTwoChangesWithinASecondTheSecondFails has a resource whose changes must say which
// state they are for. Both know the same one.
func TestOfTwoChangesWithinASecondTheSecondFails(t *testing.T) {
	t.Parallel()
	of := resource.Of[Scroll]{RequirePrecondition: true, Store: memory.New(Scroll{Title: "a"})}
	c := newClient(t, resource.Config{}, of)
	read := c.send("GET /api/scrolls/1", "").hasStatus(200)
	for field, value := range map[string]string{"If-Match": read.header.Get("ETag"), "If-Unmodified-Since": time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)} {
		passed := 0
		for _, title := range []string{"b", "c"} {
			if c.send("PATCH /api/scrolls/1", `{"title":"`+title+`"}`, field, value).status == 200 {
				passed++
			}
		}
		if passed > 1 {
			t.Errorf("both changes passed by %s", field)
		}
	}
}
