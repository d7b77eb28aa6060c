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
