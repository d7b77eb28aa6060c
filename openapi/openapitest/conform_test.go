package openapitest_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

type book struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank,max=200" api:"filter=partial,sort,search" example:"Dune"`
	Year  int      `json:"year" validate:"gte=1450,lte=2100" api:"filter=exact|range,sort"`
	Price *float64 `json:"price" validate:"omitempty,gte=0" api:"filter=range|exists,sort"`
}

type member struct {
	Nickname string `json:"nickname" api:"id" validate:"notblank,max=20"`
	Password string `json:"password" validate:"min=8" api:"writeonly"`
	Email    string `json:"email" validate:"omitempty,email" api:"unique"`
	Level    string `json:"level" validate:"oneof=low 'very high'" api:"filter,sort"`
	Since    int64  `json:"since" api:"readonly"`
}

type place struct {
	Street string  `json:"street" validate:"notblank"`
	City   string  `json:"city" validate:"min=2,max=10" api:"filter=start,sort"`
	Floor  *int8   `json:"floor" validate:"omitempty,lte=99"`
	Inner  *place  `json:"inner"`
	Share  float32 `json:"share" validate:"gte=0,lte=1"`
}

type order struct {
	ID      uuid.UUID         `json:"id" api:"id"`
	Lines   []line            `json:"lines" validate:"min=1,max=3"`
	Billing place             `json:"billing"`
	Labels  map[string]string `json:"labels" validate:"max=2,dive,max=5"`
	Tags    []string          `json:"tags" validate:"unique,dive,min=2"`
	Corner  [2]int            `json:"corner"`
	Photo   []byte            `json:"photo"`
	Extra   any               `json:"extra"`
	Size    uint64            `json:"size" default:"7"`
	Done    bool              `json:"done" api:"filter"`
	Due     time.Time         `json:"due" api:"filter=range,sort"`
	Paid    *time.Time        `json:"paid"`
}

type line struct {
	Product string `json:"product" validate:"required"`
	Count   uint16 `json:"count" validate:"gte=1"`
}

type discount struct {
	Percent int `json:"percent" validate:"gte=1,lte=100"`
}

type receipt struct {
	Text string `json:"text"`
}

type wish struct {
	Days  int      `json:"days" validate:"gte=1,lte=14" default:"7"`
	Kinds []string `json:"kinds" validate:"max=2,dive,oneof=a b"`
	Agent string   `json:"X-Agent" api:"header" validate:"max=3"`
}

func reduce(_ context.Context, b *book, in discount) (receipt, error) {
	if b.Price != nil {
		*b.Price *= 1 - float64(in.Percent)/100
	}
	return receipt{"reduced"}, nil
}

// configurations returns APIs that use different parts of the document.
func configurations() map[string][]resource.Declaration {
	discounted := append(operation.Standard(), operation.Post{
		Name: "discount", URITemplate: "/books/{id}/discount", Handler: operation.Handle(reduce), Parameters: operation.Parameters[wish]{},
	})
	return map[string][]resource.Declaration{
		"plain":             {resource.Of[book]{}},
		"keys of clients":   {resource.Of[member]{}},
		"nested":            {resource.Of[order]{}},
		"several":           {resource.Of[book]{}, resource.Of[member]{}, resource.Of[order]{}},
		"replacing":         {resource.Of[order]{ExtraProperties: map[string]any{"standard_put": true}}, resource.Of[member]{ExtraProperties: map[string]any{"standard_put": true}}},
		"problems":          {resource.Of[book]{Errors: validation.Problem}, resource.Of[order]{Errors: validation.Problem}},
		"custom":            {resource.Of[book]{Operations: discounted}},
		"creating by Put":   {resource.Of[member]{Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Put{AllowCreate: true}}}},
		"sparse, by cursor": {resource.Of[book]{SparseFields: true, Pagination: operation.Pagination{ViaCursor: new(true), ClientEnabled: new(true)}}},
		"moved and reduced": {resource.Of[book]{ShortName: "Tome", Operations: []operation.Operation{operation.GetCollection{URITemplate: "/tomes"}, operation.Post{Status: 200}}}},
		"silent":            {resource.Of[book]{Operations: []operation.Operation{operation.Post{}, operation.Patch{Status: 204}, operation.Delete{}}}},
		"whole and partial": {resource.Of[order]{Pagination: operation.Pagination{ClientPartial: new(true), ClientOffset: new(true), ItemsPerPage: 3, MaxPage: 7}, Order: []string{"-due"}}},
	}
}

func compile(t testing.TB, declarations []resource.Declaration) *resource.API {
	t.Helper()
	api, err := resource.New(resource.Config{}, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// sampled returns all cases, or one of twelve with -short.
func sampled[V any](cases map[string]V) map[string]V {
	if testing.Short() {
		for i, name := range slices.Sorted(maps.Keys(cases)) {
			if i%12 != 1 {
				delete(cases, name)
			}
		}
	}
	return cases
}

func TestAPIsConformToTheirDocuments(t *testing.T) {
	t.Parallel()
	var sent atomic.Int32
	count := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent.Add(1)
			next.ServeHTTP(w, r)
		})
	}
	t.Run("each", func(t *testing.T) {
		for name, declarations := range sampled(configurations()) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				openapitest.Conform(t, compile(t, declarations), openapitest.Through(count), openapitest.Requests(400))
			})
		}
	})
	if n := sent.Load(); n < 4000 && !testing.Short() {
		t.Errorf("only %d requests were sent", n)
	}
}

// recorder records the errors of a test.
type recorder struct {
	testing.TB

	complaints []string
}

func (*recorder) Helper()             {}
func (*recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

// drift changes a response, so that it does not match the document.
type drift func(_ *http.Request, w *httptest.ResponseRecorder)

func drifting(change drift) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			response := httptest.NewRecorder()
			next.ServeHTTP(response, r)
			change(r, response)
			for name, values := range response.Header() {
				if name != "Content-Length" {
					w.Header()[name] = values
				}
			}
			w.WriteHeader(response.Code)
			_, _ = w.Write(response.Body.Bytes())
		})
	}
}

// replace changes a string in the bodies of successful responses.
func replace(old, changed string) drift {
	return func(_ *http.Request, w *httptest.ResponseRecorder) {
		if w.Code < 300 {
			w.Body = bytes.NewBuffer(bytes.ReplaceAll(w.Body.Bytes(), []byte(old), []byte(changed)))
		}
	}
}

func TestDriftIsReported(t *testing.T) {
	t.Parallel()
	for name, test := range sampled(map[string]struct {
		change drift
		want   string
	}{
		"a field has another name": {replace(`"title"`, `"name"`), "does not match its schema"},
		"a field has another type": {replace(`"year":`, `"year":"about ","was":`), "does not match its schema"},
		"a field is null":          {replace(`"title":"Dune"`, `"title":null`), "does not match its schema"},
		"another status": {func(_ *http.Request, w *httptest.ResponseRecorder) {
			w.Code = map[bool]int{true: 202, false: w.Code}[w.Code == 201]
		}, "status that is not documented"},
		"a conflict is a teapot": {func(_ *http.Request, w *httptest.ResponseRecorder) {
			w.Code = map[bool]int{true: 418, false: w.Code}[w.Code == 415]
		}, "status that is not documented"},
		"another media type": {func(_ *http.Request, w *httptest.ResponseRecorder) { w.Header().Set("Content-Type", "text/html") }, "media type that is not documented"},
		"a 204 has a body": {func(_ *http.Request, w *httptest.ResponseRecorder) {
			_, _ = w.WriteString(map[bool]string{true: "gone"}[w.Code == 204])
		}, "returns a body, although the document describes none"},
		"the service fails now and then": {func(r *http.Request, w *httptest.ResponseRecorder) {
			w.Code = map[bool]int{true: 500, false: w.Code}[r.Method == http.MethodPatch && w.Code == 400]
		}, "fails"},
		"invalid bodies are accepted":     {accept(http.MethodPost), "accepts a request that the document calls invalid"},
		"invalid parameters are accepted": {accept(http.MethodGet), "accepts a request that the document calls invalid"},
		"valid values are rejected": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodPost && w.Code == 201 && strings.Contains(w.Body.String(), `"year":2100`) {
				reject(w)
			}
		}, "rejects a request that the document calls valid"},
		"valid parameters are rejected": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.URL.Query().Get("itemsPerPage") == "100" {
				reject(w)
			}
		}, "rejects a request that the document calls valid"},
		"a problem lacks its status": {func(_ *http.Request, w *httptest.ResponseRecorder) {
			w.Body = bytes.NewBuffer(bytes.ReplaceAll(w.Body.Bytes(), []byte(`"status":406`), []byte(`"stat":406`)))
		}, "does not match its schema"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notes := &recorder{TB: t}
			openapitest.Conform(notes, compile(t, []resource.Declaration{resource.Of[book]{}}), openapitest.Through(drifting(test.change)), inFull(1000))
			all := strings.Join(notes.complaints, "\n")
			if !strings.Contains(all, test.want) || !strings.Contains(all, "curl -X ") {
				t.Errorf("no error contains %q and a curl command; got %d:\n%.2000s", test.want, len(notes.complaints), all)
			}
		})
	}
}

// accept replaces errors of a method with successful responses.
func accept(method string) drift {
	return func(r *http.Request, w *httptest.ResponseRecorder) {
		if r.Method != method || w.Code != http.StatusBadRequest {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Code, w.Body = http.StatusCreated, bytes.NewBufferString(`{"id":1,"title":"Dune","year":1965,"price":null}`)
		if method == http.MethodGet {
			w.Code, w.Body = http.StatusOK, bytes.NewBufferString(`[]`)
		}
	}
}

func reject(w *httptest.ResponseRecorder) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Code, w.Body = http.StatusBadRequest, bytes.NewBufferString(`{"type":"about:blank","title":"Bad Request","status":400}`)
}

// inFull sets the number of requests regardless of -short, because a fault is only found by the right request.
func inFull(most int) openapitest.Option {
	if testing.Short() {
		most *= 8
	}
	return openapitest.Requests(most)
}

func TestTheNumberOfRequestsIsBounded(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	count := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			counts[r.Method]++
			next.ServeHTTP(w, r)
		})
	}
	only := resource.Of[book]{Operations: []operation.Operation{operation.Post{}}}
	openapitest.Conform(t, compile(t, []resource.Declaration{only}), openapitest.Through(count), inFull(25))
	if counts["POST"] != 25 || len(counts) != 1 {
		t.Errorf("%s requests were sent", strconv.Itoa(counts["POST"]))
	}
}

// A document has examples of bodies in JSON alone.
func TestBodiesWithoutAnExampleAreGenerated(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Formats: []format.Format{jsonld.Format}}, resource.Of[book]{})
	if err != nil {
		t.Fatal(err)
	}
	openapitest.Conform(t, api, openapitest.Requests(40))
}
