package sqlstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/storetest"
)

// saga is searched for words.
type saga struct {
	ID    int64  `json:"id"`
	Title string `json:"title" api:"search=fulltext:english"`
	Note  string `json:"note" db:"the 'note'" api:"search=fulltext"`
}

// ballad is a saga whose identifier is a string.
type ballad struct {
	Name string `json:"name" api:"id"`
	Text string `json:"text" api:"search=fulltext"`
}

func TestAnIndexServesFullTextSearches(t *testing.T) {
	t.Parallel()
	for database, want := range map[string]string{"sqlite": "sagas__words VIRTUAL TABLE INDEX", "postgres": "sagas_title__words_idx"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			if database == "postgres" {
				db = server(t)
			}
			watched, r := recorded(db)
			s := sqlstore.Table[saga](watched)
			if err := db.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			err := s.Transact(t.Context(), func(ctx context.Context, tx store.Tx[saga]) error {
				for i := range 5000 {
					if err := tx.Insert(ctx, &saga{Title: fmt.Sprintf("The saga of king number%d", i), Note: "a note"}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if database == "postgres" {
				for _, statement := range []string{"ANALYZE sagas", "SELECT gin_clean_pending_list('sagas_title__words_idx'), gin_clean_pending_list(c.oid::regclass) FROM pg_class c WHERE relname = 'sagas_the ''note''__words_idx'"} {
					if _, err := db.Exec(t.Context(), statement); err != nil {
						t.Fatal(err)
					}
				}
			}
			r.statements = nil
			found, err := s.List(t.Context(), store.Query{Where: []store.Condition{is("title", store.FullText, "NUMBER4711 kings")}, Count: true, Limit: 30})
			if err != nil || len(found.Items) != 0 || found.Total != 0 {
				t.Errorf("a phrase of words that are not neighbors finds %d (%v)", found.Total, err)
			}
			for _, value := range []string{"number4711", "king number4711"} {
				found, err := s.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"title", "note"}, Operator: store.FullText, Values: []any{value}}}, Count: true, Limit: 30})
				if err != nil || found.Total != 1 || len(found.Items) != 1 || found.Items[0].ID != 4712 {
					t.Errorf("%s finds %v (%v)", value, found.Items, err)
				}
			}
			for _, statement := range r.statements {
				if plan := explained(t, db, statement); !strings.Contains(plan, want) || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "SCAN sagas\n") {
					t.Errorf("%s is run so:\n%s", statement.text, plan)
				}
			}
		})
	}
}

func TestATableWithoutAnIntegerIdentifierIsReadForAFullTextSearch(t *testing.T) {
	t.Parallel()
	_, s := made(t, &ballad{Name: "a", Text: "golden crown"}, &ballad{Name: "b", Text: "crown of gold"})
	found, err := s.List(t.Context(), store.Query{Where: []store.Condition{is("text", store.FullText, "CROWN of")}})
	if err != nil || len(found.Items) != 1 || found.Items[0].Name != "b" {
		t.Errorf("found %v (%v)", found.Items, err)
	}
}

func TestForeignDriversSearchWordsInStrings(t *testing.T) {
	t.Parallel()
	s := storetest.Suite[*sqlstore.DB]{Open: openMysqlish, Create: createAndCheck}
	s.Words = foreignTable
	s.Run(t)
}

func TestCreateIndexesTheWordsOfAnExistingTable(t *testing.T) {
	t.Parallel()
	db, s := made(t, &saga{Title: "The golden crown"})
	for _, statement := range []string{
		`DROP TRIGGER "sagas__words_insert"`, `DROP TRIGGER "sagas__words_update"`, `DROP TRIGGER "sagas__words_delete"`, `DROP TABLE "sagas__words"`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "the table sagas has no index of the words in its texts: call db.Migrate, or run CREATE VIRTUAL TABLE") {
		t.Errorf("Check returns %v", err)
	}
	for _, name := range []string{"insert", "update", "delete"} { // as when a program replaces the table
		if err := db.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(t.Context(), `DROP TRIGGER "sagas__words_`+name+`"`); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err == nil {
			t.Errorf("Check does not report that the trigger %s is gone", name)
		}
		if err := db.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
		found, err := s.List(t.Context(), store.Query{Where: []store.Condition{is("title", store.FullText, "golden")}})
		if err != nil || len(found.Items) != 1 {
			t.Errorf("found %v (%v)", found.Items, err)
		}
	}
	if _, err := db.Exec(t.Context(), `CREATE TABLE old (id INTEGER NOT NULL PRIMARY KEY, title TEXT NOT NULL, "the 'note'" TEXT NOT NULL) STRICT`); err != nil {
		t.Fatal(err)
	}
	if err := db.Create(t.Context(), sqlstore.Table[saga](db, sqlstore.Named("old"))); err == nil || !strings.Contains(err.Error(), "the table old has no column title__words TEXT for title") {
		t.Errorf("Create of a table without a column for words returns %v", err)
	}
}
