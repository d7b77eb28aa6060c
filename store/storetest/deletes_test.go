package storetest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// clumsyFolders deletes a folder after it has changed the ones that reference it.
type clumsyFolders struct {
	*memory.Store[storetest.Numbered]

	before func(ctx context.Context, id any) error
}

func (s clumsyFolders) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Numbered]) error) error {
	return s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Numbered]) error {
		return fn(ctx, clumsyTx{tx, s.before})
	})
}

type clumsyTx struct {
	store.Tx[storetest.Numbered]

	before func(ctx context.Context, id any) error
}

func (t clumsyTx) Delete(ctx context.Context, id any) error {
	return errors.Join(t.before(ctx, id), t.Tx.Delete(ctx, id))
}

func TestFaultsInDeletesAreNoticed(t *testing.T) {
	t.Parallel()
	const random = "random deletes match the reference implementation"
	own, other := []string{"in", "from", "next", "kept", "loose"}, []string{"under", "by", "beside", "holds", "lists"}
	for name, c := range map[string]struct {
		own, other []string
		cascades   bool // before it checks restrict references
		broken     []string
	}{
		"none":                             {own, other, false, nil},
		"references are ignored":           {nil, nil, false, []string{random}},
		"lists are ignored":                {own[:3], other[:3], false, []string{random}},
		"one store is ignored":             {own, nil, false, []string{random}},
		"cascaded records do not restrict": {own, other, true, []string{random}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := storetest.DeleteBreaks(t, func() (store.Store[storetest.Numbered], store.Store[storetest.Folder]) {
				first, second := memory.New[storetest.Numbered](), memory.New[storetest.Folder]()
				var errs []error
				for _, each := range [][2]model.Linker{{model.LinkerOf(first), model.LinkerOf(second)}, {model.LinkerOf(second), model.LinkerOf(first)}} {
					for _, field := range c.own {
						errs = append(errs, each[0].Refer(field, each[0]))
					}
					for _, field := range c.other {
						errs = append(errs, each[0].Refer(field, each[1]))
					}
				}
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
				if !c.cascades {
					return first, second
				}
				return clumsyFolders{first, func(ctx context.Context, id any) error { return deleteUnder(ctx, second, id) }}, second
			})
			notices(t, broken, c.broken...)
			if name == "none" && broken != nil {
				t.Errorf("without a fault %q are broken", broken)
			}
		})
	}
}

// deleteUnder deletes the folders of a store that are under a folder of the other store.
func deleteUnder(ctx context.Context, in *memory.Store[storetest.Folder], id any) error {
	page, err := in.List(ctx, store.Query{})
	if err != nil {
		return err
	}
	return in.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Folder]) error {
		for _, f := range page.Items {
			if f.Under != nil && *f.Under == id {
				if err := tx.Delete(ctx, f.ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
