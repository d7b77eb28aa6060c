package openapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// estate is a large resource.
type estate struct {
	ID       int64             `json:"id"`
	Name     string            `json:"name" validate:"notblank,max=200" api:"filter=partial|range,sort,search" doc:"What it is called."`
	Slug     string            `json:"slug" validate:"required,alphanum" api:"unique,filter"`
	Motto    *string           `json:"motto" validate:"omitempty,max=500" api:"filter=start|exists"`
	Kind     string            `json:"kind" validate:"oneof=castle farm mill" api:"filter,sort"`
	Size     int               `json:"size" validate:"gte=0,lte=100000" api:"filter=exact|range,sort"`
	Rooms    uint8             `json:"rooms" api:"filter=range"`
	Price    *float64          `json:"price" validate:"omitempty,gt=0" api:"filter=range|exists,sort"`
	Open     bool              `json:"open" default:"true" api:"filter"`
	Built    time.Time         `json:"built" api:"filter=range,sort"`
	Agent    string            `json:"agent" validate:"omitempty,email"`
	Site     string            `json:"site" validate:"omitempty,http_url"`
	Code     string            `json:"code" validate:"len=8,hexadecimal"`
	Tags     []string          `json:"tags" validate:"max=20,dive,min=1,max=30"`
	Labels   map[string]string `json:"labels" validate:"max=10,dive,keys,alpha,endkeys,notblank"`
	Address  Address           `json:"address"`
	Former   []Address         `json:"former"`
	Lines    []Line            `json:"lines" validate:"max=100"`
	Secret   string            `json:"secret" validate:"min=8" api:"writeonly"`
	Photo    []byte            `json:"photo"`
	Corner   [2]float64        `json:"corner"`
	Extra    any               `json:"extra"`
	Placed   *time.Time        `json:"placed" api:"readonly"`
	Deposit  int               `json:"deposit" validate:"ltefield=Size"`
	Reviewed string            `json:"reviewed" validate:"omitempty,datetime=2006-01-02"`
}

// compile compiles fifty large resources.
func compile(b *testing.B) *resource.API {
	b.Helper()
	var all []resource.Declaration
	for i := range 50 {
		all = append(all, resource.Of[estate]{ShortName: fmt.Sprintf("Estate%c%c", 'A'+i/26, 'a'+i%26)})
	}
	api, err := resource.New(resource.Config{}, all...)
	if err != nil {
		b.Fatal(err)
	}
	return api
}

func mount(b *testing.B, api *resource.API) {
	b.Helper()
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		b.Fatal(err)
	}
}

func fetch(b *testing.B, api *resource.API, path string) {
	b.Helper()
	w := discard{http.Header{}}
	api.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, path, nil))
	if w.header.Get("ETag") == "" {
		b.Fatalf("GET %s sends no document", path)
	}
}

// discard is a response writer that discards the body.
type discard struct{ header http.Header }

func (d discard) Header() http.Header              { return d.header }
func (discard) Write(body []byte) (n int, _ error) { return len(body), nil }
func (discard) WriteHeader(int)                    {}

// BenchmarkNew measures what a program waits for before it serves, without its document.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		compile(b)
	}
}

// BenchmarkMount measures what the document adds to that.
func BenchmarkMount(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		api := compile(b)
		b.StartTimer()
		mount(b, api)
	}
}

// BenchmarkFirstRequest measures the first request of the document.
func BenchmarkFirstRequest(b *testing.B) {
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0"} {
		b.Run(path[len("/api/docs."):], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				api := compile(b)
				mount(b, api)
				b.StartTimer()
				fetch(b, api, path)
			}
		})
	}
}

// BenchmarkLaterRequest measures all later requests.
func BenchmarkLaterRequest(b *testing.B) {
	api := compile(b)
	mount(b, api)
	fetch(b, api, "/api/docs.json")
	b.ReportAllocs()
	for b.Loop() {
		fetch(b, api, "/api/docs.json")
	}
}
