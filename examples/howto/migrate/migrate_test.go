package migrate

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

// send sends a request and returns the status and the body, as JSON if it is.
func send(t *testing.T, api http.Handler, request, body string) (int, any) {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth("ann", "secret")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	var value any
	_ = json.Unmarshal(w.Body.Bytes(), &value)
	if object, ok := value.(map[string]any); ok {
		delete(object, "$schema") // of Huma
	}
	return w.Code, value
}

func TestSuccessesAreTheSameBeforeAndAfter(t *testing.T) {
	t.Parallel()
	trove, err := Trove()
	if err != nil {
		t.Fatal(err)
	}
	beside, err := BesideHuma()
	if err != nil {
		t.Fatal(err)
	}
	inGin, err := InGin()
	if err != nil {
		t.Fatal(err)
	}
	for name, api := range map[string]http.Handler{"Huma": Huma(), "gin": Gin(), "Trove": trove, "beside Huma": beside, "in gin": inGin} {
		for _, each := range []struct {
			request, body string
			status        int
			want          string
		}{
			{"POST /api/books", `{"title":"Dune","year":1965}`, 201, `{"id":1,"title":"Dune","year":1965}`},
			{"GET /api/books/1", "", 200, `{"id":1,"title":"Dune","year":1965}`},
			{"GET /api/books/2", "", 404, ""},
			{"GET /api/books?title=Emma", "", 200, `[]`},
			{"GET /reports/years", "", 200, `{"first":1450}`},
		} {
			if name == "gin" && strings.Contains(each.request, "?") || (name == "Huma" || name == "Trove") && strings.Contains(each.request, "reports") {
				continue
			}
			status, got := send(t, api, each.request, each.body)
			var want any
			_ = json.Unmarshal([]byte(each.want), &want)
			if status != each.status || want != nil && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s: %d %v, want %d %v", name, each.request, status, got, each.status, want)
			}
		}
	}
}

func TestInvalidBodies(t *testing.T) {
	t.Parallel()
	trove, err := Trove()
	if err != nil {
		t.Fatal(err)
	}
	for name, each := range map[string]struct {
		api    http.Handler
		status int
	}{"Huma": {Huma(), 422}, "gin": {Gin(), 400}, "Trove": {trove, 422}} {
		status, got := send(t, each.api, "POST /api/books", `{"title":"","year":3}`)
		t.Log(name, status, got)
		if status != each.status {
			t.Errorf("%s: %d, want %d", name, status, each.status)
		}
	}
	if status, got := send(t, trove, "POST /api/books/9/sell", `{"copies":2}`); status != 404 {
		t.Errorf("selling a missing book: %d %v", status, got)
	}
	send(t, trove, "POST /api/books", `{"title":"Dune","year":1965}`)
	if status, got := send(t, trove, "POST /api/books/1/sell", `{"copies":2}`); status != 200 || !reflect.DeepEqual(got, map[string]any{"total": 2.0}) {
		t.Errorf("selling a book: %d %v", status, got)
	}
}

func TestUnknownFieldsAndParameters(t *testing.T) {
	t.Parallel()
	trove, err := Trove()
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string][2]int{`POST /api/books {"title":"Dune","year":1965,"x":1}`: {422, 422}, "GET /api/books?x=1": {200, 400}} {
		head, body, _ := strings.Cut(request, " {")
		if body != "" {
			body = "{" + body
		}
		for i, api := range []http.Handler{Huma(), trove} {
			if status, got := send(t, api, head, body); status != want[i] {
				t.Errorf("%s: %d, want %d: %v", request, status, want[i], got)
			}
		}
	}
}

func TestThePrincipalOfGinReachesTrove(t *testing.T) {
	t.Parallel()
	api, err := InGin()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/books", strings.NewReader(`{"title":"Dune","year":1965}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != 403 {
		t.Errorf("without a user: %d", w.Code)
	}
}
