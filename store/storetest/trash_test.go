package storetest_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// These are faults of stores with a trash.
const (
	saysNoTrash     fault = "the store does not say that it has a trash"
	returnsDeleted  fault = "Get returns deleted records"
	ignoresDeleted  fault = "List ignores Query.Deleted"
	forgets         fault = "a deleted record is gone"
	restoresAlone   fault = "a restored record comes alone"
	restoresTooMuch fault = "a restored record brings back what was deleted before it"
	purgesLiving    fault = "a purge deletes living records"
)

// leaves is a store in memory with a fault.
type leaves struct {
	store.Store[storetest.Leaf]

	fault fault
}

func (s leaves) Trashes() bool { return s.fault != saysNoTrash }

func (s leaves) Get(ctx context.Context, id any) (*storetest.Leaf, error) {
	if s.fault == returnsDeleted {
		page, err := s.Store.List(ctx, store.Query{Deleted: store.OnlyDeleted, Where: []store.Condition{store.Eq("id", id)}})
		if err == nil && len(page.Items) > 0 {
			return page.Items[0], nil
		}
	}
	return s.Store.Get(ctx, id)
}

func (s leaves) List(ctx context.Context, query store.Query) (store.Page[storetest.Leaf], error) {
	if s.fault == ignoresDeleted {
		query.Deleted = ""
	}
	return s.Store.List(ctx, query)
}

func (s leaves) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Leaf]) error) error {
	return s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Leaf]) error {
		return fn(ctx, leavesTx{tx, tx.(store.TrashTx), s})
	})
}

type leavesTx struct {
	store.Tx[storetest.Leaf]
	store.TrashTx

	in leaves
}

func (t leavesTx) Delete(ctx context.Context, id any) error {
	err := t.Tx.Delete(ctx, id)
	if err == nil && t.in.fault == forgets {
		err = t.TrashTx.Purge(ctx, id)
	}
	return err
}

func (t leavesTx) Purge(ctx context.Context, id any) error {
	if t.in.fault == purgesLiving {
		_ = t.Tx.Delete(ctx, id)
	}
	return t.TrashTx.Purge(ctx, id)
}

func (t leavesTx) Restore(ctx context.Context, id any) error {
	if err := t.TrashTx.Restore(ctx, id); err != nil {
		return err
	}
	deleted := store.Deleted("")
	change := t.Tx.Delete
	switch t.in.fault { //nolint:exhaustive // the others restore correctly
	default:
		return nil
	case restoresAlone:
	case restoresTooMuch:
		deleted, change = store.OnlyDeleted, t.TrashTx.Restore
	}
	page, err := t.in.Store.List(ctx, store.Query{Deleted: deleted, Where: []store.Condition{store.Eq("under", id)}})
	for _, child := range page.Items {
		if child.ID != id {
			_ = change(ctx, child.ID)
		}
	}
	return err
}

func TestEveryRuleOfTheTrashIsBrokenBySomeFault(t *testing.T) {
	t.Parallel()
	alone, random := "a deleted record is in the trash alone", "random deletes, restores and purges match the reference implementation"
	allBroken(t, storetest.TrashRules(), []broken[storetest.Leaf]{
		{fault: saysNoTrash, rules: []string{alone}},
		{fault: returnsDeleted, rules: []string{alone}},
		{fault: ignoresDeleted, rules: []string{alone, random}},
		{fault: forgets, rules: []string{alone, random}},
		{fault: restoresAlone, rules: []string{random}},
		{fault: restoresTooMuch, rules: []string{random}},
		{fault: purgesLiving, rules: []string{alone, random}},
	}, func(f broken[storetest.Leaf]) store.Store[storetest.Leaf] {
		s := memory.New[storetest.Leaf]()
		linker := model.LinkerOf(s)
		for _, field := range []string{"under", "by", "beside"} {
			if err := linker.Refer(field, linker); err != nil {
				t.Fatal(err)
			}
		}
		return leaves{s, f.fault}
	})
}
