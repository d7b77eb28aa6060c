package csv_test

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/internal/formattest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type place struct {
	City string  `json:"city"`
	Zip  *string `json:"zip"`
}

// gem has a field for each kind of column.
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

// send sends a request; a body is CSV unless Content-Type is given.
func send(t testing.TB, api http.Handler, request, body string, fields ...string) formattest.Response {
	t.Helper()
	return formattest.Client{T: t, API: api, MediaType: csv.MediaType}.Send(request, body, fields...)
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
