package hooks_test

import (
	"context"
	_ "embed"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/examples/guide/hooks"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

// order has the expected order for each case, which the guide shows.
//
//go:embed order.txt
var order string

// traced is a store that logs where transactions begin and end.
type traced struct {
	store.Store[hooks.Note]

	log       *hooks.Log
	conflicts int // the number of transactions that are rolled back and run again
	changes   int // the number of transactions that begin after another request has changed the record
}

func (s *traced) Unwrap() any { return s.Store }

func (s *traced) Transact(ctx context.Context, fn func(ctx context.Context, tx store.Tx[hooks.Note]) error) error {
	if s.changes > 0 {
		s.changes--
		change := func(_ context.Context, tx store.Tx[hooks.Note]) error {
			return tx.Update(ctx, int64(1), &hooks.Note{ID: 1, Text: "Rice"})
		}
		if err := s.Store.Transact(ctx, change); err != nil {
			return err
		}
		s.log.Names = s.log.Names[:len(s.log.Names)-1] // Committed of the other request
	}
	traced := func(ctx context.Context, tx store.Tx[hooks.Note]) error {
		_ = s.log.Add("[")
		defer func() { _ = s.log.Add("]") }()
		return fn(ctx, tx)
	}
	for ; s.conflicts > 0; s.conflicts-- {
		conflict := errors.New("conflict")
		rolledBack := func(ctx context.Context, tx store.Tx[hooks.Note]) error {
			return errors.Join(traced(ctx, tx), conflict)
		}
		if err := s.Store.Transact(ctx, rolledBack); !errors.Is(err, conflict) {
			return err
		}
	}
	return s.Store.Transact(ctx, traced)
}

// send sends a request to an API with all functions, and returns the status.
func send(t *testing.T, s *traced, slow bool, method, path, body string) int {
	t.Helper()
	s.Store = memory.New(hooks.Note{ID: 1, Text: "Bread"}, hooks.Note{ID: 2, Text: "Eggs"})
	api, err := s.log.Declare(s, slow)
	if err != nil {
		t.Fatal(err)
	}
	s.log.Names = nil // New calls rules
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer token")
	if r.Header.Set("Content-Type", "application/json"); method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Code
}

func TestFunctionsRunInTheOrderOfTheGuide(t *testing.T) {
	t.Parallel()
	const notes, one, archive, milk = "/api/notes", "/api/notes/1", "/api/notes/1/archive", `{"text": "Milk"}`
	for _, c := range []struct {
		name, method, path, body   string
		conflicts, changes, status int
	}{
		{name: "Post", method: "POST", path: notes, body: milk, status: 201},
		{name: "Patch", method: "PATCH", path: one, body: milk, status: 200},
		{name: "Put", method: "PUT", path: one, body: milk, status: 200},
		{name: "Delete", method: "DELETE", path: one, status: 204},
		{name: "Get", method: "GET", path: one, status: 200},
		{name: "handler", method: "POST", path: archive, status: 200},
		{name: "Post with slow work", method: "POST", path: notes, body: milk, status: 201},
		{name: "Patch with slow work", method: "PATCH", path: one, body: milk, status: 200},
		{name: "Get with Output", method: "GET", path: "/api/notes/1/text", status: 200},
		{name: "list of two records", method: "GET", path: notes, status: 200},
		{name: "invalid Post", method: "POST", path: notes, body: `{"text": "more than ten"}`, status: 400},
		{name: "Patch of a missing ID", method: "PATCH", path: "/api/notes/9", body: milk, status: 404},
		{name: "Post, a conflict", method: "POST", path: notes, body: milk, conflicts: 1, status: 201},
		{name: "Post with slow work, a conflict", method: "POST", path: notes, body: milk, conflicts: 1, status: 201},
		{name: "handler, a conflict", method: "POST", path: archive, conflicts: 1, status: 200},
		{name: "handler, the record changes", method: "POST", path: archive, changes: 1, status: 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			line := regexp.MustCompile(`(?m)^` + c.name + `  +(.*(?:\n +.*)*)`).FindStringSubmatch(order)
			if line == nil {
				t.Fatal("order.txt does not have the case")
			}
			want := strings.Fields("Middleware Observer.Begin Scheme " + line[1] + " Observer.End Middleware.ends")
			s := &traced{log: new(hooks.Log), conflicts: c.conflicts, changes: c.changes}
			if status := send(t, s, strings.Contains(c.name, "slow"), c.method, c.path, c.body); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			if diff := cmp.Diff(want, s.log.Names); diff != "" {
				t.Errorf("the order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRequestsWithoutAnOperationAreObserved(t *testing.T) {
	t.Parallel()
	s := &traced{log: new(hooks.Log)}
	if status := send(t, s, false, http.MethodGet, "/unknown", ""); status != http.StatusNotFound {
		t.Errorf("status %d", status)
	}
	want := []string{"Middleware", "Observer.Begin", "Observer.End", "Middleware.ends"}
	if diff := cmp.Diff(want, s.log.Names); diff != "" {
		t.Errorf("the order (-want +got):\n%s", diff)
	}
}

func TestErrorsOfFunctionsHaveTheStatusOfTheGuide(t *testing.T) {
	t.Parallel()
	statuses := []struct {
		err    error
		status int
	}{
		{validation.Fail("text", "must be a drink"), 400},
		{operation.Error{Status: http.StatusPaymentRequired}, 402},
		{store.ErrNotFound, 404},
		{store.ErrConflict, 409},
		{store.UniqueError{Field: "text"}, 409},
		{store.ErrUnavailable, 503},
		{errors.New("unknown"), 500},
	}
	for _, function := range []string{
		"access.Check", "Input.apply", "Prepare", "BeforeTransaction", "Processor", "HandleAfter.before", "Handler", "Computed", "Output",
	} {
		for _, c := range statuses {
			s := &traced{log: &hooks.Log{Fails: map[string]error{function: c.err}}}
			method, path, body := http.MethodPatch, "/api/notes/1", `{"text": "Milk"}`
			switch function {
			case "HandleAfter.before", "Handler":
				method, path, body = http.MethodPost, "/api/notes/1/archive", ""
			case "Output":
				method, path, body = http.MethodGet, "/api/notes/1/text", ""
			}
			if status := send(t, s, function == "BeforeTransaction", method, path, body); status != c.status {
				t.Errorf("%q of %s returns %d, want %d", c.err, function, status, c.status)
			}
			collected := c.status == 400 && (function == "Prepare" || function == "Input.apply")
			if slices.Contains(s.log.Names, "MapError") == collected {
				t.Errorf("%q of %s: MapError is called: %t", c.err, function, !collected)
			}
			if slices.Contains(s.log.Names, "Committed") {
				t.Errorf("%q of %s: the change is committed", c.err, function)
			}
		}
	}
}

func TestErrorsOfListsAndSchemesHaveTheStatusOfTheGuide(t *testing.T) {
	t.Parallel()
	s := &traced{log: &hooks.Log{Fails: map[string]error{"Computed": errors.New("unknown")}}}
	if status := send(t, s, false, http.MethodGet, "/api/notes", ""); status != http.StatusOK || slices.Contains(s.log.Names, "MapError") {
		t.Errorf("a list of records whose computed field fails returns %d", status)
	}
	for err, want := range map[error]int{access.ErrCredentials: 401, errors.New("unknown"): 503} {
		s := &traced{log: &hooks.Log{Fails: map[string]error{"Scheme": err}}}
		if status := send(t, s, false, http.MethodGet, "/api/notes", ""); status != want || slices.Contains(s.log.Names, "MapError") {
			t.Errorf("%q of a scheme returns %d, want %d", err, status, want)
		}
	}
}
