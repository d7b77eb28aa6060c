package contender_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/bench/catalog"
	"github.com/trove-api/trove/bench/contender"
	"github.com/trove-api/trove/bench/workload"
)

func TestAllContendersReturnTheSameResponses(t *testing.T) {
	t.Parallel()
	items, all := catalog.Seed(), contender.All()
	for _, w := range workload.All() {
		isPage := strings.Contains(w.Target, "page=")
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			reference := answer(t, items, all[0], w)
			for _, c := range all {
				t.Run(c.Name, func(t *testing.T) {
					t.Parallel()
					got := answer(t, items, c, w)
					if c.ShowsFewer && isPage {
						if got.Code != http.StatusOK {
							t.Errorf("status = %d: %s", got.Code, got.Body)
						}
						return
					}
					compare(t, got, reference, w)
				})
			}
		})
	}
}

func TestAllContendersRejectUnknownFields(t *testing.T) {
	t.Parallel()
	items := catalog.Seed()
	for _, w := range workload.All() {
		if w.Body == "" {
			continue
		}
		w.Body = strings.TrimSuffix(w.Body, "}") + `,"unheard":1}`
		for _, c := range contender.All() {
			t.Run(w.Name+" "+c.Name, func(t *testing.T) {
				t.Parallel()
				if got := answer(t, items, c, w); got.Code != http.StatusBadRequest && got.Code != http.StatusUnprocessableEntity {
					t.Errorf("status = %d, want 400 or 422: %s", got.Code, got.Body)
				}
			})
		}
	}
}

// compare checks that a response is what the workload expects, and equals that of the reference.
func compare(t *testing.T, got, reference *httptest.ResponseRecorder, w workload.Workload) {
	t.Helper()
	if !w.Answered(got.Code) {
		t.Fatalf("status = %d, want %d: %s", got.Code, w.Status, got.Body)
	}
	for _, name := range w.Names {
		if !strings.Contains(got.Body.String(), name) {
			t.Errorf("the answer does not name %q: %s", name, got.Body)
		}
	}
	if got.Code >= http.StatusBadRequest {
		return
	}
	g, r := decoded(t, got), decoded(t, reference)
	if got.Code == http.StatusCreated {
		isNew(t, g)
		isNew(t, r)
	}
	if !reflect.DeepEqual(g, r) {
		t.Errorf("body = %v, want %v", g, r)
	}
	for _, name := range []string{"Location", "X-Total-Count"} {
		if g, w := got.Header().Get(name), reference.Header().Get(name); g != w && (g != "" || name == "Location") {
			t.Errorf("%s = %q, want %q", name, g, w)
		}
	}
}

// isNew checks that an item was created just now, and removes its time.
func isNew(t *testing.T, item any) {
	t.Helper()
	members, _ := item.(map[string]any)
	text, _ := members["createdAt"].(string)
	if at, err := time.Parse(time.RFC3339, text); err != nil || time.Since(at) > time.Minute {
		t.Errorf("createdAt = %q, %v", text, err)
	}
	delete(members, "createdAt")
}

func answer(t *testing.T, items []catalog.Item, c contender.Contender, w workload.Workload) *httptest.ResponseRecorder {
	t.Helper()
	handler, err := c.New(items)
	if err != nil {
		t.Fatal(err)
	}
	request, err := w.Request()
	if err != nil {
		t.Fatal(err)
	}
	request.Body, request.ContentLength = io.NopCloser(strings.NewReader(w.Body)), int64(len(w.Body))
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func decoded(t *testing.T, answer *httptest.ResponseRecorder) (value any) {
	t.Helper()
	if err := json.Unmarshal(answer.Body.Bytes(), &value); err != nil {
		t.Fatalf("%v: %s", err, answer.Body)
	}
	return value
}
