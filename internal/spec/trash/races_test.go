package trash_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// TestConcurrentWritersLeaveNoLivingReferenceToTheTrash lets 16 writers on two instances of the API delete, restore, purge and
// reference a few records at once. Afterwards no living record may have a reference to a missing record, or one with ondelete=cascade or restrict to one
// in the trash.
func TestConcurrentWritersLeaveNoLivingReferenceToTheTrash(t *testing.T) {
	t.Parallel()
	race := func(t *testing.T, worlds [2]*world) {
		t.Helper()
		w := worlds[0]
		for i := range 4 {
			w.Send("POST /api/shelves", fmt.Sprintf(`{"name":"%d"}`, i)).HasStatus(201)
			w.Send("POST /api/items", fmt.Sprintf(`{"code":"%d","place":"%d","shelf":"/api/shelves/%d"}`, i, i, i+1)).HasStatus(201)
		}
		rounds := 40
		if testing.Short() {
			rounds = 8
		}
		var all sync.WaitGroup
		for writer := range 16 {
			all.Go(func() {
				w := worlds[writer%2]
				random := rand.New(rand.NewPCG(uint64(writer), 7))
				for i := range rounds {
					id := random.IntN(4) + 1
					request, body := "DELETE /api/items/%d", ""
					switch random.IntN(11) {
					case 1:
						request = "DELETE /api/shelves/%d"
					case 2, 3:
						request = "POST /api/shelves/%d/restore"
					case 4:
						request = "POST /api/items/%d/restore"
					case 5:
						request, body = "POST /api/items", fmt.Sprintf(`{"code":"w%d-%d","place":"w%d-%d","shelf":"/api/shelves/%d"}`, writer, i, writer, i, id)
					case 6, 7, 8, 9, 10:
						if err := write(t.Context(), w, int64(id), random); err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrNotFound) {
							t.Error(err)
						}
						continue
					}
					if body == "" {
						request = fmt.Sprintf(request, id)
					}
					// MariaDB finds more deadlocks than a transaction may run again.
					if got := w.Send(request, body); got.Status >= 500 && (got.Status != 503 || !strings.HasSuffix(t.Name(), "MariaDB")) {
						t.Errorf("%s: %d %s", request, got.Status, got.Body)
					}
				}
			})
		}
		all.Wait()
		checkReferences(t, w)
	}
	t.Run("memory", func(t *testing.T) {
		w := inMemory().start(t, resource.Config{}, open())
		race(t, [2]*world{w, w})
	})
	for name, openPair := range spec.Pairs() {
		t.Run(name, func(t *testing.T) {
			var worlds [2]*world
			for i, db := range openPair(t) {
				worlds[i] = inTables(t, db).start(t, resource.Config{}, open())
			}
			race(t, worlds)
		})
	}
}

// write inserts a note or a loan without the checks of requests, or deletes and purges the loans of an item.
func write(ctx context.Context, w *world, id int64, random *rand.Rand) error {
	switch random.IntN(6) {
	case 0:
		return store.Insert(ctx, w.notes, &Note{Item: &id, Items: []int64{id}})
	case 1, 2:
		return store.Insert(ctx, w.loans, &Loan{Item: id})
	}
	return w.loans.Transact(ctx, func(ctx context.Context, tx store.Tx[Loan]) error {
		page, err := w.loans.List(ctx, store.Query{Where: []store.Condition{store.Eq("item", id)}})
		for i := 0; i < len(page.Items) && err == nil; i++ {
			if err = tx.Delete(ctx, page.Items[i].ID); err == nil {
				err = tx.(store.TrashTx).Purge(ctx, page.Items[i].ID)
			}
		}
		return err
	})
}

func checkReferences(t *testing.T, w *world) {
	t.Helper()
	shelves, items := everything(t, w.shelves), everything(t, w.items)
	isLiving := func(id int64) bool { return shelves[id] != nil && shelves[id].DeletedAt == nil }
	for _, item := range items {
		if item.DeletedAt == nil && item.Shelf != nil && !isLiving(*item.Shelf) {
			t.Errorf("item %d is living, and its shelf %d is not", item.ID, *item.Shelf)
		}
	}
	for _, loan := range everything(t, w.loans) {
		if item := items[loan.Item]; item == nil || loan.DeletedAt == nil && item.DeletedAt != nil {
			t.Errorf("loan %d is living, and its item %d is not", loan.ID, loan.Item)
		}
	}
	for _, note := range everything(t, w.notes) {
		for _, id := range append(note.Items, *note.Item) {
			if items[id] == nil {
				t.Errorf("note %d references the item %d, which does not exist", note.ID, id)
			}
		}
	}
}

// everything returns all records of a store by their identifiers.
func everything[T any](t *testing.T, in store.Store[T]) map[int64]*T {
	t.Helper()
	page, err := in.List(t.Context(), store.Query{Deleted: store.WithDeleted})
	if err != nil {
		t.Fatal(err)
	}
	found := map[int64]*T{}
	for _, record := range page.Items {
		found[idOf(record)] = record
	}
	return found
}

func idOf(record any) int64 {
	switch r := record.(type) {
	case *Shelf:
		return r.ID
	case *Item:
		return r.ID
	case *Loan:
		return r.ID
	case *Note:
		return r.ID
	}
	return 0
}
