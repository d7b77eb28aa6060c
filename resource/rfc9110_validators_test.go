package resource_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestTheTagOfAChangeIsThatOfTheNextGet(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, item := range conditionalItems {
			for _, change := range []answer{
				w.send("PUT "+item, `{"title":"put"}`).hasStatus(200),
				w.send("PATCH "+item, `{"title":"patched","lines":["a","b"]}`).hasStatus(200),
			} {
				if change.header.Get("ETag") == "" {
					w.t.Errorf("a change of %s has no tag", item)
				}
			}
			patched := w.send("PATCH "+item, `{"title":"again"}`).hasStatus(200)
			sameState(w, patched, item)
		}
		for collection, body := range map[string]string{
			"/api/scrolls": `{"title":"x"}`, "/api/goblets": `{"title":"x"}`, "/api/chests": `{"title":"x","code":"7"}`, "/api/keepers": `{"name":"2","title":"x"}`,
		} {
			created := w.send("POST "+collection, body).hasStatus(201)
			sameState(w, created, created.header.Get("Location"))
			replaced := w.send("PUT "+collection+"/2", `{"title":"y"}`).hasStatus(200)
			sameState(w, replaced, collection+"/2")
		}
		sameState(w, w.send("PUT /api/keepers/3", `{"title":"y"}`).hasStatus(201), "/api/keepers/3")
		retitled := w.send("POST /api/scrolls/1/retitle", `{"title":"by hand"}`).hasStatus(200)
		sameState(w, retitled, "/api/scrolls/1")
	})
}

// sameState asserts that the answer to a change has the validators of the next Get, or
// none that another state has: a handler's answer names the same state.
func sameState(w wire, change answer, item string) {
	w.t.Helper()
	now := w.send("GET "+item, "").hasStatus(200)
	if change.body != now.body || change.header.Get("ETag") != now.header.Get("ETag") || change.header.Get("Last-Modified") != now.header.Get("Last-Modified") {
		w.t.Errorf("after the change %v %s comes %v %s", change.header, change.body, now.header, now.body)
	}
	w.send("GET "+item, "", "If-None-Match", change.header.Get("ETag")).is(304, "")
}

func TestTheTagChangesWithEveryMember(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, item := range conditionalItems {
			seen := map[string]string{tagOf(w, item): "the first"}
			patches := []string{`{"title":"b"}`, `{"lines":["a"]}`, `{"lines":["a","b"]}`, `{"title":"c"}`, `{"lines":["ab"]}`}
			if strings.Contains(item, "chests") {
				patches = append(patches, `{"code":"2"}`, `{"code":""}`)
			}
			for _, patch := range patches {
				w.send("PATCH "+item, patch).hasStatus(200)
				tag := tagOf(w, item)
				if other, met := seen[tag]; met {
					w.t.Errorf("%s has after %s the tag of %s", item, patch, other)
				}
				seen[tag] = patch
			}
		}
		first := tagOf(w, "/api/chests/1")
		w.send("PATCH /api/chests/1", `{"code":"9"}`).hasStatus(200)
		w.send("PATCH /api/chests/1", `{"title":"lost"}`, "If-Match", first).isProblem(412)
	})
}

func TestAnotherRecordOfTheSameNameHasAnotherState(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		w.send("PUT /api/keepers/x", `{"title":"a"}`).hasStatus(201)
		tag := tagOf(w, "/api/keepers/x")
		w.send("DELETE /api/keepers/x", "").is(204, "")
		w.send("PUT /api/keepers/x", `{"title":"b"}`).hasStatus(201)
		w.send("DELETE /api/keepers/x", "", "If-Match", tag).isProblem(412)
	})
}

func TestTheTagOfACollectionChangesWithAllThatItSays(t *testing.T) {
	t.Parallel()
	api := func(t testing.TB) client {
		t.Helper()
		return newClient(t, resource.Config{}, resource.Of[Goblet]{
			Pagination: operation.Pagination{ItemsPerPage: 2},
			Store:      memory.New(Goblet{Title: "a"}, Goblet{Title: "b"}, Goblet{Title: "c"}, Goblet{Title: "d"}, Goblet{Title: "e"}),
		})
	}
	const list = "/api/goblets"
	for _, test := range []struct{ rule, page, request, body string }{
		{"with a record on the page", list, "PATCH /api/goblets/1", `{"title":"z"}`},
		{"with the total, though the records are the same", list, "DELETE /api/goblets/4", ""},
		{"with the total and the links, though the records are the same", list, "DELETE /api/goblets/5", ""},
		{"with a new record on another page", list, "POST /api/goblets", `{"title":"f"}`},
		{"with one that comes into a filter", list + "?title=c", "PATCH /api/goblets/5", `{"title":"c"}`},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			overTheWire(t, api, func(w wire) {
				tag := tagOf(w, test.page)
				w.send("GET "+test.page, "", "If-None-Match", tag).is(304, "")
				w.send(test.request, test.body)
				w.send("GET "+test.page, "", "If-None-Match", tag).hasStatus(200)
				if tagOf(w, test.page) == tag {
					w.t.Errorf("the tag is still %s", tag)
				}
			})
		})
	}
	t.Run("and with nothing else", func(t *testing.T) {
		t.Parallel()
		overTheWire(t, api, func(w wire) {
			tag := tagOf(w, list+"?page=2&title=c")
			w.send("PATCH /api/goblets/1", `{"title":"z"}`).hasStatus(200)
			w.send("GET "+list+"?page=2&title=c", "", "If-None-Match", tag).is(304, "")
		})
	})
}

func TestWhatIsNotModifiedSaysAllThatCachesNeed(t *testing.T) {
	t.Parallel()
	api := func(t testing.TB) client {
		t.Helper()
		return newClient(
			t, resource.Config{},
			resource.Of[Goblet]{Store: memory.New(Goblet{Title: "a"}, Goblet{Title: "b"}), Pagination: operation.Pagination{ItemsPerPage: 1}},
			resource.Of[Keeper]{Store: memory.New(Keeper{Name: "1"}), CacheControl: "private, max-age=60"},
			resource.Of[Scroll]{Store: memory.New(Scroll{Title: "a"})},
		)
	}
	overTheWire(t, api, func(w wire) {
		w.send("PATCH /api/scrolls/1", `{"title":"b"}`).hasStatus(200)
		for _, target := range []string{"/api/goblets/1", "/api/goblets", "/api/goblets?page=2", "/api/keepers", "/api/keepers/1", "/api/keepers/1.json", "/api/scrolls/1", "/api/scrolls"} {
			whole := w.send("GET "+target, "").hasStatus(200)
			for _, method := range []string{"GET ", "HEAD "} {
				none := w.send(method+target, "", "If-None-Match", whole.header.Get("ETag")).is(304, "")
				for _, name := range []string{"ETag", "Cache-Control", "Vary", "Link", "X-Total-Count", "Last-Modified"} {
					none.has(name, whole.header.Get(name))
				}
				none.has("Content-Type", "").has("Content-Length", "").has("Content-Encoding", "")
			}
			if whole.header.Get("ETag") == "" || whole.header.Get("Cache-Control") == "" || whole.header.Get("Vary") != "Accept" {
				w.t.Errorf("%s says %v", target, whole.header)
			}
		}
		w.send("GET /api/goblets/1", "").has("Cache-Control", "no-cache").has("Last-Modified", "")
		w.send("GET /api/keepers/1", "").has("Cache-Control", "private, max-age=60")
		w.send("GET /api/goblets", "").has("X-Total-Count", "2")
	})
}

func TestHeadIsGetWithoutItsBody(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, target := range []string{
			"/api", "/api/scrolls", "/api/scrolls.json", "/api/scrolls.ndjson", "/api/scrolls?page=2", "/api/scrolls/1", "/api/goblets/1.json", "/api/chests/1?fields=title",
			"/api/keepers/1", "/api/keepers/none", "/api/goblets/x", "/nowhere", "/api/scrolls?nope=1", "/api/scrolls/1.xml", "/api/scrolls/1/retitle",
		} {
			for _, lines := range [][]string{nil, header("Accept", "text/csv"), header("If-Match", `"x"`), header("If-None-Match", "*"), header("If-Match", "x")} {
				get, head := w.send("GET "+target, "", lines...), w.send("HEAD "+target, "", lines...)
				get.header.Del("Date")
				head.header.Del("Date")
				if get.status != head.status || !maps.EqualFunc(get.header, head.header, slices.Equal) || head.body != "" {
					w.t.Errorf("%s %v: GET %d %v, HEAD %d %v %s", target, lines, get.status, get.header, head.status, head.header, head.body)
				}
			}
		}
	})
}

func TestContentLengthIsRight(t *testing.T) {
	t.Parallel()
	overTheWire(t, conditionalAPI, func(w wire) {
		for _, request := range [][2]string{
			{"GET /api"},
			{"GET /api/scrolls"},
			{"GET /api/scrolls/1"},
			{"GET /api/nowhere"},
			{"GET /api/keepers/x"},
			{"GET /api/scrolls?x=1"},
			{"DELETE /api/scrolls"},
			{"POST /api/scrolls", `{"title":"Ü 𝄞"}`},
			{"PUT /api/scrolls/1", `{"title":"Ü"}`},
			{"PATCH /api/scrolls/1", `{"title":""}`},
			{"PUT /api/keepers/z", `{"title":"Ü"}`},
		} {
			a := w.send(request[0], request[1])
			if a.body == "" || a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
				w.t.Errorf("%s has Content-Length %q and %d bytes", request[0], a.header.Get("Content-Length"), len(a.body))
			}
		}
		if a := w.send("DELETE /api/scrolls/1", "").is(http.StatusNoContent, ""); a.header["Content-Length"] != nil || a.header["Content-Type"] != nil {
			w.t.Errorf("a 204 says %v", a.header)
		}
	})
}
