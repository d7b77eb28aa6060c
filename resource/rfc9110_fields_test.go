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

func TestAGuardThatCannotBeEvaluatedGuardsNothing(t *testing.T) {
	t.Parallel()
	overTheWire(t, func(t testing.TB) client {
		t.Helper()
		return newClient(t, resource.Config{}, resource.Of[Goblet]{RequirePrecondition: true, Store: memory.New(Goblet{Title: "a"})})
	}, func(w wire) {
		w.send("PATCH /api/goblets/1", `{"title":"b"}`, "If-Unmodified-Since", beforeChanged).isProblem(428)
		w.send("GET /api/goblets/1", "").hasStatus(200).mentions(`"title":"a"`)
	})
}

func TestLinkOfAPageKeepsThatOfTheDeprecation(t *testing.T) {
	t.Parallel()
	overTheWire(t, func(t testing.TB) client {
		t.Helper()
		return newClient(t, resource.Config{}, resource.Of[Goblet]{
			Store: memory.New(Goblet{Title: "a"}, Goblet{Title: "b"}), Pagination: operation.Pagination{ItemsPerPage: 1},
			Deprecated: time.Unix(1688169599, 0), DeprecationLink: "https://example.com/d",
		})
	}, func(w wire) {
		a := w.send("GET /api/goblets", "").hasStatus(200)
		if links := strings.Join(a.header["Link"], ", "); !strings.Contains(links, `rel="deprecation"`) || !strings.Contains(links, `rel="next"`) {
			w.t.Errorf("Link is %q", links)
		}
	})
}

func TestVaryOfMiddlewareIsKept(t *testing.T) {
	t.Parallel()
	overTheWire(t, func(t testing.TB) client {
		t.Helper()
		return newClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Add("Vary", "Origin")
				w.Header().Add("Link", "</terms>; rel=\"terms-of-service\"")
				next.ServeHTTP(w, r)
			})
		}}}, resource.Of[Goblet]{Store: memory.New(Goblet{Title: "a"}, Goblet{Title: "a"}), Pagination: operation.Pagination{ItemsPerPage: 1}})
	}, func(w wire) {
		for _, request := range []string{"GET /api/goblets/1", "GET /api/goblets", "GET /api/goblets.ndjson", "GET /api/goblets/9", "GET /api", "POST /api/goblets", "DELETE /api/goblets/2", "GET /nowhere", "PUT /api/goblets"} {
			a := w.send(request, "")
			vary := strings.Join(a.header["Vary"], ", ")
			link := strings.Join(a.header["Link"], ", ")
			if !strings.Contains(vary, "Origin") || !strings.Contains(link, "terms") {
				w.t.Errorf("%s: Vary is %q, Link %q", request, vary, link)
			}
		}
	})
}

func TestTwoContentTypes(t *testing.T) {
	t.Parallel()
	overTheWire(t, tomes, func(w wire) {
		w.send("POST /api/tomes", `{"title":"x"}`, "Content-Type", "application/json", "Content-Type", "text/plain").isProblem(415)
		w.send("POST /api/tomes", `{"title":"x"}`, "Content-Encoding", "identity", "Content-Encoding", "gzip").isProblem(415)
		w.send("POST /api/tomes", `{"title":"x"}`, "Content-Type", "application/json", "Content-Type", "application/json").isProblem(415)
	})
}
