package sqlstore_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
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
