package storetest_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/storetest"
)

// altered is a correct store whose values are changed on reads or writes.
type altered struct {
	store.Store[storetest.Values]
	read  func(*storetest.Values)       // changes a record that is read
	write func(*storetest.Values) error // changes a record before it is written, or returns an error instead
	blind bool                          // queries find nothing
}

func (a altered) Get(ctx context.Context, id any) (*storetest.Values, error) {
	record, err := a.Store.Get(ctx, id)
	if err != nil || a.read == nil {
		return record, err
	}
	changed := *record
	a.read(&changed)
	return &changed, nil
}

func (a altered) List(ctx context.Context, query store.Query) (store.Page[storetest.Values], error) {
	page, err := a.Store.List(ctx, query)
	if a.blind && len(query.Where) > 0 {
		page.Items = nil
	}
	return page, err
}

func (a altered) Transact(ctx context.Context, fn func(context.Context, store.Tx[storetest.Values]) error) error {
	return a.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[storetest.Values]) error {
		return fn(ctx, alteredTx{tx, a})
	})
}

type alteredTx struct {
	store.Tx[storetest.Values]
	altered altered
}

func (t alteredTx) Insert(ctx context.Context, record *storetest.Values) error {
	if t.altered.write != nil {
		if err := t.altered.write(record); err != nil {
			return err
		}
	}
	return t.Tx.Insert(ctx, record)
}

func (t alteredTx) Update(ctx context.Context, id any, record *storetest.Values) error {
	if t.altered.write != nil {
		if err := t.altered.write(record); err != nil {
			return err
		}
	}
	return t.Tx.Update(ctx, id, record)
}

func alterations() map[string]altered {
	emptied := func(list []string) []string { return append([]string{}, list...) }
	return map[string]altered{
		"nil lists are read as empty ones":                 {read: func(v *storetest.Values) { v.ListZero = emptied(v.ListZero) }},
		"empty bytes are read as nil":                      {read: func(v *storetest.Values) { v.BytesZero = append([]byte(nil), v.BytesZero...) }},
		"nil lists within objects are read as empty":       {read: func(v *storetest.Values) { v.Inner.ListEmpty = emptied(v.Inner.ListEmpty) }},
		"nil JSON is read as null":                         {read: func(v *storetest.Values) { v.RawZero = append([]byte("null"), v.RawZero...)[:max(4, len(v.RawZero))] }},
		"times lose their microseconds when they are read": {read: func(v *storetest.Values) { v.At = v.At.Truncate(time.Millisecond) }},
		"empty lists are written as nil": {write: func(v *storetest.Values) error {
			v.List = append([]string(nil), v.List...)
			return nil
		}},
		"times are written in their zone only": {write: func(v *storetest.Values) error {
			v.At = v.At.Add(time.Second)
			return nil
		}},
	}
}

func TestTheSuiteReportsValuesThatAStoreLoses(t *testing.T) {
	t.Parallel()
	for name, subject := range alterations() {
		const rule = "an inserted or updated value is read unchanged, with nil and empty distinguished"
		subject.Store = memory.New[storetest.Values]()
		if storetest.ValuesRules().Breaks(t, rule, subject, time.Minute) == nil {
			t.Errorf("%s, but the rule %q passes", name, rule)
		}
	}
}

func TestStoresThatAcceptInvalidValuesAreNoticed(t *testing.T) {
	t.Parallel()
	for rule, subject := range map[string]altered{
		"a value that JSON cannot represent is rejected": {write: func(v *storetest.Values) error {
			*v = storetest.Values{ID: v.ID, Label: v.Label}
			return nil
		}},
		"the longest indexed value is saved, and a longer one is rejected": {write: func(v *storetest.Values) error {
			v.Label = string([]rune(v.Label)[:200])
			return nil
		}},
		"a write-only value can be queried": {blind: true},
		"values with the same order key are equal to a unique field": {write: func(v *storetest.Values) error {
			v.Price = nil
			return nil
		}},
	} {
		subject.Store = memory.New[storetest.Values]()
		if storetest.ValuesRules().Breaks(t, rule, subject, time.Minute) == nil {
			t.Errorf("the rule %q passes", rule)
		}
	}
	if !storetest.ValuesRules().Explained() || len(slices.Compact(storetest.ValuesRules().Names())) != 5 {
		t.Error("a rule has no reason, or no store that breaks it")
	}
}
