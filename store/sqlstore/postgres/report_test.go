package postgres_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	random "math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

type (
	guild struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	// hero is deleted with its guild, and with its teacher.
	hero struct {
		ID      int64  `json:"id"`
		Name    string `json:"name"`
		Guild   *int64 `json:"guild" api:"ref=Guild,ondelete=cascade"`
		Teacher *int64 `json:"teacher" api:"ref=Hero,ondelete=cascade"`
	}
	// sword is deleted with its owner, and loses its guild and its fans.
	sword struct {
		ID    int64   `json:"id"`
		Name  string  `json:"name"`
		Owner *int64  `json:"owner" api:"ref=Hero,ondelete=cascade"`
		Guild *int64  `json:"guild" api:"ref=Guild,ondelete=null"`
		Fans  []int64 `json:"fans" validate:"max=9" api:"ref=Hero,ondelete=null"`
	}
)

// saga has tables whose changes are recorded.
type saga struct {
	*testing.T

	ctx    context.Context //nolint:containedctx // of the test
	name   string          // of its connections
	db     *sqlstore.DB
	guilds *sqlstore.Store[guild]
	heroes *sqlstore.Store[hero]
	swords *sqlstore.Store[sword]

	mu      sync.Mutex
	changes []store.Change
}

func newSaga(t *testing.T) *saga {
	t.Helper()
	name := strings.ToLower(rand.Text())
	db := open(t, with(schema(t), "application_name", name))
	s := &saga{T: t, ctx: impatient(t), name: name, db: db}
	s.guilds, s.heroes, s.swords = sqlstore.Table[guild](db), sqlstore.Table[hero](db), sqlstore.Table[sword](db)
	if err := db.Create(s.ctx, s.guilds, s.heroes, s.swords); err != nil {
		t.Fatal(err)
	}
	db.Report(&store.Listener{Committed: func(_ context.Context, changes []store.Change) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changes = append(s.changes, changes...)
	}})
	// A guild with a hero, who has a student, who has one too. Each hero has a sword.
	s.must(store.Insert(s.ctx, s.guilds, &guild{Name: "owls"}, &guild{Name: "bears"}))
	s.must(store.Insert(s.ctx, s.heroes, &hero{Name: "ann", Guild: new(int64(1))},
		&hero{Name: "bob", Teacher: new(int64(1))}, &hero{Name: "cid", Teacher: new(int64(2))}))
	for id := range int64(3) {
		s.must(store.Insert(s.ctx, s.swords, &sword{Name: fmt.Sprint("sword ", id+1), Owner: new(id + 1)}))
	}
	s.must(store.Insert(s.ctx, s.swords, &sword{Name: "banner", Guild: new(int64(1)), Fans: []int64{1, 3}}))
	return s
}

func (s *saga) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// state returns a record as text. Each state of a record occurs once, because each write sets another name.
func state(record any) string {
	text, err := json.Marshal(record)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%T %s", record, text)
}

// saved adds the states of the records of a table to a set.
func saved[T any](ctx context.Context, t *testing.T, in *sqlstore.Store[T], states map[string]bool) {
	t.Helper()
	page, err := in.List(ctx, store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range page.Items {
		states[state(record)] = true
	}
}

// check checks that the reported changes lead to the saved records: each state that a change left is saved, or was left
// by exactly one later change.
func (s *saga) check() {
	s.Helper()
	now := map[string]bool{}
	saved(s.ctx, s.T, s.guilds, now)
	saved(s.ctx, s.T, s.heroes, now)
	saved(s.ctx, s.T, s.swords, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	made, left := map[string]int{}, map[string]int{}
	for _, change := range s.changes {
		if change.After != nil {
			made[state(change.After)]++
		}
		if change.Before != nil {
			left[state(change.Before)]++
		}
	}
	for each, n := range left {
		if n > 1 {
			s.Errorf("%d changes begin with %s", n, each)
		}
		if made[each] == 0 {
			s.Errorf("a change begins with %s, which no change has made", each)
		}
	}
	for each, n := range made {
		switch {
		case n > 1:
			s.Errorf("%d changes have made %s", n, each)
		case !now[each] && left[each] == 0:
			s.Errorf("%s is not saved any more, but that is not reported", each)
		case now[each] && left[each] > 0:
			s.Errorf("%s is saved, but a change begins with it", each)
		}
	}
	for each := range now {
		if made[each] == 0 {
			s.Errorf("%s is saved, but not reported", each)
		}
	}
}

// race runs first in a transaction, and second at the same time in another one, which waits for the first.
func (s *saga) race(first, second step) {
	s.Helper()
	wrote, release := make(chan error, 1), make(chan struct{})
	end := sync.OnceFunc(func() { close(release) })
	defer end()
	errs := make(chan error, 2)
	go func() {
		errs <- s.db.Transact(s.ctx, func(ctx context.Context) error {
			err := first(ctx, s)
			wrote <- err
			<-release
			return err
		})
	}()
	s.must(<-wrote)
	go func() {
		errs <- s.db.Transact(s.ctx, func(ctx context.Context) error { return second(ctx, s) })
	}()
	const waits = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND cardinality(pg_blocking_pids(pid)) > 0)"
	for isWaiting := false; !isWaiting; time.Sleep(time.Millisecond) {
		isWaiting = one[bool](s.ctx, s.T, s.db, waits, s.name)
	}
	end()
	s.must(errors.Join(<-errs, <-errs))
}

// step is a part of a transaction.
type step func(ctx context.Context, s *saga) error

func deleteGuild(ctx context.Context, s *saga) error { return store.Delete(ctx, s.guilds, int64(1)) }

func changeHero(id int64, change func(h *hero)) step {
	return func(ctx context.Context, s *saga) error {
		return store.Update(ctx, s.heroes, id, func(h *hero) error { h.Name = "x"; change(h); return nil })
	}
}

func deleteHero(id int64) step {
	return func(ctx context.Context, s *saga) error { return store.Delete(ctx, s.heroes, id) }
}

func insertHero(h hero) step {
	return func(ctx context.Context, s *saga) error { return store.Insert(ctx, s.heroes, new(h)) }
}

func changeBanner(change func(b *sword)) step {
	return func(ctx context.Context, s *saga) error {
		return store.Update(ctx, s.swords, int64(4), func(b *sword) error { b.Name = "x"; change(b); return nil })
	}
}

func renameGuild(ctx context.Context, s *saga) error {
	return store.Update(ctx, s.guilds, int64(1), func(g *guild) error { g.Name = "x"; return nil })
}

// replaceGuild writes without Get, which would wait.
func replaceGuild(ctx context.Context, s *saga) error {
	return s.guilds.Transact(ctx, func(ctx context.Context, tx store.Tx[guild]) error {
		return tx.Update(ctx, int64(1), &guild{ID: 1, Name: "y"})
	})
}

func insertSword(ctx context.Context, s *saga) error {
	return store.Insert(ctx, s.swords, &sword{Name: "x", Owner: new(int64(1))})
}

func deleteSword(ctx context.Context, s *saga) error { return store.Delete(ctx, s.swords, int64(1)) }

func TestReportsBeginWithWhatAnotherTransactionHasJustSaved(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]struct{ first, second step }{
		"an update of an updated record":               {renameGuild, replaceGuild},
		"a delete of an updated record":                {renameGuild, deleteGuild},
		"a cascade to an updated record":               {changeHero(1, func(*hero) {}), deleteGuild},
		"a cascade to a record that left":              {changeHero(1, func(h *hero) { h.Guild = nil }), deleteGuild},
		"a cascade to a deleted record":                {deleteSword, deleteGuild},
		"a cascade to a new record":                    {insertHero(hero{Name: "x", Guild: new(int64(1))}), deleteGuild},
		"a second cascade to a new record":             {insertSword, deleteGuild},
		"a cascade along a table to an updated record": {changeHero(3, func(*hero) {}), deleteGuild},
		"a cascade along a table to a deleted record":  {deleteHero(3), deleteGuild},
		"a cascade along a table to a new record":      {insertHero(hero{Name: "x", Teacher: new(int64(3))}), deleteGuild},
		"a reference that an updated record loses":     {changeBanner(func(*sword) {}), deleteGuild},
		"references that another has removed":          {changeBanner(func(b *sword) { b.Guild, b.Fans = nil, []int64{} }), deleteGuild},
		"a list that another has changed":              {changeBanner(func(b *sword) { b.Fans = []int64{3, 3} }), deleteHero(3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSaga(t)
			s.race(run.first, run.second)
			s.check()
		})
	}
}

func TestReportsOfConcurrentDeletesLeadToTheSavedRecords(t *testing.T) {
	t.Parallel()
	s := newSaga(t)
	const writers, rounds = 8, 60
	errs := together(writers, func(n int) error {
		choice := random.New(random.NewPCG(uint64(n), 7))
		for round := range rounds {
			name := fmt.Sprint(n, " ", round)
			if err := s.act(choice, name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
	s.must(errors.Join(errs...))
	s.check()
}

// act writes something at random. Other writers may have deleted what it needs.
func (s *saga) act(choice *random.Rand, name string) error {
	id := func() int64 { return 1 + choice.Int64N(6) }
	err := s.db.Transact(s.ctx, func(ctx context.Context) error {
		switch choice.IntN(9) {
		case 0:
			return store.Insert(ctx, s.guilds, &guild{ID: id(), Name: name})
		case 1:
			return store.Insert(ctx, s.heroes, &hero{ID: id(), Name: name, Guild: new(id())})
		case 2:
			return store.Insert(ctx, s.heroes, &hero{ID: id(), Name: name, Teacher: new(id())})
		case 3:
			return store.Insert(ctx, s.swords, &sword{ID: id(), Name: name, Owner: new(id())})
		case 4:
			return store.Insert(ctx, s.swords, &sword{ID: id(), Name: name, Guild: new(id()), Fans: []int64{id()}})
		case 5:
			return store.Update(ctx, s.heroes, id(), func(h *hero) error { h.Name = name; return nil })
		case 6:
			return store.Update(ctx, s.swords, id(), func(b *sword) error { b.Name, b.Fans = name, []int64{}; return nil })
		case 7:
			return store.Delete(ctx, s.heroes, id())
		}
		return store.Delete(ctx, s.guilds, id())
	})
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrConflict) {
		return nil
	}
	if _, dangles := errors.AsType[store.ReferenceError](err); dangles {
		return nil
	}
	return err
}
