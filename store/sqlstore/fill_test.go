package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

type Author struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" api:"unique"`
	Secret string `json:"secret" api:"hidden"`
}

type Novel struct {
	ID      int64   `json:"id"`
	Title   string  `json:"title"`
	Author  int64   `json:"author" api:"ref=Author"`
	Authors []int64 `json:"authors" validate:"max=9" api:"ref=Author"`
}

// library opens a new database with tables for authors and novels.
func library(t *testing.T) (*sqlstore.DB, *sqlstore.Store[Author], *sqlstore.Store[Novel]) {
	t.Helper()
	db := open(t)
	authors, novels := sqlstore.Table[Author](db), sqlstore.Table[Novel](db)
	if err := db.Create(t.Context(), authors, novels); err != nil {
		t.Fatal(err)
	}
	return db, authors, novels
}

const shelf = `{
	"novels":  [{"title": "Dune", "author": 7, "authors": [8, 7]}],
	"authors": [{"id": 7, "name": "Frank", "secret": "s"}, {"id": 8, "name": "Brian"}]
}`

func TestADatabaseIsFilledOnce(t *testing.T) {
	t.Parallel()
	db, authors, novels := library(t)
	for range 2 {
		if err := db.Fill(t.Context(), []byte(shelf), authors, novels); err != nil {
			t.Fatal(err)
		}
	}
	frank, err := authors.Get(t.Context(), int64(7))
	if err != nil {
		t.Fatal(err)
	}
	page, err := novels.List(t.Context(), store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&Author{7, "Frank", "s"}, frank); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]*Novel{{1, "Dune", 7, []int64{8, 7}}}, page.Items); diff != "" {
		t.Error(diff)
	}
	// Generated identifiers continue after the given ones.
	next := &Author{Name: "Kevin"}
	if err := store.Insert(t.Context(), authors, next); err != nil || next.ID != 9 {
		t.Errorf("the next author is %d: %v", next.ID, err)
	}
}

func TestADatabaseWithRecordsIsNotFilled(t *testing.T) {
	t.Parallel()
	db, authors, novels := library(t)
	insert(t, authors, &Author{Name: "Ursula"})
	insert(t, novels, &Novel{Title: "Rocannon's World", Author: 1})
	if err := db.Fill(t.Context(), []byte(shelf), authors, novels); err != nil {
		t.Fatal(err)
	}
	page, err := authors.List(t.Context(), store.Query{Count: true})
	if err != nil || page.Total != 1 {
		t.Errorf("%d authors, %v", page.Total, err)
	}
}

func TestFillingIsAllOrNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ document, want string }{
		"invalid JSON":            {`{`, "unexpected EOF"},
		"not an object":           {`[]`, "array"},
		"an unknown table":        {`{"authors": [], "books": []}`, `unknown table "books"; the tables are authors, novels`},
		"an unknown field":        {`{"authors": [{"name": "A"}, {"nmae": "B"}]}`, "nmae"},
		"a value of another type": {`{"authors": [{"name": 7}]}`, "authors"},
		"null":                    {`{"authors": [null]}`, "record 0 is null"},
		"two of one name":         {`{"authors": [{"name": "A"}, {"name": "A"}]}`, "name is already in use"},
		"a reference to nothing":  {`{"authors": [{"name": "A"}], "novels": [{"author": 3}]}`, "novels"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, authors, novels := library(t)
			if err := db.Fill(t.Context(), []byte(test.document), authors, novels); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want %q", err, test.want)
			}
			if page, err := authors.List(t.Context(), store.Query{Count: true}); err != nil || page.Total != 0 {
				t.Errorf("%d authors are left, %v", page.Total, err)
			}
		})
	}
}

func TestOneOfManyFills(t *testing.T) {
	t.Parallel()
	db, authors, novels := library(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := db.Fill(t.Context(), []byte(`{"novels": [{"title": "Dune", "author": 1}], "authors": [{"name": "Frank"}]}`), authors, novels); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	page, err := novels.List(t.Context(), store.Query{Count: true})
	if err != nil || page.Total != 1 {
		t.Errorf("%d novels, %v", page.Total, err)
	}
}

func TestWithoutADatabaseNothingIsFilled(t *testing.T) {
	t.Parallel()
	var missing *sqlstore.DB
	if err := missing.Fill(t.Context(), []byte(shelf)); err == nil || !strings.Contains(err.Error(), "the database is nil") {
		t.Errorf("the error is %v", err)
	}
}

// programs opens one file several times, as several programs would.
func programs(t *testing.T, n int) []*sqlstore.Store[coin] {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shared.db")
	stores := make([]*sqlstore.Store[coin], n)
	for i := range stores {
		db, err := sqlite.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		stores[i] = sqlstore.Table[coin](db)
		if err := db.Create(t.Context(), stores[i]); err != nil {
			t.Fatal(err)
		}
	}
	return stores
}

func TestNoUpdateIsLostBetweenPrograms(t *testing.T) {
	t.Parallel()
	stores := programs(t, 3)
	insert(t, stores[0], &coin{Name: "a"})
	var workers sync.WaitGroup
	errs := make([]error, 9)
	for i := range errs {
		workers.Go(func() {
			for range 20 {
				err := stores[i%3].Transact(t.Context(), updating(int64(1), func(c *coin) { c.Worth++ }))
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if worth := all(t, stores[1])[0].Worth; worth != 9*20 {
		t.Errorf("of %d increments %d are there", 9*20, worth)
	}
}

func TestOfManyProgramsOneTakesAName(t *testing.T) {
	t.Parallel()
	stores := programs(t, 3)
	for round := range 10 {
		var workers sync.WaitGroup
		errs := make([]error, 9)
		for i := range errs {
			workers.Go(func() { errs[i] = stores[i%3].Transact(t.Context(), inserting(&coin{Name: fmt.Sprint(round)})) })
		}
		workers.Wait()
		won := 0
		for _, err := range errs {
			taken := store.UniqueError{}
			switch {
			case err == nil:
				won++
			case !errors.As(err, &taken) || taken.Field != "name":
				t.Errorf("%v, want a store.UniqueError of the name", err)
			}
		}
		if won != 1 {
			t.Errorf("%d programs took one name", won)
		}
	}
	if n := len(all(t, stores[0])); n != 10 {
		t.Errorf("%d coins are there", n)
	}
}

func TestACancelledTransactionSavesNothing(t *testing.T) {
	t.Parallel()
	_, s := made[coin](t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Transact(ctx, func(ctx context.Context, tx store.Tx[coin]) error {
		err := tx.Insert(ctx, &coin{Name: "a"})
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) || len(all(t, s)) != 0 {
		t.Errorf("%v, and %d coins", err, len(all(t, s)))
	}
	insert(t, s, &coin{Name: "b"})
}

func TestAPanicSavesNothingAndFreesTheDatabase(t *testing.T) {
	t.Parallel()
	_, s := made[coin](t)
	func() {
		defer func() {
			if cause := recover(); cause != "as planned" {
				t.Errorf("the panic is %v", cause)
			}
		}()
		_ = s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[coin]) error {
			if err := tx.Insert(ctx, &coin{Name: "a"}); err != nil {
				return err
			}
			panic("as planned")
		})
	}()
	if found := all(t, s); len(found) != 0 {
		t.Errorf("%d coins are saved", len(found))
	}
	insert(t, s, &coin{Name: "a"})
}
