package wire_test

import (
	"context"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Chest is a record with a field that no response shows.
type Chest struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
	Code  string   `json:"code" api:"writeonly"`
}

// changed is the time of the last change of the first Scroll.
const (
	changed       = "Fri, 02 Jan 2026 15:04:05 GMT"
	beforeChanged = "Fri, 02 Jan 2026 15:04:04 GMT"
	afterChanged  = "Fri, 02 Jan 2026 15:04:06 GMT"
)

// conditionalAPI serves one record of each kind.
func conditionalAPI(t testing.TB) spec.Client {
	t.Helper()
	at := time.Date(2026, 1, 2, 15, 4, 5, 600e6, time.UTC)
	creating := []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Delete{},
	}
	// The tag of a handler's response is that of the record that it changed.
	retitle := operation.Post{Name: "retitle", URITemplate: "/scrolls/{id}/retitle", Handler: operation.Handle(
		func(_ context.Context, s *spec.Scroll, in struct {
			Title string `json:"title"`
		},
		) (*spec.Scroll, error) {
			s.Title = in.Title
			return s, nil
		})}
	return spec.NewClient(
		t, resource.Config{},
		resource.Of[spec.Scroll]{SparseFields: true, Store: memory.New(spec.Scroll{Title: "a", Version: 3, ChangedAt: at}), Operations: append(operation.Standard(), retitle)},
		resource.Of[spec.Goblet]{SparseFields: true, Store: memory.New(spec.Goblet{Title: "a"})},
		resource.Of[Chest]{SparseFields: true, Store: memory.New(Chest{Title: "a", Code: "1"})},
		resource.Of[spec.Keeper]{SparseFields: true, Store: memory.New(spec.Keeper{Name: "1", Title: "a"}), Operations: creating},
	)
}

// conditionalItems are the records of that API.
var conditionalItems = []string{"/api/scrolls/1", "/api/goblets/1", "/api/chests/1", "/api/keepers/1"}

// tagOf returns the entity tag for a path.
func tagOf(w spec.Wire, path string) string {
	w.T.Helper()
	tag := w.Send("GET "+path, "").HasStatus(200).Header.Get("ETag")
	if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		w.T.Fatalf("%s has the ETag %s", path, tag)
	}
	return tag
}
