package observeotel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequestsAreMeasuredByMethodRouteAndStatus(t *testing.T) {
	t.Parallel()
	s := start(t, disturb)
	for _, request := range []string{"GET /api/books/1", "GET /api/books/2", "GET /api/books/1?a=b", "GET /nothing", "GET /nothing/2", "BREW /x", "STEEP /x"} {
		s.send(request, "")
	}
	s.send("GET /api/books/1", "")
	s.send("POST /api/books", `{"title":"Emma"}`)
	s.send("POST /api/books", `{"title":"fail"}`)
	got := map[string]uint64{}
	for _, point := range s.durations() {
		key := ""
		for _, name := range []string{"http.request.method", "http.route", "http.response.status_code", "error.type", "url.scheme"} {
			key += texts(point.Attributes.ToSlice())[name] + " "
		}
		got[key] = point.Count
		if point.Attributes.HasValue("url.path") || point.Attributes.HasValue("http.request.method_original") {
			t.Errorf("the measurement %s has attributes of any number of values", key)
		}
		if point.Sum <= 0 || point.Sum > 60 {
			t.Errorf("%s took %v seconds", key, point.Sum)
		}
	}
	want := map[string]uint64{
		"GET /api/books/{id} 200  http ": 2,
		"GET /api/books/{id} 404  http ": 1,
		"GET /api/books/{id} 400  http ": 1,
		"GET  404  http ":                2,
		"_OTHER  404  http ":             2,
		"POST /api/books 201  http ":     1,
		"POST /api/books 500 500 http ":  1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the counts differ (-want +got):\n%s", diff)
	}
}
