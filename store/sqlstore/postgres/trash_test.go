package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// A crate takes its bottles to the trash, and keeps the labels that name it.
type (
	crate struct {
		ID      int64      `json:"id"`
		Name    string     `json:"name"`
		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
	bottle struct {
		ID      int64      `json:"id"`
		Crate   *int64     `json:"crate" api:"ref=Crate,ondelete=cascade"`
		Note    string     `json:"note"`
		Deleted *time.Time `json:"deleted" api:"deleted"`
	}
	seal struct {
		ID    int64  `json:"id"`
		Crate *int64 `json:"crate" api:"ref=Crate"`
	}
)

// cellar is the tables of one process.
type cellar struct {
	db      *sqlstore.DB
	crates  *sqlstore.Store[crate]
	bottles *sqlstore.Store[bottle]
	seals   *sqlstore.Store[seal]
}

func newCellar(t *testing.T, dsn string) cellar {
	t.Helper()
	db := open(t, dsn)
	c := cellar{db, sqlstore.Table[crate](db), sqlstore.Table[bottle](db), sqlstore.Table[seal](db)}
	if err := db.Create(t.Context(), c.crates, c.bottles, c.seals); err != nil {
		t.Fatal(err)
	}
	return c
}

// inTrash returns a function that calls a method of the trash.
func inTrash[T any](s *sqlstore.Store[T], call func(trash store.TrashTx, ctx context.Context, id any) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		return s.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error { return call(tx.(store.TrashTx), ctx, int64(1)) })
	}
}

// fill makes a crate with a living bottle and one that was deleted before. Another crate is empty. Deleted moves the first
// to the trash.
func (c cellar) fill(ctx context.Context, t *testing.T, deleted bool) {
	t.Helper()
	one := int64(1)
	_, err := c.db.Exec(ctx, "TRUNCATE crates, bottles, seals RESTART IDENTITY CASCADE")
	err = errors.Join(err,
		store.Insert(ctx, c.crates, &crate{Name: "red"}, &crate{Name: "white"}),
		store.Insert(ctx, c.bottles, &bottle{Crate: &one}, &bottle{Crate: &one}, &bottle{}),
		store.Delete(ctx, c.bottles, int64(2)),
	)
	if deleted {
		err = errors.Join(err, store.Delete(ctx, c.crates, one))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// changes are transactions about the first crate, which may be in the trash.
func (c cellar) changes(deleted bool) map[string]func(ctx context.Context) error {
	one := int64(1)
	all := map[string]func(ctx context.Context) error{
		"insert a bottle": func(ctx context.Context) error {
			return store.Insert(ctx, c.bottles, &bottle{Crate: &one, Note: "new"})
		},
		"insert a seal": func(ctx context.Context) error { return store.Insert(ctx, c.seals, &seal{Crate: &one}) },
		"move a bottle": func(ctx context.Context) error {
			return store.Update(ctx, c.bottles, int64(3), func(b *bottle) error { b.Crate = &one; return nil })
		},
		"purge": inTrash(c.crates, store.TrashTx.Purge), "purge a bottle": inTrash(c.bottles, store.TrashTx.Purge),
		"restore": inTrash(c.crates, store.TrashTx.Restore), "restore a bottle": inTrash(c.bottles, store.TrashTx.Restore),
		"delete": func(ctx context.Context) error {
			return c.crates.Transact(ctx, func(ctx context.Context, tx store.Tx[crate]) error { return tx.Delete(ctx, one) })
		},
	}
	if !deleted {
		all["take a bottle out"] = func(ctx context.Context) error {
			return store.Update(ctx, c.bottles, one, func(b *bottle) error { b.Crate, b.Note = nil, "out"; return nil })
		}
		all["rename"] = func(ctx context.Context) error {
			return store.Update(ctx, c.crates, one, func(c *crate) error { c.Name = "green"; return nil })
		}
	}
	return all
}

// result is what two changes returned, and what the tables have then.
func (c cellar) result(ctx context.Context, t *testing.T, errs map[string]error) (text string) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(errs)) {
		text += what + ": " + kindOf(errs[what]) + "\n"
	}
	crates, err := c.crates.List(ctx, store.Query{Deleted: store.WithDeleted})
	for _, each := range crates.Items {
		text += fmt.Sprintf("crate %d %s %v\n", each.ID, each.Name, each.Deleted != nil)
	}
	bottles, more := c.bottles.List(ctx, store.Query{Deleted: store.WithDeleted})
	for _, each := range bottles.Items {
		in := int64(0)
		if each.Crate != nil {
			in = *each.Crate
		}
		text += fmt.Sprintf("bottle in %d %s %v\n", in, each.Note, each.Deleted != nil)
	}
	seals, most := c.seals.List(ctx, store.Query{})
	if err := errors.Join(err, more, most); err != nil {
		t.Fatal(err)
	}
	return text + fmt.Sprintf("%d seals", len(seals.Items))
}

// kindOf returns what a store reports, without details.
func kindOf(err error) string {
	for _, kind := range []error{store.ErrNotFound, store.ErrUnavailable, store.ErrConflict} {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return fmt.Sprint(err)
}

// oneByOne is the result of two changes, the first of which ends before the second begins.
func (c cellar) oneByOne(ctx context.Context, t *testing.T, deleted bool, first, second string) string {
	t.Helper()
	c.fill(ctx, t, deleted)
	errs, changes := map[string]error{}, c.changes(deleted)
	errs[first] = changes[first](ctx)
	errs[second] = changes[second](ctx)
	return c.result(ctx, t, errs)
}

// overlapping is the result of two changes, the first of which is saved after the transaction of the second has begun.
func (c cellar) overlapping(ctx context.Context, t *testing.T, other cellar, deleted bool, first, second string) string {
	t.Helper()
	c.fill(ctx, t, deleted)
	errs, runs := map[string]error{}, 0
	err := c.crates.Transact(ctx, func(ctx context.Context, _ store.Tx[crate]) error {
		if _, err := c.seals.List(ctx, store.Query{}); err != nil {
			return err
		}
		if runs++; runs == 1 {
			errs[first] = other.changes(deleted)[first](impatient(t))
		}
		return c.changes(deleted)[second](ctx)
	})
	errs[second] = err
	return c.result(ctx, t, errs)
}

// A transaction that began before another one was saved has the result that it would have after it, or before it as far as
// its isolation level allows that.
func TestATrashSeesWhatWasSavedSinceTheTransactionBegan(t *testing.T) {
	t.Parallel()
	for _, isolation := range []string{"read committed", "repeatable read"} {
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			ctx, dsn := impatient(t), set(t, schema(t), "default_transaction_isolation", isolation)
			one, other := newCellar(t, dsn), newCellar(t, dsn)
			for _, deleted := range []bool{false, true} {
				changes := one.changes(deleted)
				for first := range changes {
					for second := range changes {
						if testing.Short() && !slices.Contains([]string{"delete", "restore", "purge"}, second) {
							continue
						}
						got, want := one.overlapping(ctx, t, other, deleted, first, second), one.oneByOne(ctx, t, deleted, first, second)
						if got != want && (isolation == "read committed" || got != one.oneByOne(ctx, t, deleted, second, first)) {
							t.Errorf("deleted %v, %s, then %s:\n%s\nwant\n%s", deleted, first, second, got, want)
						}
					}
				}
			}
		})
	}
}

// What a request has read of a record in the trash is true until it restores or purges it.
func TestARecordInTheTrashStaysAsARequestHasReadIt(t *testing.T) {
	t.Parallel()
	for _, request := range []string{"POST /api/crates/1/restore", "DELETE /api/crates/1/trash"} {
		t.Run(request, func(t *testing.T) {
			t.Parallel()
			dsn := schema(t)
			one, other := newCellar(t, dsn), newCellar(t, dsn)
			one.fill(t.Context(), t, true)
			saved := make(chan error, 1)
			api, err := resource.New(resource.Config{}, resource.Of[crate]{
				Store: one.crates, Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public, Deleted: access.Public},
				Operations: append(operation.Standard(),
					operation.Post{Name: "restore", URITemplate: "/crates/{id}/restore", Handler: operation.Restore()},
					operation.Delete{Name: "purge", URITemplate: "/crates/{id}/trash", Handler: operation.Purge()}),
				Processor: operation.Process(func(ctx context.Context, _ *operation.Request, c *crate, save operation.Save[crate]) error {
					go func() { saved <- other.changes(true)["restore"](impatient(t)) }()
					select {
					case err := <-saved:
						saved <- err
						t.Error("it was restored meanwhile")
					case <-time.After(200 * time.Millisecond):
					}
					return save(ctx, c)
				}),
			})
			if err != nil {
				t.Fatal(err)
			}
			service{t, api}.must(request, "")
			if err := <-saved; !errors.Is(err, store.ErrNotFound) {
				t.Errorf("it was restored again: %v", err)
			}
		})
	}
}
