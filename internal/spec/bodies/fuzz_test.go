package bodies_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Everything has a field of every kind.
type Everything struct {
	ID     int64                  `json:"id"`
	Name   string                 `json:"name" validate:"notblank,max=20"`
	Mail   *string                `json:"mail" validate:"omitempty,email"`
	Count  int8                   `json:"count" validate:"omitempty,gte=-5"`
	Size   uint16                 `json:"size"`
	Ratio  float32                `json:"ratio"`
	On     *bool                  `json:"on"`
	When   time.Time              `json:"when"`
	Bytes  []byte                 `json:"bytes"`
	Inner  Address                `json:"inner" validate:"omitempty"`
	Maybe  *Address               `json:"maybe"`
	List   []Address              `json:"list" validate:"max=3"`
	Map    map[string]string      `json:"map" validate:"dive,keys,max=5,endkeys,min=1"`
	ByName map[string]spec.Vessel `json:"byName"`
	Any    any                    `json:"any"`
	Fixed  [2]int                 `json:"fixed"`
	Secret string                 `json:"secret" api:"writeonly"`
}

// FuzzBodies sends any body to every operation with one: no response is 5xx, and an accepted record can be read.
func FuzzBodies(f *testing.F) {
	for _, body := range []string{
		`{}`, `null`, `[]`, `{"name":"x","inner":{"city":"y"}}`, `{"name":"x","count":1e1,"size":65536}`,
		`{"list":[{"city":"a"},{}],"map":{"a]b[":""},"any":{"a":[1,null]}}`, `{"byName":{"x.y]":{"name":""}},"fixed":[1]}`,
		`{"when":"2026-02-30T00:00:00Z","bytes":"!","on":null,"maybe":null}`, `{"name":"\u0000","a\u0000":1}`, `{"name":`,
		`{"inner":{"city":"x"},"name":"a","list":[],"ratio":1e39}`, "{\"name\":\"\xff\"}",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := spec.NewClient(t, resource.Config{}, resource.Of[Everything]{
			Store:      memory.New(Everything{Name: "a", Inner: Address{City: "b"}, Map: map[string]string{"k": "v"}}),
			Operations: append(operation.Standard(), operation.Put{Name: "replace", URITemplate: "/replace/{id}", ExtraProperties: map[string]any{"standard_put": true}}),
		})
		for _, request := range []string{
			"POST /api/everythings", "PUT /api/everythings/1", "PATCH /api/everythings/1", "PUT /api/replace/1",
		} {
			got := c.SendReader(request, strings.NewReader(body))
			switch {
			case got.Status >= http.StatusInternalServerError:
				t.Errorf("%s of %q returns %d: %s", request, body, got.Status, got.Body)
			case got.Status < http.StatusBadRequest:
				c.Send("GET /api/everythings/1", "").HasStatus(200)
			}
		}
	})
}

// FuzzPaths requests any path and query: no response is 5xx.
func FuzzPaths(f *testing.F) {
	f.Add("/api/programmers/a%2Fb.json", "x=1")
	f.Add("/api/programmers/%00", "%zz")
	f.Add("/api/programmers/..", "")
	f.Add("//api", "&&=")
	c := spec.NewClient(f, resource.Config{}, resource.Of[spec.Programmer]{}, resource.Of[spec.DragonTreasure]{})
	f.Fuzz(func(t *testing.T, path, query string) {
		c := spec.Client{T: t, Handler: c.Handler}
		target := &url.URL{Scheme: "http", Host: "example.com", RawQuery: query}
		if decoded, err := url.PathUnescape(path); err == nil {
			target.Path, target.RawPath = decoded, path
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions, "BREW"} {
			r := &http.Request{Method: method, URL: target, Header: http.Header{}}
			if got := c.Do(r.WithContext(t.Context())); got.Status >= http.StatusInternalServerError {
				t.Errorf("%s %s?%s returns %d: %s", method, path, query, got.Status, got.Body)
			}
		}
	})
}

// FuzzRequests sends any query and header fields to the operations that read and write: no response is 5xx, and
// every error is a problem.
func FuzzRequests(f *testing.F) {
	for _, seed := range [][3]string{
		{"page=2&itemsPerPage=3", "application/json", `"a"`},
		{"cursor=&sort=-name,value&name[partial]=x", "application/x-ndjson;q=0.5, */*;q=0.1", `W/"a", *`},
		{"value[between]=1..2&q=a%00b&fields=name", "text/html", "k"},
		{"a=%zz;b", "*/*;q=x", "\x00"},
		{strings.Repeat("name=x&", 300), strings.Repeat("a/b,", 300), strings.Repeat(`"a",`, 300)},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	type gem struct {
		ID    int64     `json:"id"`
		Name  string    `json:"name" api:"filter=partial,sort,search"`
		Value *int      `json:"value" api:"filter=range|exists,sort"`
		Found time.Time `json:"found" api:"modified"`
	}
	c := spec.NewClient(f, resource.Config{}, resource.Of[gem]{
		Store: memory.New(gem{Name: "a"}, gem{Name: "b"}, gem{Name: "c"}), SparseFields: true, Idempotency: time.Hour,
		Pagination: operation.Pagination{ClientEnabled: new(true), ClientPartial: new(true)},
	})
	f.Fuzz(func(t *testing.T, query, accept, condition string) {
		c := spec.Client{T: t, Handler: c.Handler}
		for _, request := range []string{"GET /api/gems", "GET /api/gems/1", "PATCH /api/gems/1", "POST /api/gems"} {
			method, path, _ := strings.Cut(request, " ")
			r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(`{"name":"d"}`))
			r.URL.RawQuery = query
			r.Header = http.Header{"Accept": {accept}, "Content-Type": {"application/json"}, "Idempotency-Key": {condition}}
			for _, field := range []string{"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"} {
				r.Header[field] = []string{condition}
			}
			w := httptest.NewRecorder()
			c.Handler.ServeHTTP(w, r)
			if w.Code >= http.StatusInternalServerError {
				t.Errorf("%s?%q, Accept %q, %q returns %d: %s", request, query, accept, condition, w.Code, w.Body)
			}
			if got := w.Header().Get("Content-Type"); w.Code >= http.StatusBadRequest && got != "application/problem+json" {
				t.Errorf("%s returns the error %q", request, got)
			}
		}
	})
}

type parcel struct {
	ID     int64 `json:"id"`
	Weight int   `json:"weight"`
}

// calls are the files in the call stack when user code was called, the innermost first.
type calls struct {
	mu    sync.Mutex
	files map[string][]string
}

func (c *calls) note(what string) {
	var at [100]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(2, at[:])])
	var files []string
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		files = append(files, frame.File)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files[what] = files
}

// notingStore records its callers.
type notingStore struct {
	store.Store[parcel]
	calls *calls
}

func (s notingStore) Get(ctx context.Context, id any) (*parcel, error) {
	s.calls.note("Get")
	return s.Store.Get(ctx, id)
}

func (s notingStore) List(ctx context.Context, query store.Query) (store.Page[parcel], error) {
	s.calls.note("List")
	return s.Store.List(ctx, query)
}

func (s notingStore) Transact(ctx context.Context, f func(context.Context, store.Tx[parcel]) error) error {
	s.calls.note("Transact")
	return s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[parcel]) error {
		return f(ctx, notingTx{tx, s.calls})
	})
}

type notingTx struct {
	store.Tx[parcel]
	calls *calls
}

func (t notingTx) Insert(ctx context.Context, record *parcel) error {
	t.calls.note("Insert")
	return t.Tx.Insert(ctx, record)
}

func (t notingTx) Update(ctx context.Context, id any, record *parcel) error {
	t.calls.note("Update")
	return t.Tx.Update(ctx, id, record)
}

func (t notingTx) Delete(ctx context.Context, id any) error {
	t.calls.note("Delete")
	return t.Tx.Delete(ctx, id)
}

// TestRequestsDoNotClimbBack checks that package resource, which declares and compiles, hands a request to its
// operation and then has no more to do with it. It compares files, because inlined code has the name of the
// function it is in.
func TestRequestsDoNotClimbBack(t *testing.T) {
	t.Parallel()
	seen := &calls{files: map[string][]string{}}
	c := spec.NewClient(t, resource.Config{}, resource.Of[parcel]{
		Store: notingStore{memory.New(parcel{ID: 1}), seen},
		Prepare: func(context.Context, *operation.Request, *parcel) error {
			seen.note("Prepare")
			return nil
		},
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, p *parcel, save operation.Save[parcel]) error {
			seen.note("Processor")
			return save(ctx, p)
		}),
	})
	for _, test := range []struct {
		request, body string
		status        int
	}{
		{"GET /api/parcels", "", http.StatusOK},
		{"GET /api/parcels/1", "", http.StatusOK},
		{"POST /api/parcels", `{"weight":1}`, http.StatusCreated},
		{"PATCH /api/parcels/1", `{"weight":2}`, http.StatusOK},
		{"DELETE /api/parcels/1", "", http.StatusNoContent},
	} {
		c.Send(test.request, test.body).HasStatus(test.status)
	}
	for _, what := range []string{"Get", "List", "Transact", "Insert", "Update", "Delete", "Prepare", "Processor"} {
		declaring := "" // the innermost file of package resource
		for _, file := range seen.files[what] {
			switch dir := path.Dir(file); {
			case strings.HasSuffix(file, "_test.go"), path.Base(dir) == "spec":
			case declaring == "" && path.Base(dir) == "resource":
				declaring = file
			case declaring != "" && path.Base(path.Dir(dir)) == "internal":
				t.Fatalf("%s is called by way of %s, which %s calls", what, declaring, file)
			}
		}
		if declaring == "" {
			t.Errorf("%s was not called by a request: %v", what, seen.files[what])
		}
	}
}
