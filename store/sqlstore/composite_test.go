package sqlstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// leg is a part of a journey, identified by the journey and its number.
type leg struct {
	Journey int64  `json:"journey" api:"id"`
	Number  int64  `json:"number" api:"id"`
	Port    string `json:"port" api:"sort"`
}

func TestAnIdentifierOfSeveralFieldsIsThePrimaryKey(t *testing.T) {
	t.Parallel()
	text, err := sqlstore.DDL(sqlstore.Table[leg](open(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"journey" INTEGER NOT NULL,`, `"number" INTEGER NOT NULL,`, `CONSTRAINT "legs_pkey" PRIMARY KEY ("journey", "number")`,
		"ON \"legs\" (`port`, `journey`, `number`)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the statements have no %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestTablesOfOthersWithSeveralIdentifiers(t *testing.T) {
	t.Parallel()
	const columns = `CREATE TABLE legs (journey INTEGER NOT NULL, number INTEGER NOT NULL, port TEXT NOT NULL, mark TEXT, `
	for table, want := range map[string]string{
		columns + `PRIMARY KEY (journey, number))`:                      "",
		columns + `PRIMARY KEY (number, journey), UNIQUE (mark, port))`: "",
		columns + `PRIMARY KEY (journey))`:                              `has no primary key "journey", "number", but that is the identifier of Leg: make it the primary key`,
		columns + `PRIMARY KEY (journey, number, port))`:                `has no primary key "journey", "number",`,
		columns + `UNIQUE (port))`:                                      `has no primary key "journey", "number",`,
	} {
		s := sqlstore.Table[leg](open(t, table), sqlstore.Existing())
		err := s.Check(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", table, err, want)
		}
		if want != "" {
			continue
		}
		insert(t, s, &leg{1, 1, "Elba"}, &leg{1, 2, "Skye"})
		if got, err := s.Get(t.Context(), store.Key{int64(1), int64(2)}); err != nil || got.Port != "Skye" {
			t.Errorf("found %v (%v)", got, err)
		}
		err = s.Transact(t.Context(), inserting(&leg{1, 2, "Kos"}))
		if !errors.Is(err, store.UniqueError{Field: "journey,number"}) {
			t.Errorf("a duplicate key: %v", err)
		}
	}
}

// legKey references a leg; ticket has such references.
type legKey struct {
	Journey int64 `json:"journey"`
	Number  int64 `json:"number"`
}

type ticket struct {
	ID   int64   `json:"id"`
	Leg  legKey  `json:"leg" api:"ref=Leg,filter"`
	Back *legKey `json:"back" api:"ref=Leg,filter=exact|exists,ondelete=null" db:"back_of, back_number"`
}

func TestAReferenceOfTwoPartsIsAForeignKeyOfTwoColumns(t *testing.T) {
	t.Parallel()
	db := open(t)
	text, err := sqlstore.DDL(sqlstore.Table[ticket](db), sqlstore.Table[leg](db))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"leg_journey" INTEGER NOT NULL,`, `"leg_number" INTEGER NOT NULL,`, `"back_of" INTEGER,`, `"back_number" INTEGER,`,
		`FOREIGN KEY ("leg_journey", "leg_number") REFERENCES "legs" ("journey", "number")`,
		`FOREIGN KEY ("back_of", "back_number") REFERENCES "legs" ("journey", "number") ON DELETE SET NULL`,
		"ON \"tickets\" (`leg_journey`, `leg_number`, `id`)", "ON \"tickets\" (`back_of`, `back_number`, `id`)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the statements have no %s", want)
		}
	}
	if strings.Index(text, `"legs"`) > strings.Index(text, `"tickets"`) {
		t.Error("the table that is referred to comes later")
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestTablesOfOthersWithReferencesOfTwoParts(t *testing.T) {
	t.Parallel()
	const columns = `CREATE TABLE tickets (id INTEGER PRIMARY KEY, leg_journey INTEGER NOT NULL, leg_number INTEGER NOT NULL, back_of INTEGER, back_number INTEGER`
	const legs = `CREATE TABLE legs (journey INTEGER NOT NULL, number INTEGER NOT NULL, port TEXT NOT NULL, PRIMARY KEY (journey, number))`
	for keys, want := range map[string]string{
		`, FOREIGN KEY (back_of, back_number) REFERENCES legs ON DELETE SET NULL)`:                   "",
		`, FOREIGN KEY (back_number, back_of) REFERENCES legs (number, journey) ON DELETE SET NULL)`: "",
		`)`: "the table tickets has no foreign key on back_number, back_of; ondelete=null of back",
		`, FOREIGN KEY (back_of, back_number) REFERENCES legs ON DELETE CASCADE)`:                                                   "on back_number, back_of with the action cascade, but ondelete=null of back needs the action null",
		`, FOREIGN KEY (leg_journey, leg_number) REFERENCES legs ON DELETE CASCADE, FOREIGN KEY (back_of) REFERENCES tickets (id))`: "on leg_journey, leg_number with the action cascade, but ondelete=restrict of leg needs the action restrict",
	} {
		s := sqlstore.Table[ticket](open(t, legs, columns+keys), sqlstore.Existing())
		err := s.Check(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", keys, err, want)
		}
	}
}

// A row of another program may have only part of a key. Such a reference is null.
func TestAKeyWithAPartThatIsNullIsNull(t *testing.T) {
	t.Parallel()
	db := open(t)
	tickets, legs := sqlstore.Table[ticket](db), sqlstore.Table[leg](db)
	if err := db.Create(t.Context(), tickets, legs); err != nil {
		t.Fatal(err)
	}
	insert(t, legs, &leg{1, 2, "Elba"})
	for _, back := range []string{"NULL, NULL", "1, NULL", "NULL, 2", "1, 2"} {
		if _, err := db.Exec(t.Context(), "INSERT INTO tickets (leg_journey, leg_number, back_of, back_number) VALUES (1, 2, "+back+")"); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		operator store.Operator
		value    any
		want     int
	}{{store.Exists, true, 1}, {store.Exists, false, 3}, {store.Equal, store.Key{int64(1), int64(2)}, 1}, {store.NotEqual, store.Key{int64(1), int64(2)}, 3}} {
		page, err := tickets.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"back"}, Operator: test.operator, Values: []any{test.value}}}})
		if err != nil || len(page.Items) != test.want {
			t.Errorf("%s %v finds %d, want %d (error %v)", test.operator, test.value, len(page.Items), test.want, err)
		}
	}
	page, err := tickets.List(t.Context(), store.Query{})
	if err != nil || page.Items[1].Back != nil || page.Items[2].Back != nil || *page.Items[3].Back != (legKey{1, 2}) {
		t.Errorf("read %+v (%v)", page, err)
	}
	for _, wrong := range []any{int64(1), legKey{1, 2}, "1;2"} {
		if _, err := tickets.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"leg"}, Operator: store.Equal, Values: []any{wrong}}}}); err == nil {
			t.Errorf("a value of type %T is accepted", wrong)
		}
	}
}

// pass has lists of legs.
type pass struct {
	ID   int64    `json:"id"`
	Legs []legKey `json:"legs" validate:"max=9" api:"ref=Leg,filter"`
	Was  []legKey `json:"was" validate:"max=9" api:"ref=Leg,ondelete=null" db:"former"`
}

func TestAListOfReferencesOfTwoPartsIsATableWithAForeignKeyOfTwoColumns(t *testing.T) {
	t.Parallel()
	db := open(t)
	text, err := sqlstore.DDL(sqlstore.Table[pass](db), sqlstore.Table[leg](db))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"passes_legs" (`, `"target_journey" INTEGER NOT NULL,`, `"target_number" INTEGER NOT NULL,`, `PRIMARY KEY ("record", "position")`,
		`FOREIGN KEY ("record") REFERENCES "passes" ("id") ON DELETE CASCADE`,
		`CONSTRAINT "passes_legs_target_fkey" FOREIGN KEY ("target_journey", "target_number") REFERENCES "legs" ("journey", "number")` + "\n",
		`CONSTRAINT "passes_former_target_fkey" FOREIGN KEY ("target_journey", "target_number") REFERENCES "legs" ("journey", "number") ON DELETE CASCADE`,
		"ON \"passes_legs\" (`target_journey`, `target_number`, `record`)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the statements have no %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestTablesOfListsOfReferencesOfTwoPartsAreCompared(t *testing.T) {
	t.Parallel()
	const (
		whole  = "record INTEGER NOT NULL, position INTEGER NOT NULL, target_journey INTEGER NOT NULL, target_number INTEGER NOT NULL"
		former = "CREATE TABLE passes_former (" + whole + ", PRIMARY KEY (record, position)"
	)
	for change, want := range map[string]string{
		former + ", FOREIGN KEY (target_number, target_journey) REFERENCES legs (number, journey) ON DELETE CASCADE)": "",
		former + ")": "the table passes_former has no foreign key on target_journey, target_number; ondelete=null of was",
		former + ", FOREIGN KEY (target_journey, target_number) REFERENCES legs ON DELETE SET NULL)":      "on target_journey, target_number with the action null, but ondelete=null of was needs the action cascade",
		strings.Replace(former, "target_number INTEGER", "target_nummer INTEGER", 1) + ")":                "has no column target_number INTEGER for was",
		strings.Replace(former, "target_number INTEGER NOT NULL", "target_number TEXT NOT NULL", 1) + ")": "target_number",
		`CREATE TABLE others (id INTEGER)`: "the table passes_former of was in passes does not exist",
	} {
		db := open(t)
		passes, legs := sqlstore.Table[pass](db), sqlstore.Table[leg](db)
		if err := db.Create(t.Context(), passes, legs); err != nil {
			t.Fatal(err)
		}
		for _, statement := range []string{"DROP TABLE passes_former", change} {
			if _, err := db.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		err := passes.Check(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", change, err, want)
		}
	}
}

// stage has a composite identifier itself.
type stage struct {
	Race string   `json:"race" api:"id"`
	Day  int64    `json:"day" api:"id"`
	Legs []legKey `json:"legs" validate:"max=9" api:"ref=leg"`
	Also []int64  `json:"also" validate:"max=9" api:"ref=pass,ondelete=cascade"`
}

func TestListsOfARecordOfTwoIdentifiersHaveTables(t *testing.T) {
	t.Parallel()
	db := open(t)
	statements, err := sqlstore.DDL(sqlstore.Table[stage](db), sqlstore.Table[pass](db), sqlstore.Table[leg](db))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(statements), " ")
	for _, want := range []string{
		`PRIMARY KEY ("record_race", "record_day", "position")`,
		`CONSTRAINT "stages_legs_record_fkey" FOREIGN KEY ("record_race", "record_day") REFERENCES "stages" ("race", "day") ON DELETE CASCADE`,
		`FOREIGN KEY ("target_journey", "target_number") REFERENCES "legs" ("journey", "number")`,
		"ON \"stages_also\" (`target`, `record_race`, `record_day`)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the statements have no %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// A table that has a column for the list keeps it there, as JSON of the texts of keys.
func TestAListOfReferencesOfTwoPartsMayBeInAColumn(t *testing.T) {
	t.Parallel()
	db := open(t, `CREATE TABLE passes (id INTEGER PRIMARY KEY, legs TEXT NOT NULL, former TEXT NOT NULL)`, `INSERT INTO passes VALUES (1, '["1;2","1;3"]', '[]')`)
	passes := sqlstore.Table[pass](db, sqlstore.Existing())
	if err := passes.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[store.Key]int{{int64(1), int64(3)}: 1, {int64(3), int64(1)}: 0} {
		page, err := passes.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"legs"}, Operator: store.Equal, Values: []any{key}}}})
		if err != nil || len(page.Items) != want || want > 0 && page.Items[0].Legs[1] != (legKey{1, 3}) {
			t.Errorf("%v finds %+v, want %d (error %v)", key, page.Items, want, err)
		}
	}
}
