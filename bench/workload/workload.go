// Package workload defines the requests that every contender serves.
package workload

import (
	"context"
	"net/http"
	"strings"

	"github.com/trove-api/trove/bench/catalog"
)

// Workload is a request that is measured many times.
type Workload struct {
	// Name identifies it in flags and tables.
	Name string
	// About describes it in tables.
	About string
	// Method and Target are the method and the target of the request.
	Method, Target string
	// Body is the body of the request, "" for none.
	Body string
	// Status is the expected status; 0 is 400 or 422.
	Status int
	// Names lists the fields that the error must name.
	Names []string
	// Operations is how many requests are measured together: about 150 ms of the reference.
	Operations uint32
}

// All returns the workloads.
func All() []Workload {
	return []Workload{
		{Name: "W1", About: "get", Method: http.MethodGet, Target: catalog.Path(4242), Status: http.StatusOK, Operations: 50_000},
		{Name: "W2", About: "page", Method: http.MethodGet, Target: items + "?page=3", Status: http.StatusOK, Operations: 4_000},
		{
			Name: "W2f", About: "filter", Method: http.MethodGet,
			Target: items + "?name=" + strings.ReplaceAll(catalog.Name(42), " ", "%20") + "&page=2", Status: http.StatusOK, Operations: 2_000,
		},
		{Name: "W3", About: "create", Method: http.MethodPost, Target: items, Body: whole, Status: http.StatusCreated, Operations: 15_000},
		{
			Name: "W4", About: "invalid", Method: http.MethodPost, Target: items, Body: wrong,
			Names: []string{"name", "category", "email", "price", "rating"}, Operations: 14_000,
		},
		{
			Name: "W5", About: "patch", Method: http.MethodPatch, Target: catalog.Path(4242), Body: part,
			Status: http.StatusOK, Operations: 18_000,
		},
		{Name: "W6", About: "put", Method: http.MethodPut, Target: catalog.Path(4242), Body: whole, Status: http.StatusOK, Operations: 15_000},
		{
			Name: "W7", About: "missing", Method: http.MethodGet, Target: catalog.Path(999_999),
			Status: http.StatusNotFound, Operations: 60_000,
		},
	}
}

// Request returns the request as a server receives it, without its body.
func (w *Workload) Request() (*http.Request, error) {
	r, err := http.NewRequestWithContext(context.Background(), w.Method, w.Target, http.NoBody)
	if err != nil {
		return nil, err
	}
	r.RequestURI = w.Target
	r.Host = "127.0.0.1"
	r.Header.Set("Accept", mediaType)
	r.ContentLength = int64(len(w.Body))
	if w.Body != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	return r, nil
}

const (
	items     = "/api/items"
	mediaType = "application/json"
)

// The bodies.
const (
	description = "Found in the northern caves, warm to the touch; the shell is green with grains of gold, and it ought not to be left in " +
		"the sun for long. Three of the party carried it down in turns, wrapped in wool, and none of them slept well until it was " +
		"in the vault. The clerk weighed it twice and found it heavier the second time; he signed for the greater weight, and asks " +
		"that it be turned every other day until the buyer has come for it."
	whole = `{"name":"Dragon egg","description":"` + description + `","category":"gem","email":"hoard@example.com",` +
		`"price":4200,"foundAt":"2026-03-14T15:09:26.5Z","rating":5,"available":true}`
	wrong = `{"name":"","description":"` + description + `","category":"car","email":"nobody",` +
		`"price":-1,"foundAt":"2026-03-14T15:09:26.5Z","rating":9,"available":true}`
	part = `{"price":1200,"foundAt":"2026-03-14T15:09:26.5Z","available":false}`
)

// Answered reports whether a status is the expected one.
func (w *Workload) Answered(status int) bool {
	if w.Status == 0 {
		return status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
	}
	return status == w.Status
}
