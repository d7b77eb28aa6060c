package observeotel_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/operation"
)

// disturb is a hook that fails on certain titles.
func disturb(_ context.Context, _ *operation.Request, book *Book) error {
	switch book.Title {
	case "fail":
		return errors.New("the shelf has fallen")
	case "drop":
		panic(http.ErrAbortHandler)
	case "forbid":
		return operation.Error{Status: http.StatusForbidden}
	}
	return nil
}

func TestASpanDescribesTheRequestAndTheResponse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		request, body, name string
		want                map[string]string // in addition to the scheme
		status              codes.Code
	}{
		"an item is named by its template": {
			"GET /api/books/1", "", "GET /api/books/{id}",
			map[string]string{"http.request.method": "GET", "http.route": "/api/books/{id}", "http.response.status_code": "200"},
			codes.Unset,
		},
		"the query is left out": {
			"GET /api/books?page=1", "", "GET /api/books",
			map[string]string{"http.request.method": "GET", "http.route": "/api/books", "http.response.status_code": "200"},
			codes.Unset,
		},
		"a format suffix is none of the template's": {
			"GET /api/books/1.json", "", "GET /api/books/{id}",
			map[string]string{"http.request.method": "GET", "http.route": "/api/books/{id}", "http.response.status_code": "200"},
			codes.Unset,
		},
		"a record is made": {
			"POST /api/books", `{"title":"Emma"}`, "POST /api/books",
			map[string]string{"http.request.method": "POST", "http.route": "/api/books", "http.response.status_code": "201"},
			codes.Unset,
		},
		"a refused body is the client's error": {
			"POST /api/books", `{"title":" "}`, "POST /api/books",
			map[string]string{"http.request.method": "POST", "http.route": "/api/books", "http.response.status_code": "400"},
			codes.Unset,
		},
		"a hook's refusal is the client's error": {
			"POST /api/books", `{"title":"forbid"}`, "POST /api/books",
			map[string]string{"http.request.method": "POST", "http.route": "/api/books", "http.response.status_code": "403"},
			codes.Unset,
		},
		"a failure is the server's error": {
			"POST /api/books", `{"title":"fail"}`, "POST /api/books",
			map[string]string{"http.request.method": "POST", "http.route": "/api/books", "http.response.status_code": "500", "error.type": "500"},
			codes.Error,
		},
		"a dropped connection has no status": {
			"POST /api/books", `{"title":"drop"}`, "POST /api/books",
			map[string]string{"http.request.method": "POST", "http.route": "/api/books", "error.type": "_OTHER"},
			codes.Error,
		},
		"an unknown path has no route": {
			"GET /wp-login.php", "", "GET",
			map[string]string{"http.request.method": "GET", "http.response.status_code": "404"},
			codes.Unset,
		},
		"a method that is not taken has the route": {
			"DELETE /api/books", "", "DELETE /api/books",
			map[string]string{"http.request.method": "DELETE", "http.route": "/api/books", "http.response.status_code": "405"},
			codes.Unset,
		},
		"an invented method is in no name": {
			"BREW /api/books", "", "HTTP /api/books",
			map[string]string{"http.request.method": "_OTHER", "http.route": "/api/books", "http.response.status_code": "405"},
			codes.Unset,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, disturb)
			s.send(test.request, test.body)
			span := s.span()
			if span.Name != test.name || span.SpanKind != trace.SpanKindServer || span.Status.Code != test.status {
				t.Errorf("the span is %q, a %s, %s; want %q, a server, %s", span.Name, span.SpanKind, span.Status.Code, test.name, test.status)
			}
			test.want["url.scheme"] = "http"
			got := texts(span.Attributes)
			delete(got, "trove.incident")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("the attributes differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestASpanOfAFailureHasTheIncident(t *testing.T) {
	t.Parallel()
	s := start(t, disturb)
	body := s.send("POST /api/books", `{"title":"fail"}`)
	span := s.span()
	incident := texts(span.Attributes)["trove.incident"]
	if incident == "" || !strings.Contains(body, incident) {
		t.Errorf("the incident is %q, want the one of the response %s", incident, body)
	}
}

func texts(attributes []attribute.KeyValue) map[string]string {
	found := map[string]string{}
	for _, a := range attributes {
		found[string(a.Key)] = a.Value.String()
	}
	return found
}
