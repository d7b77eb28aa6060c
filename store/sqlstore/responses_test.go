package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// keeping stores a response for a key that is free.
func keeping(key string, expires time.Time) func(context.Context, store.Tx[coin]) error {
	return func(ctx context.Context, tx store.Tx[coin]) error {
		answers, ok := tx.(store.ResponseTx)
		if !ok {
			return errors.New("no answers")
		}
		if _, err := answers.Response(ctx, key); !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("the key is not free: %w", err)
		}
		return answers.KeepResponse(ctx, key, store.StoredResponse{Request: []byte("hash"), Content: []byte(key), Expires: expires})
	}
}

// ddl creates the table of responses in SQLite.
const ddl = `CREATE TABLE IF NOT EXISTS "trove_responses" (
	"key" TEXT NOT NULL PRIMARY KEY,
	"request" BLOB NOT NULL,
	"content" BLOB NOT NULL,
	"expires" TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS "trove_responses_expires_idx" ON "trove_responses" ` + "(`expires`, `key`)" + `;

`

func TestTheTableOfResponsesIsMadeByCreateOrByAMigration(t *testing.T) {
	t.Parallel()
	db := open(t)
	text, err := sqlstore.DDL(db.Responses())
	if err != nil || text != ddl {
		t.Errorf("the statements are %s (%v)", text, err)
	}
	coins := sqlstore.Table[coin](db)
	migrated := open(t, strings.Split(ddl, ";\n\n")[:2]...)
	if err := db.Create(t.Context(), coins); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*sqlstore.Store[coin]{"by Create": coins, "by a migration": sqlstore.Table[coin](migrated)} {
		if err := s.CheckResponses(t.Context()); err != nil {
			t.Errorf("a table that was made %s: %v", name, err)
		}
	}
	if err := db.Create(t.Context(), coins, db.Responses()); err != nil {
		t.Errorf("a table that is named and there: %v", err)
	}
}

func TestAWrongTableOfResponsesIsReportedWithTheRemedy(t *testing.T) {
	t.Parallel()
	for name, try := range map[string]struct {
		statement string
		want      []string
	}{
		"missing": {"CREATE TABLE coins (id INTEGER)", []string{"table trove_responses", "db.Create", "sqlstore.DDL(db.Responses())", "does not exist"}},
		"another": {
			"CREATE TABLE trove_responses (key TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)",
			[]string{"has no column request BLOB", "has the column content with type TEXT; content needs BLOB", "has no column expires"},
		},
	} {
		err := sqlstore.Table[coin](open(t, try.statement)).CheckResponses(t.Context())
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range try.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not say %q: %v", name, want, err)
			}
		}
	}
	if err := sqlstore.Table[coin](nil).CheckResponses(t.Context()); err == nil {
		t.Error("without a database: no error")
	}
	if err := sqlstore.Table[coin](sqlstore.New(nil)).CheckResponses(t.Context()); err == nil {
		t.Error("without a driver: no error")
	}
}

func TestAResponseCostsTwoStatements(t *testing.T) {
	t.Parallel()
	db, _ := made[coin](t)
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	r.statements = nil
	for range 2 {
		err := s.Transact(t.Context(), keeping("key", time.Now()))
		if err != nil {
			t.Fatal(err)
		}
	}
	begun := 0
	for i, s := range r.statements {
		if s.text == "BEGIN" {
			begun = i
		}
	}
	if second := r.statements[begun:]; len(second) != 4 { // BEGIN and COMMIT
		t.Errorf("the second time these ran: %v", second)
	}
}

func TestExpiredResponsesAreDeleted(t *testing.T) {
	t.Parallel()
	db, s := made[coin](t)
	for i := range 260 {
		if err := s.Transact(t.Context(), keeping(fmt.Sprint("past", i), time.Now().Add(-time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	if n := one[int](t, db, "SELECT count(*) FROM trove_responses"); n > 60 {
		t.Errorf("%d of 260 answers that expired are there", n)
	}
	for i := range 100 {
		if err := s.Transact(t.Context(), keeping(fmt.Sprint("new", i), time.Now().Add(time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	if n := one[int](t, db, "SELECT count(*) FROM trove_responses"); n != 100 {
		t.Errorf("%d answers are there, want the 100 that have not expired", n)
	}
}

func TestOneTransactionDeletesABoundedNumberOfResponses(t *testing.T) {
	t.Parallel()
	db, s := made[coin](t)
	_, err := db.Exec(t.Context(), "INSERT INTO trove_responses WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "+
		"SELECT 'past' || i, zeroblob(0), x'', '2001-01-01T00:00:00.000000Z' FROM n")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Transact(t.Context(), keeping("key", time.Now().Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	if n := one[int](t, db, "SELECT count(*) FROM trove_responses"); n != 801 {
		t.Errorf("%d answers are there, want 200 fewer of those that expired and the new one", n)
	}
}

func TestDeletingResponsesNeverFailsATransaction(t *testing.T) {
	t.Parallel()
	db, _ := made[coin](t)
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	failing(r, "DELETE", 1, sqlstore.UnavailableFault)
	if err := s.Transact(t.Context(), keeping("key", time.Now().Add(time.Hour))); err != nil {
		t.Error(err)
	}
	r.last(t, "DELETE")
}

func TestATransactionWithoutResponsesDeletesNone(t *testing.T) {
	t.Parallel()
	db, _ := made[coin](t)
	watched, r := recorded(db)
	s := sqlstore.Table[coin](watched)
	failing(r, "DELETE", 1, sqlstore.UnavailableFault)
	insert(t, s, &coin{Name: "a"})
	for _, s := range r.statements {
		if strings.HasPrefix(s.text, "DELETE") {
			t.Errorf("%s has run", s.text)
		}
	}
}

func TestStoresOfOneDatabaseShareTheirResponses(t *testing.T) {
	t.Parallel()
	db, coins := made[coin](t)
	purses := sqlstore.Table[purse](db)
	if err := db.Create(t.Context(), purses); err != nil {
		t.Fatal(err)
	}
	if err := coins.Transact(t.Context(), keeping("key", time.Now().Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	err := purses.Transact(t.Context(), func(ctx context.Context, tx store.Tx[purse]) error {
		answer, err := tx.(store.ResponseTx).Response(ctx, "key")
		if err == nil && string(answer.Content) != "key" {
			err = fmt.Errorf("the response is %q", answer.Content)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestResponsesWithoutTheirTableAreAnErrorOfTheRequest(t *testing.T) {
	t.Parallel()
	s := sqlstore.Table[coin](open(t))
	if err := s.Transact(t.Context(), keeping("key", time.Now())); err == nil || errors.Is(err, store.ErrNotFound) && !strings.Contains(err.Error(), "no such table") {
		t.Errorf("the error is %v", err)
	}
}
