package csv_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type place struct {
	City string  `json:"city"`
	Zip  *string `json:"zip"`
}

// gem has a member of each kind of column.
type gem struct {
	ID     int64             `json:"id"`
	Name   string            `json:"name" validate:"max=100"`
	Note   *string           `json:"note"`
	Carats float64           `json:"carats"`
	Sold   bool              `json:"sold"`
	From   place             `json:"from"`
	Kept   *place            `json:"kept"`
	Tags   []string          `json:"tags"`
	Sizes  []int             `json:"sizes"`
	More   map[string]string `json:"more"`
	Any    any               `json:"any"`
	Hidden string            `json:"hidden" api:"writeonly"`
}

const header = "id,name,note,carats,sold,from.city,from.zip,kept.city,kept.zip,tags,sizes,more,any\r\n"

// answer is what a request was answered with.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

func (a answer) is(status int, body string) answer {
	a.t.Helper()
	if a.status != status || a.body != body {
		a.t.Errorf("the answer is %d\n%q\nwant %d\n%q", a.status, a.body, status, body)
	}
	return a
}

func (a answer) has(field, value string) answer {
	a.t.Helper()
	if got := a.header.Get(field); got != value {
		a.t.Errorf("%s is %q, want %q", field, got, value)
	}
	return a
}

// send sends a request; a body is CSV unless Content-Type is given.
func send(t testing.TB, api http.Handler, request, body string, fields ...string) answer {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", csv.MediaType)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return answer{t, w.Code, w.Header(), w.Body.String()}
}

func newAPI(t testing.TB) *resource.API {
	t.Helper()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format), Logger: slog.New(slog.DiscardHandler)},
		resource.Of[gem]{SparseFields: true, Operations: operation.Standard()})
	if err != nil {
		t.Fatal(err)
	}
	return api
}
