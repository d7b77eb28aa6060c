package wire_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestTheTagOfAChangeIsThatOfTheNextGet(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		for _, item := range conditionalItems {
			for _, change := range []spec.Response{
				w.Send("PUT "+item, `{"title":"put"}`).HasStatus(200),
				w.Send("PATCH "+item, `{"title":"patched","lines":["a","b"]}`).HasStatus(200),
			} {
				if change.Header.Get("ETag") == "" {
					w.T.Errorf("a change of %s has no tag", item)
				}
			}
			patched := w.Send("PATCH "+item, `{"title":"again"}`).HasStatus(200)
			sameState(w, patched, item)
		}
		for collection, body := range map[string]string{
			"/api/scrolls": `{"title":"x"}`, "/api/goblets": `{"title":"x"}`, "/api/chests": `{"title":"x","code":"7"}`, "/api/keepers": `{"name":"2","title":"x"}`,
		} {
			created := w.Send("POST "+collection, body).HasStatus(201)
			sameState(w, created, created.Header.Get("Location"))
			replaced := w.Send("PUT "+collection+"/2", `{"title":"y"}`).HasStatus(200)
			sameState(w, replaced, collection+"/2")
		}
		sameState(w, w.Send("PUT /api/keepers/3", `{"title":"y"}`).HasStatus(201), "/api/keepers/3")
		retitled := w.Send("POST /api/scrolls/1/retitle", `{"title":"by hand"}`).HasStatus(200)
		sameState(w, retitled, "/api/scrolls/1")
	})
}

// sameState asserts that the response to a change has the validators of the next Get, or none that another state
// has. A handler's response names the same state.
func sameState(w spec.Wire, change spec.Response, item string) {
	w.T.Helper()
	now := w.Send("GET "+item, "").HasStatus(200)
	if change.Body != now.Body || change.Header.Get("ETag") != now.Header.Get("ETag") || change.Header.Get("Last-Modified") != now.Header.Get("Last-Modified") {
		w.T.Errorf("after the change %v %s comes %v %s", change.Header, change.Body, now.Header, now.Body)
	}
	w.Send("GET "+item, "", "If-None-Match", change.Header.Get("ETag")).Is(304, "")
}

func TestTheETagChangesWithEveryField(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		for _, item := range conditionalItems {
			seen := map[string]string{tagOf(w, item): "the first"}
			patches := []string{`{"title":"b"}`, `{"lines":["a"]}`, `{"lines":["a","b"]}`, `{"title":"c"}`, `{"lines":["ab"]}`}
			if strings.Contains(item, "chests") {
				patches = append(patches, `{"code":"2"}`, `{"code":""}`)
			}
			for _, patch := range patches {
				w.Send("PATCH "+item, patch).HasStatus(200)
				tag := tagOf(w, item)
				if other, met := seen[tag]; met {
					w.T.Errorf("%s has after %s the tag of %s", item, patch, other)
				}
				seen[tag] = patch
			}
		}
		first := tagOf(w, "/api/chests/1")
		w.Send("PATCH /api/chests/1", `{"code":"9"}`).HasStatus(200)
		w.Send("PATCH /api/chests/1", `{"title":"lost"}`, "If-Match", first).IsProblem(412)
	})
}

func TestAnotherRecordOfTheSameNameHasAnotherState(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		w.Send("PUT /api/keepers/x", `{"title":"a"}`).HasStatus(201)
		tag := tagOf(w, "/api/keepers/x")
		w.Send("DELETE /api/keepers/x", "").Is(204, "")
		w.Send("PUT /api/keepers/x", `{"title":"b"}`).HasStatus(201)
		w.Send("DELETE /api/keepers/x", "", "If-Match", tag).IsProblem(412)
	})
}

func TestTheTagOfACollectionChangesWithAllThatItSays(t *testing.T) {
	t.Parallel()
	api := func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{}, resource.Of[spec.Goblet]{
			Pagination: operation.Pagination{ItemsPerPage: 2},
			Store:      memory.New(spec.Goblet{Title: "a"}, spec.Goblet{Title: "b"}, spec.Goblet{Title: "c"}, spec.Goblet{Title: "d"}, spec.Goblet{Title: "e"}),
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
			spec.OverTheWire(t, api, func(w spec.Wire) {
				tag := tagOf(w, test.page)
				w.Send("GET "+test.page, "", "If-None-Match", tag).Is(304, "")
				w.Send(test.request, test.body)
				w.Send("GET "+test.page, "", "If-None-Match", tag).HasStatus(200)
				if tagOf(w, test.page) == tag {
					w.T.Errorf("the tag is still %s", tag)
				}
			})
		})
	}
	t.Run("and with nothing else", func(t *testing.T) {
		t.Parallel()
		spec.OverTheWire(t, api, func(w spec.Wire) {
			tag := tagOf(w, list+"?page=2&title=c")
			w.Send("PATCH /api/goblets/1", `{"title":"z"}`).HasStatus(200)
			w.Send("GET "+list+"?page=2&title=c", "", "If-None-Match", tag).Is(304, "")
		})
	})
}

func TestWhatIsNotModifiedSaysAllThatCachesNeed(t *testing.T) {
	t.Parallel()
	api := func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(
			t, resource.Config{},
			resource.Of[spec.Goblet]{Store: memory.New(spec.Goblet{Title: "a"}, spec.Goblet{Title: "b"}), Pagination: operation.Pagination{ItemsPerPage: 1}},
			resource.Of[spec.Keeper]{Store: memory.New(spec.Keeper{Name: "1"}), CacheControl: "private, max-age=60"},
			resource.Of[spec.Scroll]{Store: memory.New(spec.Scroll{Title: "a"})},
		)
	}
	spec.OverTheWire(t, api, func(w spec.Wire) {
		w.Send("PATCH /api/scrolls/1", `{"title":"b"}`).HasStatus(200)
		for _, target := range []string{"/api/goblets/1", "/api/goblets", "/api/goblets?page=2", "/api/keepers", "/api/keepers/1", "/api/keepers/1.json", "/api/scrolls/1", "/api/scrolls"} {
			whole := w.Send("GET "+target, "").HasStatus(200)
			for _, method := range []string{"GET ", "HEAD "} {
				none := w.Send(method+target, "", "If-None-Match", whole.Header.Get("ETag")).Is(304, "")
				for _, name := range []string{"ETag", "Cache-Control", "Vary", "Link", "X-Total-Count", "Last-Modified"} {
					none.Has(name, whole.Header.Get(name))
				}
				none.Has("Content-Type", "").Has("Content-Length", "").Has("Content-Encoding", "")
			}
			if whole.Header.Get("ETag") == "" || whole.Header.Get("Cache-Control") == "" || whole.Header.Get("Vary") != "Accept" {
				w.T.Errorf("%s says %v", target, whole.Header)
			}
		}
		w.Send("GET /api/goblets/1", "").Has("Cache-Control", "no-cache").Has("Last-Modified", "")
		w.Send("GET /api/keepers/1", "").Has("Cache-Control", "private, max-age=60")
		w.Send("GET /api/goblets", "").Has("X-Total-Count", "2")
	})
}

func TestHeadIsGetWithoutItsBody(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
		for _, target := range []string{
			"/api", "/api/scrolls", "/api/scrolls.json", "/api/scrolls.ndjson", "/api/scrolls?page=2", "/api/scrolls/1", "/api/goblets/1.json", "/api/chests/1?fields=title",
			"/api/keepers/1", "/api/keepers/none", "/api/goblets/x", "/nowhere", "/api/scrolls?nope=1", "/api/scrolls/1.xml", "/api/scrolls/1/retitle",
		} {
			for _, lines := range [][]string{nil, spec.Header("Accept", "text/csv"), spec.Header("If-Match", `"x"`), spec.Header("If-None-Match", "*"), spec.Header("If-Match", "x")} {
				get, head := w.Send("GET "+target, "", lines...), w.Send("HEAD "+target, "", lines...)
				get.Header.Del("Date")
				head.Header.Del("Date")
				if get.Status != head.Status || !maps.EqualFunc(get.Header, head.Header, slices.Equal) || head.Body != "" {
					w.T.Errorf("%s %v: GET %d %v, HEAD %d %v %s", target, lines, get.Status, get.Header, head.Status, head.Header, head.Body)
				}
			}
		}
	})
}

func TestContentLengthIsRight(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, conditionalAPI, func(w spec.Wire) {
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
			a := w.Send(request[0], request[1])
			if a.Body == "" || a.Header.Get("Content-Length") != strconv.Itoa(len(a.Body)) {
				w.T.Errorf("%s has Content-Length %q and %d bytes", request[0], a.Header.Get("Content-Length"), len(a.Body))
			}
		}
		if a := w.Send("DELETE /api/scrolls/1", "").Is(http.StatusNoContent, ""); a.Header["Content-Length"] != nil || a.Header["Content-Type"] != nil {
			w.T.Errorf("a 204 says %v", a.Header)
		}
	})
}

func TestAGuardThatCannotBeEvaluatedGuardsNothing(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{}, resource.Of[spec.Goblet]{RequirePrecondition: true, Store: memory.New(spec.Goblet{Title: "a"})})
	}, func(w spec.Wire) {
		w.Send("PATCH /api/goblets/1", `{"title":"b"}`, "If-Unmodified-Since", beforeChanged).IsProblem(428)
		w.Send("GET /api/goblets/1", "").HasStatus(200).Mentions(`"title":"a"`)
	})
}

func TestLinkOfAPageKeepsThatOfTheDeprecation(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{}, resource.Of[spec.Goblet]{
			Store: memory.New(spec.Goblet{Title: "a"}, spec.Goblet{Title: "b"}), Pagination: operation.Pagination{ItemsPerPage: 1},
			Deprecated: time.Unix(1688169599, 0), DeprecationLink: "https://example.com/d",
		})
	}, func(w spec.Wire) {
		a := w.Send("GET /api/goblets", "").HasStatus(200)
		if links := strings.Join(a.Header["Link"], ", "); !strings.Contains(links, `rel="deprecation"`) || !strings.Contains(links, `rel="next"`) {
			w.T.Errorf("Link is %q", links)
		}
	})
}

func TestVaryOfMiddlewareIsPreserved(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, func(t testing.TB) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Add("Vary", "Origin")
				w.Header().Add("Link", "</terms>; rel=\"terms-of-service\"")
				next.ServeHTTP(w, r)
			})
		}}}, resource.Of[spec.Goblet]{Store: memory.New(spec.Goblet{Title: "a"}, spec.Goblet{Title: "a"}), Pagination: operation.Pagination{ItemsPerPage: 1}})
	}, func(w spec.Wire) {
		for _, request := range []string{"GET /api/goblets/1", "GET /api/goblets", "GET /api/goblets.ndjson", "GET /api/goblets/9", "GET /api", "POST /api/goblets", "DELETE /api/goblets/2", "GET /nowhere", "PUT /api/goblets"} {
			a := w.Send(request, "")
			vary := strings.Join(a.Header["Vary"], ", ")
			link := strings.Join(a.Header["Link"], ", ")
			if !strings.Contains(vary, "Origin") || !strings.Contains(link, "terms") {
				w.T.Errorf("%s: Vary is %q, Link %q", request, vary, link)
			}
		}
	})
}

func TestTwoContentTypes(t *testing.T) {
	t.Parallel()
	spec.OverTheWire(t, tomes, func(w spec.Wire) {
		w.Send("POST /api/tomes", `{"title":"x"}`, "Content-Type", "application/json", "Content-Type", "text/plain").IsProblem(415)
		w.Send("POST /api/tomes", `{"title":"x"}`, "Content-Encoding", "identity", "Content-Encoding", "gzip").IsProblem(415).Has("Accept-Encoding", "identity")
		w.Send("POST /api/tomes", `{"title":"x"}`, "Content-Type", "text/plain").IsProblem(415).Has("Accept-Encoding", "")
		w.Send("POST /api/tomes", `{"title":"x"}`, "Content-Type", "application/json", "Content-Type", "application/json").IsProblem(415)
	})
}

func TestEveryResponseOfADeprecatedOperationSaysSo(t *testing.T) {
	t.Parallel()
	since, end := time.Unix(1688169599, 999), time.Date(2027, 6, 30, 23, 59, 59, 0, time.FixedZone("east", 3600))
	api := func(t testing.TB) spec.Client {
		t.Helper()
		fail := func(context.Context, *spec.Goblet, struct{}) (string, error) { return "", errors.New("secret") }
		explode := func(context.Context, *spec.Goblet, struct{}) (string, error) { panic("secret") }
		wait := func(ctx context.Context, _ *spec.Goblet, _ struct{}) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
		return spec.NewClient(
			t, resource.Config{},
			resource.Of[spec.Goblet]{
				Store: memory.New(spec.Goblet{Title: "a"}), Deprecated: since, Sunset: end, DeprecationLink: "https://example.com/goblets?x=1",
				Operations: append(
					operation.Standard(),
					operation.Get{Name: "fail", URITemplate: "/fail", Handler: operation.Handle(fail)},
					operation.Get{Name: "explode", URITemplate: "/explode", Handler: operation.Handle(explode)},
					operation.Get{Name: "wait", URITemplate: "/wait", Handler: operation.Handle(wait), Timeout: time.Millisecond},
				),
			},
			resource.Of[spec.Keeper]{},
		)
	}
	for _, test := range []edge{
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "HEAD /api/goblets/1", Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: spec.Header("If-None-Match", "*"), Status: 304, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/9", Body: "", Header: nil, Status: 404, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: spec.Header("If-Match", `"x"`), Status: 412, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets/1", Body: "", Header: spec.Header("Accept", "text/csv"), Status: 406, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets?x=1", Body: "", Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/goblets.ndjson", Body: "", Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `{"title":"x"}`, Header: nil, Status: 201, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `{"title":""}`, Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `{`, Header: nil, Status: 400, Fields: nil, Mentions: nil},
		{Rule: "", Request: "POST /api/goblets", Body: `x`, Header: spec.Header("Content-Type", "text/plain"), Status: 415, Fields: nil, Mentions: nil},
		{Rule: "", Request: "PATCH /api/goblets/1", Body: `{"title":"x"}`, Header: nil, Status: 200, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/fail", Body: "", Header: nil, Status: 500, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/explode", Body: "", Header: nil, Status: 500, Fields: nil, Mentions: nil},
		{Rule: "", Request: "GET /api/wait", Body: "", Header: nil, Status: 503, Fields: nil, Mentions: nil},
		{Rule: "", Request: "DELETE /api/goblets/1", Body: "", Header: nil, Status: 204, Fields: nil, Mentions: nil},
	} {
		t.Run(test.Request+" "+http.StatusText(test.Status), func(t *testing.T) {
			t.Parallel()
			spec.OverTheWire(t, api, func(w spec.Wire) {
				w.Send(test.Request, test.Body, test.Header...).HasStatus(test.Status).
					Has("Deprecation", "@1688169599").Has("Sunset", "Wed, 30 Jun 2027 22:59:59 GMT").
					Has("Link", `<https://example.com/goblets?x=1>; rel="deprecation"`)
			})
		})
	}
	spec.OverTheWire(t, api, func(w spec.Wire) {
		for _, request := range []string{"GET /api/keepers/x", "GET /nowhere", "GET /api"} {
			w.Send(request, "").Has("Deprecation", "").Has("Sunset", "").Has("Link", "")
		}
	})
}
