package openapitest_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type booking struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type remark struct {
	ID      int64  `json:"id"`
	Text    string `json:"text" validate:"required"`
	Booking int64  `json:"booking" api:"ref=booking"`
}

type readonlyRemark struct {
	ID      int64  `json:"id"`
	Text    string `json:"text" validate:"required"`
	Booking int64  `json:"booking" api:"ref=booking,readonly"`
}

// numbered has its booking in its identifier.
type numbered struct {
	Booking int64  `json:"booking" api:"id,ref=booking"`
	Number  int64  `json:"number" api:"id" validate:"gte=1"`
	Text    string `json:"text" validate:"required"`
}

func inIdentifier() resource.Declaration {
	return resource.Of[numbered]{ShortName: "remark", Operations: []operation.Operation{
		operation.Get{URITemplate: "/bookings/{booking}/remarks/{number}"},
		operation.GetCollection{URITemplate: "/bookings/{booking}/remarks"},
		operation.Post{URITemplate: "/bookings/{booking}/remarks"},
		operation.Patch{URITemplate: "/bookings/{booking}/remarks/{number}"},
		operation.Delete{URITemplate: "/bookings/{booking}/remarks/{number}"},
	}}
}

func below[T any](view *operation.View) resource.Of[T] {
	return resource.Of[T]{ShortName: "remark", View: view, Operations: []operation.Operation{
		operation.Get{URITemplate: "/bookings/{booking}/remarks/{id}"},
		operation.GetCollection{URITemplate: "/bookings/{booking}/remarks"},
		operation.Post{URITemplate: "/bookings/{booking}/remarks"},
		operation.Patch{URITemplate: "/bookings/{booking}/remarks/{id}"},
		operation.Delete{URITemplate: "/bookings/{booking}/remarks/{id}"},
	}}
}

var remarkPath = regexp.MustCompile(`^/api/bookings/(\d+)/remarks/(\d+)$`)

func TestARecordIsRequestedBelowTheRecordThatItWasCreatedBelow(t *testing.T) {
	t.Parallel()
	for name, declared := range map[string]resource.Declaration{
		"in a field":                  below[remark](nil),
		"in a readonly field":         below[readonlyRemark](nil),
		"in the identifier":           inIdentifier(),
		"when no more can be created": below[remark](nil),
		"not in the view":             below[remark](&operation.View{Name: "short", Fields: []string{"id", "text"}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			above, wrong := map[string]string{}, map[string]bool{}
			watch := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					mu.Lock()
					defer mu.Unlock()
					if found := remarkPath.FindStringSubmatch(r.URL.Path); found != nil && above[found[2]] != "" && above[found[2]] != found[1] {
						wrong[r.Method+" "+r.URL.Path+", created below "+above[found[2]]] = true
					}
					if response, ok := w.(*httptest.ResponseRecorder); ok && name == "when no more can be created" && r.Method == http.MethodPost && len(above) > 5 &&
						strings.HasSuffix(r.URL.Path, "/remarks") {
						reject(response)
						response.Code = http.StatusConflict
						return
					}
					next.ServeHTTP(w, r)
					if response, ok := w.(*httptest.ResponseRecorder); ok && response.Code == http.StatusCreated {
						if found := remarkPath.FindStringSubmatch(response.Header().Get("Location")); found != nil {
							above[found[2]] = found[1]
						}
					}
				})
			}
			openapitest.Conform(t, compile(t, []resource.Declaration{resource.Of[booking]{ShortName: "booking"}, declared}), openapitest.Through(watch), openapitest.Requests(60))
			if len(above) == 0 || len(wrong) > 0 {
				t.Errorf("of %d remarks %d are requested below another booking: %v", len(above), len(wrong), strings.Join(keys(wrong), "; "))
			}
		})
	}
}

func keys(of map[string]bool) (list []string) {
	for key := range of {
		list = append(list, key)
	}
	return list
}

func TestALimitForEachClientDoesNotDisturb(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{middleware.Rate(1)}}, resource.Of[booking]{ShortName: "booking"})
	if err != nil {
		t.Fatal(err)
	}
	limited := 0
	openapitest.Conform(t, api, openapitest.Requests(40), openapitest.Through(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if next.ServeHTTP(w, r); w.(*httptest.ResponseRecorder).Code == http.StatusTooManyRequests { //nolint:forcetypeassert // Conform's
				limited++
			}
		})
	}))
	if limited > 0 {
		t.Errorf("%d requests were limited", limited)
	}
}

func TestTheFirstOfSeveralMiddlewaresGetsRequestsFirst(t *testing.T) {
	t.Parallel()
	var order []string
	through := func(name string) openapitest.Option {
		return openapitest.Through(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if len(order) < 2 {
					order = append(order, name)
				}
				next.ServeHTTP(w, r)
			})
		})
	}
	openapitest.Conform(t, compile(t, []resource.Declaration{resource.Of[booking]{ShortName: "booking"}}), through("first"), through("second"), openapitest.Requests(5))
	if got := strings.Join(order, ", "); got != "first, second" {
		t.Errorf("the order is %q, want first, second", got)
	}
}
