package mysql_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

// coin has unique names.
type coin struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"unique,sort"`
}

func TestStringsAreComparedByTheirBytes(t *testing.T) {
	t.Parallel()
	s, ctx := table[coin](t, open(t, database(t))), impatient(t)
	names := []string{"", " ", "a", "a ", "A", "á", "a\u0301", "ss", "ß", "😀", `a\`, `a'`, `a"`, "a`", "%", "_", "a\tb\n", strings.Repeat("😀", 400)}
	for _, name := range names {
		if err := store.Insert(ctx, s, &coin{Name: name}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range names {
		page, err := s.List(ctx, store.Query{Where: []store.Condition{store.Eq("name", name)}})
		if err != nil || len(page.Items) != 1 || page.Items[0].Name != name {
			t.Errorf("%q: %v, %v", name, page.Items, err)
		}
		if err := store.Insert(ctx, s, &coin{Name: name}); !errors.Is(err, store.UniqueError{Field: "name"}) {
			t.Errorf("a second %q: %v", name, err)
		}
	}
	for _, name := range []string{"a\x00b", "\xff", strings.Repeat("a", 401)} {
		if err := store.Insert(ctx, s, &coin{Name: name}); err == nil {
			t.Errorf("%.10q was saved", name)
		}
	}
}

// dated has an index of its days.
type dated struct {
	ID  int64     `json:"id"`
	Day date.Date `json:"day" api:"sort,aggregate"`
}

// MariaDB finds the least value of an index in advance, and then loses it if a window function follows.
func TestTheLeastDateOfAllRecordsIsFoundWithTheirNumber(t *testing.T) {
	t.Parallel()
	s, ctx := table[dated](t, open(t, database(t))), impatient(t)
	days := []date.Date{date.New(2026, time.May, 2), date.New(2025, time.January, 1)}
	for _, day := range days {
		if err := store.Insert(ctx, s, &dated{Day: day}); err != nil {
			t.Fatal(err)
		}
	}
	terms := []store.Term{{Function: "count"}, {Value: store.Order{Field: "day"}, Function: "min"}, {Value: store.Order{Field: "day"}, Function: "max"}}
	got, err := s.Aggregate(ctx, store.Aggregation{Terms: terms, Count: true})
	if want := (store.Aggregated{Rows: [][]any{{int64(2), days[1], days[0]}}, Total: 1}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// extreme has values at the ends of their types.
type extreme struct {
	ID    int64     `json:"id"`
	Int   int64     `json:"int" api:"filter,sort"`
	Small int8      `json:"small"`
	Real  float64   `json:"real" api:"filter,sort"`
	Short float32   `json:"short"`
	At    time.Time `json:"at" api:"filter,sort"`
	Bytes []byte    `json:"bytes"`
	Text  string    `json:"text"`
}

func TestValuesAtTheEndsOfTheirTypes(t *testing.T) {
	t.Parallel()
	s, ctx := table[extreme](t, open(t, database(t))), impatient(t)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, record := range []*extreme{
		{},
		{Int: math.MaxInt64, Small: math.MaxInt8, Real: math.MaxFloat64, Short: math.MaxFloat32, At: time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC), Bytes: all, Text: strings.Repeat("ä", 1<<20)},
		{Int: math.MinInt64, Small: math.MinInt8, Real: -math.MaxFloat64, Short: -math.MaxFloat32, At: time.Date(0, 1, 1, 0, 0, 0, 1000, time.UTC), Bytes: []byte{}},
		{Int: 1<<53 + 1, Real: math.SmallestNonzeroFloat64, Short: math.SmallestNonzeroFloat32, At: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)},
		{Real: 0.1, Short: 0.1, At: time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC)},
		{Real: 1e22, Short: 16777216, At: time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC)},
		{Real: 123456789012345678, At: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)},
	} {
		record.Bytes = append([]byte{}, record.Bytes...)
		if err := store.Insert(ctx, s, record); err != nil {
			t.Fatal(err)
		}
		read, err := s.Get(ctx, record.ID)
		if err != nil {
			t.Fatal(err)
		}
		if read.Int != record.Int || read.Small != record.Small || read.Real != record.Real || read.Short != record.Short || !read.At.Equal(record.At) ||
			string(read.Bytes) != string(record.Bytes) || read.Text != record.Text {
			t.Errorf("%.200v is read as %.200v", record, read)
		}
		for _, is := range []store.Condition{store.Eq("int", record.Int), store.Eq("real", record.Real), store.Eq("at", record.At)} {
			page, err := s.List(ctx, store.Query{Where: []store.Condition{is, store.Eq("id", record.ID)}})
			if err != nil || len(page.Items) != 1 {
				t.Errorf("%v finds %d records, %v", is, len(page.Items), err)
			}
		}
	}
	if err := store.Insert(ctx, s, &extreme{Real: math.NaN()}); err == nil {
		t.Error("NaN was saved")
	}
	if err := store.Insert(ctx, s, &extreme{Text: strings.Repeat("x", 17<<20)}); !errors.Is(err, store.ErrConstraint) {
		t.Errorf("a string that is larger than a packet gives %.300v", err)
	}
	if err := s.Ping(ctx); err != nil {
		t.Error(err)
	}
}

func TestATableInAnotherCollationIsRejected(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	administer(t, dsn, "CREATE TABLE coins (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(400) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL UNIQUE)")
	db := open(t, dsn)
	want := "the table coins has the column name with type varchar(400) COLLATE utf8mb4_general_ci; name needs VARCHAR(400)"
	if err := sqlstore.Table[coin](db).Check(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Check: %v, want %s", err, want)
	}
	if err := sqlstore.Table[coin](db, sqlstore.Existing()).Check(t.Context()); err != nil { // its own equality counts
		t.Error(err)
	}
}

// part is a record of a table of another program.
type part struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name"`
	Count int64     `json:"count"`
	Price float64   `json:"price"`
	At    time.Time `json:"at"`
}

func TestTablesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	administer(t, dsn, `CREATE TABLE parts (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(5) NOT NULL, count SMALLINT NOT NULL,
		price DECIMAL(6,2) NOT NULL, at DATETIME NOT NULL, gains INT NOT NULL)`)
	s, ctx := sqlstore.Table[part](open(t, dsn), sqlstore.Existing()), impatient(t)
	if err := s.Check(ctx); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckInserts(ctx); err == nil || !strings.Contains(err.Error(), "run ALTER TABLE `parts` MODIFY COLUMN `gains` int(11)") {
		t.Errorf("CheckInserts: %v", err)
	}
	administer(t, dsn, "ALTER TABLE parts MODIFY gains INT NOT NULL DEFAULT 7", "CREATE TRIGGER shouts BEFORE INSERT ON parts FOR EACH ROW SET NEW.name = UPPER(NEW.name)")
	if err := s.CheckInserts(ctx); err != nil {
		t.Error(err)
	}
	record := &part{Name: "a", Count: 3, Price: 1.005, At: time.Date(2024, 2, 29, 12, 0, 0, 999999000, time.UTC)}
	if err := store.Insert(ctx, s, record); err != nil {
		t.Fatal(err)
	}
	if record.ID != 1 || record.Name != "A" || record.Price != 1.01 && record.Price != 1 || !record.At.Equal(time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("the stored record is %+v", record)
	}
	if got, want := s.Limits()["name"], "max=5"; got != want {
		t.Errorf("the limit of name is %q, want %q", got, want)
	}
	for _, beyond := range []*part{{Count: 40_000}, {Name: "longer"}, {Price: 1e6}} {
		if err := store.Insert(ctx, s, beyond); !errors.Is(err, store.ErrConstraint) {
			t.Errorf("%+v gives %v", beyond, err)
		}
	}
}

// page is a record with a trash.
type page struct {
	ID      int64      `json:"id"`
	Path    string     `json:"path" api:"unique"`
	Deleted *time.Time `json:"deletedAt" api:"deleted"`
}

// Constraints limits a constraint to some records.
func (page) Constraints() []store.Constraint {
	return []store.Constraint{store.Unique("path", "id").Only("path", `it's a "path"\`).Message("Taken.")}
}

func TestLivingRecordsAloneAreUnique(t *testing.T) {
	t.Parallel()
	db := open(t, database(t))
	s, ctx := table[page](t, db), impatient(t)
	for range 3 {
		record := &page{Path: `it's a "path"\`}
		if err := store.Insert(ctx, s, record); err != nil {
			t.Fatal(err)
		}
		if err := store.Insert(ctx, s, &page{Path: record.Path}); !errors.Is(err, store.UniqueError{Field: "path"}) {
			t.Errorf("a second living record: %v", err)
		}
		if err := store.Delete(ctx, s, record.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n := one[int64](ctx, t, db, "SELECT COUNT(*) FROM pages"); n != 3 {
		t.Errorf("there are %d rows, want 3", n)
	}
}

func TestTheStatementsForMySQLDifferOnlyInTheCollation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		mysql.MySQL().Facts().TableSuffix:                             "utf8mb4_0900_bin",
		mysql.MySQL().Facts().RowChecks("DELETE FROM t WHERE id = ?"): "DELETE /*+ SET_VAR(foreign_key_checks = OFF) */ FROM t WHERE id = ?",
		mysql.MySQL().ElementTexts("c"):                               "COLLATE utf8mb4_0900_bin PATH",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
}

func TestManyProgramsCreateTheTables(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	errs := make(chan error, 6)
	for range cap(errs) {
		db := open(t, dsn)
		go func() {
			errs <- errors.Join(db.Create(t.Context(), sqlstore.Table[page](db), sqlstore.Table[coin](db), sqlstore.Table[stay](db)))
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	table[stay](t, open(t, dsn))
}

func TestOneProgramFillsTheTables(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	errs := make(chan error, 4)
	for range cap(errs) {
		db := open(t, dsn)
		coins := table[coin](t, db)
		go func() {
			errs <- db.Fill(context.WithoutCancel(t.Context()), []byte(`{"coins":[{"name":"a"},{"name":"b"}]}`), coins)
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := one[int64](impatient(t), t, open(t, dsn), "SELECT COUNT(*) FROM coins"); n != 2 {
		t.Errorf("there are %d coins, want 2", n)
	}
}

func TestMigrateChangesATableWithRows(t *testing.T) {
	t.Parallel()
	type old struct {
		ID   int64  `json:"id"`
		Path string `json:"path" api:"unique"`
	}
	type newer struct {
		ID    int64  `json:"id"`
		Path  string `json:"path" api:"unique,sort,filter=partial"`
		Title string `json:"title" api:"sort"`
		Likes *int64 `json:"likes" api:"filter,sort"`
	}
	db, ctx := open(t, database(t)), impatient(t)
	before := table[old](t, db, sqlstore.Named("pages"))
	if err := store.Insert(ctx, before, &old{Path: "Ä"}, &old{Path: "b"}); err != nil {
		t.Fatal(err)
	}
	after := sqlstore.Table[newer](db, sqlstore.Named("pages"))
	left, err := db.Migrate(ctx, after)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range left.Steps {
		if step.Phase != "contract" {
			t.Errorf("a step is left: %s %q", step.Purpose, step.SQL)
		}
		for _, statement := range step.SQL {
			if _, err := db.Exec(ctx, statement); err != nil {
				t.Error(err)
			}
		}
	}
	if left, err = db.Plan(ctx, after); err != nil || len(left.Steps) > 0 {
		t.Errorf("after that the plan is %v, %v", left, err)
	}
	if err := after.Check(ctx); err != nil {
		t.Fatal(err)
	}
	found, err := store.List(ctx, after, store.Condition{Fields: []string{"path"}, Operator: store.Contains, Values: []any{"ä"}})
	if err != nil || len(found) != 1 || found[0].Title != "" {
		t.Errorf("%v, %v", found, err)
	}
}

// leaf is a record of an old program.
type leaf struct {
	ID    int64             `json:"id"`
	Title string            `json:"title"`
	Kind  string            `json:"kind" validate:"max=20" api:"sort"`
	Count int               `json:"count"`
	Price float64           `json:"price"`
	Fresh bool              `json:"fresh"`
	At    time.Time         `json:"at" api:"filter=range"`
	Day   date.Date         `json:"day"`
	Bytes []byte            `json:"bytes"`
	Names []string          `json:"names"`
	Notes map[string]string `json:"notes"`
}

func TestOldProgramsWorkAfterMigrate(t *testing.T) {
	t.Parallel()
	type newer struct { // it has lost all fields but one, and gains two searches
		ID    int64  `json:"id"`
		Title string `json:"title" api:"filter=partial"`
		Code  string `json:"code" api:"filter=partial"`
		Place struct {
			City string `json:"city" api:"filter"`
			Size int64  `json:"size" api:"filter"`
		} `json:"place"`
	}
	dsn, ctx := database(t), impatient(t)
	old := table[leaf](t, open(t, dsn), sqlstore.Named("leafs"))
	first, second := &leaf{Title: "Ä", Names: []string{"a"}}, &leaf{Title: "Ö"}
	if err := store.Insert(ctx, old, first); err != nil {
		t.Fatal(err)
	}
	db := open(t, dsn)
	s := sqlstore.Table[newer](db, sqlstore.Named("leafs"))
	if _, err := db.Migrate(ctx, s); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(ctx); err != nil {
		t.Fatal(err)
	}
	if err := store.Insert(ctx, old, second); err != nil {
		t.Fatal(err)
	}
	third := &newer{Title: "ü"}
	if err := store.Insert(ctx, s, third); err != nil {
		t.Fatal(err)
	}
	if read, err := old.Get(ctx, third.ID); err != nil || read.Title != "ü" || read.Count != 0 {
		t.Errorf("an old program reads %+v, %v", read, err)
	}
	if _, err := db.Migrate(ctx, s); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"ä", "ö", "Ü"} {
		if found, err := store.List(ctx, s, store.Condition{Fields: []string{"title"}, Operator: store.Contains, Values: []any{title}}); err != nil || len(found) != 1 {
			t.Errorf("%s finds %v, %v", title, found, err)
		}
	}
}

func TestAColumnInAnotherCaseIsThatOfTheField(t *testing.T) {
	t.Parallel()
	type older struct {
		ID   int64  `json:"id"`
		Name string `json:"name" db:"Name" api:"unique,sort"`
	}
	db, ctx := open(t, database(t)), impatient(t)
	before := table[older](t, db, sqlstore.Named("coins"))
	if err := store.Insert(ctx, before, &older{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	s := sqlstore.Table[coin](db, sqlstore.Named("coins"))
	left, err := db.Migrate(ctx, s)
	if err = errors.Join(err, s.Check(ctx)); err != nil || len(left.Steps) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if err := store.Insert(ctx, s, &coin{Name: "a"}); !errors.Is(err, store.UniqueError{Field: "name"}) {
		t.Errorf("a second name: %v", err)
	}
}

// listed is a record with an index for a filter and a sort order.
type listed struct {
	ID     int64     `json:"id"`
	Status string    `json:"status" api:"filter"`
	At     time.Time `json:"at" api:"sort"`
}

func (listed) Constraints() []store.Constraint {
	return []store.Constraint{store.Index("status", "-at")}
}

// TestTheStatementsOfPlansRun runs the plans for an index of strings and for its removal.
func TestTheStatementsOfPlansRun(t *testing.T) {
	t.Parallel()
	type plain struct {
		ID     int64     `json:"id"`
		Status *string   `json:"status" api:"filter"`
		At     time.Time `json:"at" api:"sort"`
	}
	db, ctx := open(t, database(t)), impatient(t)
	before := table[plain](t, db, sqlstore.Named("things"))
	if err := store.Insert(ctx, before, &plain{Status: new("open")}); err != nil {
		t.Fatal(err)
	}
	after := sqlstore.Table[listed](db, sqlstore.Named("things"))
	for _, s := range []interface {
		sqlstore.TableDefiner
		store.Checker
	}{after, before, after} {
		left, err := db.Migrate(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		if len(left.Steps) == 0 {
			t.Error("no type is left to change")
		}
		if text := left.String(); strings.Contains(text, "EXCLUSIVE") || strings.Contains(text, "the database") {
			t.Errorf("the plan is one for another database:\n%s", text)
		}
		if err := errors.Join(after.Check(ctx), before.Check(ctx)); err != nil && !strings.Contains(err.Error(), "null") {
			t.Errorf("a program does not start before the type is changed: %v", err)
		}
		for _, step := range left.Steps {
			for _, statement := range step.SQL {
				if _, err := db.Exec(ctx, statement); err != nil {
					t.Errorf("%s: %v", statement, err)
				}
			}
		}
		if left, err := db.Plan(ctx, s); err != nil || len(left.Steps) > 0 {
			t.Errorf("%v, %v", left, err)
		}
		if err := s.Check(ctx); err != nil {
			t.Error(err)
		}
	}
}
