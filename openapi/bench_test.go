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

// stock is a resource of ten fields, one type for each pair of parameters.
type stock[Section, Shelf any] struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name" validate:"notblank,max=200" api:"filter=partial,sort" doc:"What it is called."`
	Slug      string     `json:"slug" validate:"required,max=80" api:"unique,filter"`
	Kind      string     `json:"kind" validate:"oneof=book map print" api:"filter,sort"`
	Summary   *string    `json:"summary" validate:"omitempty,max=500"`
	Pages     int        `json:"pages" validate:"gte=1,lte=10000" api:"filter=range"`
	Price     float64    `json:"price" validate:"gt=0" api:"filter=range,sort"`
	Available bool       `json:"available" default:"true" api:"filter"`
	Tags      []string   `json:"tags" validate:"max=20,dive,min=1,max=30"`
	SoldAt    *time.Time `json:"soldAt" api:"readonly,sort"`
}

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

// programs are those that the benchmarks measure.
var programs = map[string]func() []resource.Declaration{
	"50Resources": func() []resource.Declaration {
		all := append(tenStocks[[0]int]("A"), tenStocks[[1]int]("B")...)
		return append(append(append(all, tenStocks[[2]int]("C")...), tenStocks[[3]int]("D")...), tenStocks[[4]int]("E")...)
	},
	"50LargeResources": func() (all []resource.Declaration) {
		for i := range 50 {
			all = append(all, resource.Of[estate]{ShortName: fmt.Sprintf("Estate%c%c", 'A'+i/26, 'a'+i%26)})
		}
		return all
	},
}

func tenStocks[Section any](section string) []resource.Declaration {
	name := func(shelf string) string { return "Stock" + section + shelf }
	return []resource.Declaration{
		resource.Of[stock[Section, [0]int]]{ShortName: name("a")},
		resource.Of[stock[Section, [1]int]]{ShortName: name("b")},
		resource.Of[stock[Section, [2]int]]{ShortName: name("c")},
		resource.Of[stock[Section, [3]int]]{ShortName: name("d")},
		resource.Of[stock[Section, [4]int]]{ShortName: name("e")},
		resource.Of[stock[Section, [5]int]]{ShortName: name("f")},
		resource.Of[stock[Section, [6]int]]{ShortName: name("g")},
		resource.Of[stock[Section, [7]int]]{ShortName: name("h")},
		resource.Of[stock[Section, [8]int]]{ShortName: name("i")},
		resource.Of[stock[Section, [9]int]]{ShortName: name("j")},
	}
}

// eachProgram runs a benchmark over each of the programs.
func eachProgram(b *testing.B, run func(b *testing.B, declarations []resource.Declaration)) {
	b.Helper()
	for name, declarations := range programs {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			run(b, declarations())
		})
	}
}

func compile(b *testing.B, declarations []resource.Declaration) *resource.API {
	b.Helper()
	api, err := resource.New(resource.Config{}, declarations...)
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
	eachProgram(b, func(b *testing.B, declarations []resource.Declaration) {
		b.Helper()
		for b.Loop() {
			compile(b, declarations)
		}
	})
}

// BenchmarkMount measures what the document adds to that.
func BenchmarkMount(b *testing.B) {
	eachProgram(b, func(b *testing.B, declarations []resource.Declaration) {
		b.Helper()
		for b.Loop() {
			b.StopTimer()
			api := compile(b, declarations)
			b.StartTimer()
			mount(b, api)
		}
	})
}

// BenchmarkFirstRequest measures the first request of the document.
func BenchmarkFirstRequest(b *testing.B) {
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0"} {
		b.Run(path[len("/api/docs."):], func(b *testing.B) {
			eachProgram(b, func(b *testing.B, declarations []resource.Declaration) {
				b.Helper()
				for b.Loop() {
					b.StopTimer()
					api := compile(b, declarations)
					mount(b, api)
					b.StartTimer()
					fetch(b, api, path)
				}
			})
		})
	}
}

// BenchmarkLaterRequest measures all later requests.
func BenchmarkLaterRequest(b *testing.B) {
	eachProgram(b, func(b *testing.B, declarations []resource.Declaration) {
		b.Helper()
		api := compile(b, declarations)
		mount(b, api)
		fetch(b, api, "/api/docs.json")
		for b.Loop() {
			fetch(b, api, "/api/docs.json")
		}
	})
}
