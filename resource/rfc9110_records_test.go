package resource_test

import (
	"context"
	"testing"
	"time"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Scroll is a record that counts its changes, and knows when the last one was.
type Scroll struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title" validate:"notblank" api:"filter,sort"`
	Lines     []string  `json:"lines"`
	Version   int64     `json:"version" api:"version"`
	ChangedAt time.Time `json:"changedAt" api:"modified"`
}

// Goblet is a record that knows nothing of its changes.
type Goblet struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
}

// Chest is a record with a member that no answer shows.
type Chest struct {
	ID    int64    `json:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
	Code  string   `json:"code" api:"writeonly"`
}

// Keeper is a record that its client names.
type Keeper struct {
	Name  string   `json:"name" api:"id"`
	Title string   `json:"title" validate:"notblank" api:"filter,sort"`
	Lines []string `json:"lines"`
}

// changed is when the first Scroll was changed last.
const (
	changed       = "Fri, 02 Jan 2026 15:04:05 GMT"
	beforeChanged = "Fri, 02 Jan 2026 15:04:04 GMT"
	afterChanged  = "Fri, 02 Jan 2026 15:04:06 GMT"
)

// conditionalAPI serves one record of each kind.
func conditionalAPI(t testing.TB) client {
	t.Helper()
	at := time.Date(2026, 1, 2, 15, 4, 5, 600e6, time.UTC)
	creating := []operation.Operation{
		operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Delete{},
	}
	// The tag of a handler's answer is that of the record that it changed.
	retitle := operation.Post{Name: "retitle", URITemplate: "/scrolls/{id}/retitle", Handler: operation.Handle(
		func(_ context.Context, s *Scroll, in struct {
			Title string `json:"title"`
		},
		) (*Scroll, error) {
			s.Title = in.Title
			return s, nil
		})}
	return newClient(
		t, resource.Config{},
		resource.Of[Scroll]{SparseFields: true, Store: memory.New(Scroll{Title: "a", Version: 3, ChangedAt: at}), Operations: append(operation.Standard(), retitle)},
		resource.Of[Goblet]{SparseFields: true, Store: memory.New(Goblet{Title: "a"})},
		resource.Of[Chest]{SparseFields: true, Store: memory.New(Chest{Title: "a", Code: "1"})},
		resource.Of[Keeper]{SparseFields: true, Store: memory.New(Keeper{Name: "1", Title: "a"}), Operations: creating},
	)
}

// conditionalItems are the records of that API.
var conditionalItems = []string{"/api/scrolls/1", "/api/goblets/1", "/api/chests/1", "/api/keepers/1"}

// tagOf returns the entity tag of what is at a path.
func tagOf(w wire, path string) string {
	w.t.Helper()
	tag := w.send("GET "+path, "").hasStatus(200).header.Get("ETag")
	if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		w.t.Fatalf("%s has the ETag %s", path, tag)
	}
	return tag
}
