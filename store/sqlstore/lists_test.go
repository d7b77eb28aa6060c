package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// sail and crew have lists of each other, and crew one of its own type.
type sail struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Crews []int64 `json:"crews" validate:"max=20" api:"ref=Crew,filter"`
}

type crew struct {
	ID    int64    `json:"id"`
	Sails []int64  `json:"sails" validate:"max=20" api:"ref=Sail,ondelete=cascade"`
	Mates []int64  `json:"mates" validate:"max=20" api:"ref=Crew,ondelete=null"`
	Codes []string `json:"codes" validate:"max=20" api:"filter=contains"`
	First *int64   `json:"first" api:"ref=Sail"`
}

// fleet creates the tables of both.
func fleet(t testing.TB, db *sqlstore.DB) (*sqlstore.Store[sail], *sqlstore.Store[crew]) {
	t.Helper()
	sails, crews := sqlstore.Table[sail](db), sqlstore.Table[crew](db)
	err := errors.Join(db.Create(t.Context(), sails, crews), sails.Check(t.Context()), crews.Check(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return sails, crews
}

func TestTablesThatReferToEachOtherByListsAreMade(t *testing.T) {
	t.Parallel()
	db := open(t)
	sails, crews := fleet(t, db)
	insert(t, crews, &crew{}, &crew{Mates: []int64{1, 1}}, &crew{Mates: []int64{3, 2, 1}})
	insert(t, sails, &sail{Name: "a", Crews: []int64{3, 1, 2}}, &sail{Name: "b"})
	if got, err := sails.Get(t.Context(), int64(1)); err != nil || !slices.Equal(got.Crews, []int64{3, 1, 2}) {
		t.Errorf("%v, %v", got, err)
	}
	text, err := sqlstore.DDL(sails, crews)
	if err != nil {
		t.Fatal(err)
	}
	want := `CREATE TABLE IF NOT EXISTS "crews_mates" (
	"record" INTEGER NOT NULL,
	"position" INTEGER NOT NULL,
	"target" INTEGER NOT NULL,
	PRIMARY KEY ("record", "position"),
	CONSTRAINT "crews_mates_record_fkey" FOREIGN KEY ("record") REFERENCES "crews" ("id") ON DELETE CASCADE,
	CONSTRAINT "crews_mates_target_fkey" FOREIGN KEY ("target") REFERENCES "crews" ("id") ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS "crews_mates_target_idx" ON "crews_mates" ` + "(`target`, `record`)" + `;
`
	if !strings.Contains(text, want) || strings.Index(text, `"sails_crews"`) < strings.Index(text, `TABLE IF NOT EXISTS "crews"`) {
		t.Errorf("the statements are\n%s", text)
	}
}

func TestAListWithAMissingReferenceIsNotSaved(t *testing.T) {
	t.Parallel()
	sails, crews := fleet(t, open(t))
	insert(t, crews, &crew{})
	insert(t, sails, &sail{Crews: []int64{1}})
	want := store.ReferenceError{}
	err := sails.Transact(t.Context(), inserting(&sail{Crews: []int64{1, 7}}))
	if !errors.As(err, &want) || want.Field != "crews" || want.Referred {
		t.Errorf("a new record: %v", err)
	}
	err = sails.Transact(t.Context(), updating(int64(1), func(s *sail) { s.Name, s.Crews = "b", []int64{8} }))
	if !errors.As(err, &want) || want.Field != "crews" || want.Referred {
		t.Errorf("a changed one: %v", err)
	}
	if found := all(t, sails); len(found) != 1 || found[0].Name != "" || !slices.Equal(found[0].Crews, []int64{1}) {
		t.Errorf("the records are %v", found)
	}
	err = crews.Transact(t.Context(), func(ctx context.Context, tx store.Tx[crew]) error { return tx.Delete(ctx, int64(1)) })
	if !errors.As(err, &want) || want.Field != "crews" || !want.Referred {
		t.Errorf("a delete: %v", err)
	}
}

func TestListsAreReadByTheStatementThatReadsTheirRecords(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	sails, crews := fleet(t, db)
	insert(t, crews, &crew{}, &crew{})
	for range 20 {
		insert(t, sails, &sail{Crews: []int64{2, 1}})
	}
	asks := func(name string, ask func() error) {
		r.mu.Lock()
		before := len(r.statements)
		r.mu.Unlock()
		if err := ask(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if n := len(r.statements) - before; n != 1 {
			t.Errorf("%s makes %d statements, want 1", name, n)
		}
	}
	asks("Get", func() error { _, err := sails.Get(t.Context(), int64(1)); return err })
	asks("GetMany", func() error { _, err := sails.GetMany(t.Context(), []any{int64(1), int64(2)}); return err })
	asks("List", func() error { _, err := sails.List(t.Context(), store.Query{Limit: 20}); return err })
	if text := r.last(t, "SELECT").text; !strings.Contains(text, "sails_crews") {
		t.Errorf("a page is read with %s", text)
	}
	asks("List of other members", func() error { _, err := sails.List(t.Context(), store.Query{Fields: []string{"name"}}); return err })
	if text := r.last(t, "SELECT").text; strings.Contains(text, "sails_crews") {
		t.Errorf("a list that was not requested is read with %s", text)
	}
}

func TestOnlyAListThatChangesIsWritten(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	sails, crews := fleet(t, db)
	insert(t, crews, &crew{}, &crew{})
	insert(t, sails, &sail{Crews: []int64{2, 1}})
	writes := func(change func(*sail)) (texts []string) {
		before := len(r.statements)
		if err := sails.Transact(t.Context(), updating(int64(1), change)); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.statements[before:] {
			if verb, _, _ := strings.Cut(s.text, " "); verb == "UPDATE" || verb == "INSERT" || verb == "DELETE" {
				texts = append(texts, verb)
			}
		}
		return texts
	}
	for name, test := range map[string]struct {
		change func(*sail)
		want   string
	}{
		"another member": {func(s *sail) { s.Name += "x" }, "UPDATE"},
		"the list":       {func(s *sail) { slices.Reverse(s.Crews) }, "DELETE INSERT"},
		"nothing":        {func(*sail) {}, ""},
	} {
		if got := strings.Join(writes(test.change), " "); got != test.want {
			t.Errorf("a change of %s is written by %q, want %q", name, got, test.want)
		}
	}
	if got := strings.Join(writes(func(s *sail) { s.Crews = nil }), " "); got != "DELETE" {
		t.Errorf("a list is emptied with %q", got)
	}
}

func TestAFilterOfAListOfReferencesUsesItsIndex(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	sails, _ := fleet(t, db)
	for _, values := range [][]any{{int64(7)}, {int64(7), int64(9)}} {
		query := store.Query{Where: []store.Condition{{Fields: []string{"crews"}, Operator: store.Equal, Values: values}}, Limit: 30}
		if _, err := sails.List(t.Context(), query); err != nil {
			t.Fatal(err)
		}
		steps := plan(t, db, r.last(t, "SELECT"))
		if !strings.Contains(steps, "sails_crews_target_idx (target=?)") || strings.Contains(steps, "SCAN sails") {
			t.Errorf("%d values are searched with: %s", len(values), steps)
		}
	}
}

func TestDifferencesOfTheTablesOfListsAreReported(t *testing.T) {
	t.Parallel()
	db := open(t)
	sails, crews := fleet(t, db)
	for _, statement := range []string{
		"DROP TABLE sails_crews",
		"DROP TABLE crews_sails", "CREATE TABLE crews_sails (record INTEGER NOT NULL, place INTEGER NOT NULL, target TEXT NOT NULL) STRICT",
		"DROP TABLE crews_mates", "CREATE TABLE crews_mates (record INTEGER NOT NULL, position INTEGER NOT NULL, target INTEGER NOT NULL REFERENCES crews (id)) STRICT",
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(sails.Check(t.Context()), crews.Check(t.Context()))
	for _, want := range []string{
		"the table sails_crews of crews in sails does not exist: create it with db.Create, or with a migration from sqlstore.DDL",
		"the table crews_sails has no column position INTEGER for sails",
		"the table crews_sails has the column target with type TEXT; sails needs INTEGER",
		"the table crews_sails has no foreign key on target; ondelete=cascade of sails needs one with ON DELETE CASCADE",
		"the table crews_mates has a foreign key on target with the action restrict, but ondelete=null of mates needs the action cascade",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no mention of %s in:\n%v", want, err)
		}
	}
}

func TestLongNamesOfTablesOfListsStayApart(t *testing.T) {
	t.Parallel()
	type long struct {
		ID    int64   `json:"id"`
		First []int64 `json:"first" db:"a_column_with_a_name_that_is_rather_long_one" validate:"max=2" api:"ref=Crew"`
		Other []int64 `json:"other" db:"a_column_with_a_name_that_is_rather_long_two" validate:"max=2" api:"ref=Crew"`
	}
	db := open(t)
	_, crews := fleet(t, db)
	s := sqlstore.Table[long](db, sqlstore.Named("a_table_with_a_name_that_is_long_too"))
	if err := errors.Join(db.Create(t.Context(), s), s.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	insert(t, crews, &crew{}, &crew{})
	insert(t, s, &long{First: []int64{1}, Other: []int64{2}})
	if found := all(t, s); !slices.Equal(found[0].First, []int64{1}) || !slices.Equal(found[0].Other, []int64{2}) {
		t.Errorf("the lists are %v and %v", found[0].First, found[0].Other)
	}
	for i := range 3 {
		if err := s.Transact(t.Context(), inserting(&long{Other: []int64{int64(i) + 7}})); !strings.Contains(errText(err), "other") {
			t.Errorf("round "+strconv.Itoa(i)+": %v", err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

type (
	depot struct {
		ID binary `json:"id"`
	}
	chest struct {
		ID      binary  `json:"id"`
		Depot   *binary `json:"depot" api:"ref=Depot,ondelete=cascade"`
		Around  *binary `json:"around" api:"ref=Chest,ondelete=cascade"`
		Inspect *binary `json:"inspect" api:"ref=Chest,ondelete=cascade"`
	}
	note struct {
		ID      int64   `json:"id"`
		Chest   *binary `json:"chest" api:"ref=Chest,ondelete=null"`
		Other   *binary `json:"other" api:"ref=Chest,ondelete=null"`
		Version int     `json:"version" api:"version"`
	}
)

func TestADeleteRunsAFewStatementsPerLevel(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	depots, chests, notes := sqlstore.Table[depot](db), sqlstore.Table[chest](db), sqlstore.Table[note](db)
	if err := db.Create(t.Context(), depots, chests, notes); err != nil {
		t.Fatal(err)
	}
	var reported []store.Change
	db.Report(&store.Listener{Committed: func(_ context.Context, changes []store.Change) { reported = changes }})
	numbered := func(kind, n int) binary { return binary{byte(kind), byte(n >> 8), byte(n)} }
	const perLevel = 700 // more than one statement can have
	insert(t, depots, &depot{ID: numbered(1, 0)}, &depot{ID: numbered(1, 1)})
	var outside, inside []*chest
	var about []*note
	for n := range perLevel {
		outer, inner := numbered(2, n), numbered(3, n)
		outside = append(outside, &chest{ID: outer, Depot: new(numbered(1, 0))})
		inside = append(inside, &chest{ID: inner, Around: &outer, Inspect: &outer})
		about = append(about, &note{Chest: &outer, Other: &inner})
	}
	insert(t, chests, outside...)
	insert(t, chests, inside...)
	insert(t, notes, about...)

	deleting := func(id binary) (statements int) {
		before := len(r.statements)
		if err := store.Delete(t.Context(), depots, id); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.statements[before:] {
			if !strings.HasPrefix(s.text, "BEGIN") && s.text != "COMMIT" {
				statements++
			}
		}
		return statements
	}
	if n := deleting(numbered(1, 1)); n > 4 {
		t.Errorf("the delete of a record without referrers ran %d statements", n)
	}
	if n := deleting(numbered(1, 0)); n > 40 {
		t.Errorf("the delete of %d records ran %d statements", 1+2*perLevel, n)
	}
	if len(reported) != 1+3*perLevel {
		t.Errorf("%d changes are reported", len(reported))
	}
	if n := one[int](t, db, "SELECT count(*) FROM chests"); n != 0 {
		t.Errorf("%d chests are left", n)
	}
	for _, each := range all(t, notes) {
		if each.Chest != nil || each.Other != nil || each.Version != 2 {
			t.Fatalf("a note that lost two references by one delete is %+v", each)
		}
	}
}
