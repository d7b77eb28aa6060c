package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// oracle is a minimal implementation of a store.
type oracle struct{ records []item }

func (o *oracle) find(id int64) int {
	return slices.IndexFunc(o.records, func(r item) bool { return r.ID == id })
}

// taken returns the error of a code that a record with another id has.
func (o *oracle) taken(id int64, code *string) error {
	for _, r := range o.records {
		if r.ID != id && r.Code != nil && code != nil && *r.Code == *code {
			return store.UniqueError{Field: "code"}
		}
	}
	return nil
}

func (o *oracle) insert(r item) error {
	if o.find(r.ID) >= 0 {
		return store.UniqueError{Field: "id"}
	}
	err := o.taken(r.ID, r.Code)
	if err == nil {
		o.records = append(o.records, r)
	}
	return err
}

func (o *oracle) update(r item) error {
	i := o.find(r.ID)
	if i < 0 {
		return store.ErrNotFound
	}
	err := o.taken(r.ID, r.Code)
	if err == nil {
		o.records[i] = r
	}
	return err
}

func (o *oracle) remove(id int64) error {
	i := o.find(id)
	if i < 0 {
		return store.ErrNotFound
	}
	o.records = slices.Delete(o.records, i, i+1)
	return nil
}

// script runs random steps on a store and an oracle, and compares them.
type script struct {
	t         *testing.T
	steps     []byte
	store     *memory.Store[item]
	saved     oracle
	generated map[int64]bool
}

func (s *script) next() int {
	if len(s.steps) == 0 {
		return 0
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	return int(step)
}

// run runs transactions of a few steps each, some of which are saved.
func (s *script) run() {
	refused := errors.New("refused")
	for len(s.steps) > 0 {
		staged := oracle{slices.Clone(s.saved.records)}
		outcome := s.next() % 4
		err := s.store.Transact(s.t.Context(), func(ctx context.Context, tx store.Tx[item]) error {
			for range 1 + s.next()%5 {
				s.step(ctx, tx, &staged)
			}
			if outcome == 0 {
				return refused
			}
			return nil
		})
		switch {
		case outcome == 0 && !errors.Is(err, refused), outcome != 0 && err != nil:
			s.t.Fatalf("Transact: %v", err)
		case outcome != 0:
			s.saved = staged
		}
		s.compare()
	}
}

// step is one call within a transaction.
func (s *script) step(ctx context.Context, tx store.Tx[item], staged *oracle) {
	call, id, count := s.next()%8, int64(s.next()%12), s.next()
	record := item{ID: id, Count: count}
	if code := s.next() % 6; code > 0 {
		record.Code = new(string(rune('a' + code)))
	}
	switch call {
	case 0, 1, 2:
		err := tx.Insert(ctx, &record)
		if id == 0 && s.generated[record.ID] {
			s.t.Fatalf("the identifier %d was used before", record.ID)
		}
		s.generated[record.ID] = true
		s.same(fmt.Sprintf("Insert of %d", record.ID), err, staged.insert(record))
	case 3, 4:
		s.same(fmt.Sprintf("Update of %d", id), tx.Update(ctx, id, &record), staged.update(record))
	case 5, 6:
		s.same(fmt.Sprintf("Delete of %d", id), tx.Delete(ctx, id), staged.remove(id))
	case 7:
		got, err := tx.Get(ctx, id)
		i := staged.find(id)
		if i < 0 {
			s.same("Get", err, store.ErrNotFound)
		} else if diff := cmp.Diff(&staged.records[i], got, cmp.AllowUnexported(item{})); diff != "" {
			s.t.Fatalf("Get in a transaction: %s", diff)
		}
	}
}

func (s *script) same(call string, got, want error) {
	s.t.Helper()
	if !errors.Is(got, want) {
		s.t.Fatalf("%s: error %v, want %v", call, got, want)
	}
}

// compare checks that the store and the oracle have the same records.
func (s *script) compare() {
	s.t.Helper()
	want := make([]*item, 0, len(s.saved.records))
	for _, r := range s.saved.records {
		want = append(want, &r)
		got, err := s.store.Get(s.t.Context(), r.ID)
		if err != nil || got.Count != r.Count {
			s.t.Fatalf("Get(%d): %+v, %v", r.ID, got, err)
		}
	}
	slices.SortFunc(want, func(a, b *item) int { return int(a.ID - b.ID) })
	if diff := cmp.Diff(want, items(s.t, s.store), cmp.AllowUnexported(item{})); diff != "" {
		s.t.Fatalf("List: %s", diff)
	}
	coded := 0
	for _, each := range want {
		if each.Code != nil {
			coded++
		}
	}
	if rows, entries := engine(s.store).Rows(), engine(s.store).Entries()[0]; rows != len(want) || entries != coded {
		s.t.Fatalf("%d records, %d with a code, and %d rows, %d in the index", len(want), coded, rows, entries)
	}
}

func FuzzStoreIsAListWithTransactions(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	scripts := 200
	if testing.Short() {
		scripts = 40
	}
	for range scripts {
		steps := make([]byte, 400)
		for i := range steps {
			steps[i] = byte(random.UintN(256))
		}
		f.Add(steps)
	}
	f.Fuzz(func(t *testing.T, steps []byte) {
		s := script{t: t, steps: steps, store: memory.New[item](), generated: map[int64]bool{}}
		s.run()
	})
}
