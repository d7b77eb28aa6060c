package trash_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// TestListenersSeeNoTrash has a delete to the trash as a delete, and a restored record as an insert.
func TestListenersSeeNoTrash(t *testing.T) {
	t.Parallel()
	var seen []string
	config := resource.Config{Committed: func(_ context.Context, changes []store.Change) {
		for _, change := range changes {
			kind := "shelf "
			switch change.Record().(type) {
			case *Item:
				kind = "item "
			case *Note:
				kind = "note "
			}
			seen = append(seen, kind+change.String())
		}
	}}
	inEachStore(t, config, open(), func(t *testing.T, w *world) {
		t.Helper()
		w.Send("POST /api/shelves", `{"name":"s"}`).HasStatus(201)
		w.Send("POST /api/items", `{"code":"a","place":"a","shelf":"/api/shelves/1"}`).HasStatus(201)
		w.Send("POST /api/notes", `{"item":"/api/items/1"}`).HasStatus(201)
		seen = nil
		for _, request := range []string{
			"DELETE /api/shelves/1", "POST /api/shelves/1/restore", "PATCH /api/items/1", "DELETE /api/items/1", "DELETE /api/items/1/trash", "DELETE /api/shelves/1",
		} {
			body := ""
			if strings.HasPrefix(request, "PATCH") {
				body = `{"code":"b"}`
			}
			if got := w.Send(request, body); got.Status > 299 {
				t.Errorf("%s: %d %s", request, got.Status, got.Body)
			}
		}
		got := strings.Join(seen, ", ")
		want := "shelf deleted 1, item deleted 1, shelf inserted 1, item inserted 1, item updated 1, item deleted 1, note updated 1, shelf deleted 1"
		if got != want {
			t.Errorf("listeners see\n%s\nwant\n%s", got, want)
		}
	})
}

func TestTheHistoryOfADeletedRecordIsForThoseWhoSeeTheTrash(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, things store.Store[Thing]) {
		t.Helper()
		c := spec.NewClient(t, config(), resource.Of[Thing]{Access: guarded(), Store: things, History: true, Operations: operations("/things")})
		c.Send("POST /api/things", `{"owner":1}`).HasStatus(201)
		c.As("ann", "DELETE /api/things/1", "").HasStatus(204)
		c.As("bob", "GET /api/things/1/history", "").IsProblem(404)
		c.As("bob", "GET /api/things/1/history?deleted=with", "").IsProblem(404)
		got := c.As("ann", "GET /api/things/1/history?deleted=with", "").HasStatus(200).Has("X-Total-Count", "2")
		got.Mentions(`"operation":"deleteThing","changes":{"deletedAt":{"from":null,"to":"`, `"operation":"createThing"`)
		c.As("ann", "POST /api/things/1/restore", "").HasStatus(200)
		c.As("bob", "GET /api/things/1/history", "").HasStatus(200).Has("X-Total-Count", "3").Mentions(`"operation":"restoreThing"`)
	})
}

// TestAggregatesLeaveTheTrashOut counts living records alone, and groups by living ones.
func TestAggregatesLeaveTheTrashOut(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, things store.Store[Thing]) {
		t.Helper()
		c := spec.NewClient(t, config(), resource.Of[Thing]{Access: guarded(), Store: things, Operations: append(operation.Standard(), operation.Aggregate{})})
		for _, body := range []string{`{"owner":1}`, `{"owner":2}`, `{"owner":2}`} {
			c.Send("POST /api/things", body).HasStatus(201)
		}
		c.Send("DELETE /api/things/2", "").HasStatus(204)
		c.Send("GET /api/things/aggregate?group=owner", "").Is(200, `[{"group":{"owner":1},"count":1},{"group":{"owner":2},"count":1}]`)
		c.Send("DELETE /api/things/3", "").HasStatus(204)
		c.Send("GET /api/things/aggregate", "").Is(200, `[{"group":{},"count":1}]`)
		c.As("root", "GET /api/things/aggregate?deleted=with", "").IsProblem(400)
	})
}
