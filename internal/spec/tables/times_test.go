// Package tables_test tests resources whose tables other programs have created.
package tables_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Event is a record in a table of another program.
type Event struct {
	ID   int64      `json:"id"`
	Name string     `json:"name"`
	At   time.Time  `json:"at" api:"filter=exact|range,sort"`
	End  *time.Time `json:"end" api:"filter=exact|range|exists,sort"`
}

// openSQLite opens an SQLite database with some tables.
func openSQLite(t *testing.T, statements ...string) *sqlstore.DB {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	execute(t, db, statements...)
	return db
}

func execute(t *testing.T, db *sqlstore.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// eventsIn creates a table whose times have a declared type, with rows for some expressions, and returns a client.
func eventsIn(t *testing.T, log *spec.Journal, declared string, options []sqlstore.Option, times ...string) spec.Client {
	t.Helper()
	db := openSQLite(t, fmt.Sprintf("CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT NOT NULL, at %[1]s NOT NULL, end %[1]s)", declared))
	for _, at := range times {
		execute(t, db, "INSERT INTO events (name, at, end) VALUES ('x', "+at+", "+at+")")
	}
	config := resource.Config{Logger: slog.New(slog.NewJSONHandler(log, nil))}
	return spec.NewClient(t, config, resource.Of[Event]{Store: sqlstore.Table[Event](db, options...)})
}

// columns are the declared types of columns with times, each with expressions of SQLite for times that ascend, and the
// times as Trove shows them.
func columns() map[string][][2]string {
	texts := [][2]string{
		{`date('1999-12-31')`, "1999-12-31T00:00:00Z"},
		{`'2024-01-02'`, "2024-01-02T00:00:00Z"},
		{`'2024-01-02 03:04'`, "2024-01-02T03:04:00Z"},
		{`'2024-01-02T03:04:05+00:00'`, "2024-01-02T03:04:05Z"},
		{`datetime('2024-01-02 03:04:06')`, "2024-01-02T03:04:06Z"},
		{`'2024-01-02 05:04:06.25+02:00'`, "2024-01-02T03:04:06.25Z"},
		{`'2024-01-02T03:04:06.5Z'`, "2024-01-02T03:04:06.5Z"},
		{`'2024-01-02 01:04:06.999999999-02:00'`, "2024-01-02T03:04:06.999999Z"},
		{`strftime('%Y-%m-%dT%H:%M:%fZ', '2024-01-02 03:04:07.125')`, "2024-01-02T03:04:07.125Z"},
		{`'2024-01-02T03:04:08.000000Z'`, "2024-01-02T03:04:08Z"},
		{`'2024-01-02 03:04:09 +00:00'`, "2024-01-02T03:04:09Z"},
	}
	return map[string][][2]string{
		"DATETIME": texts, "timestamp": texts, "TEXT": texts, "varchar(30)": texts, "DATE": texts, "": texts,
		"INTEGER": {
			{`unixepoch('1969-12-31')`, "1969-12-31T00:00:00Z"},
			{`0`, "1970-01-01T00:00:00Z"},
			{`unixepoch('2024-01-02 03:04:05')`, "2024-01-02T03:04:05Z"},
			{`unixepoch('2024-01-02 03:04:06')`, "2024-01-02T03:04:06Z"},
		},
		"REAL": {
			{`julianday('1969-12-31 12:00:00')`, "1969-12-31T12:00:00Z"},
			{`julianday('2024-01-02 03:04:05.123')`, "2024-01-02T03:04:05.123Z"},
			{`julianday('2024-01-02 03:04:06')`, "2024-01-02T03:04:06Z"},
		},
	}
}

func TestTimesOfOtherProgramsAreReadFilteredAndSorted(t *testing.T) {
	t.Parallel()
	for declared, times := range columns() {
		t.Run(declared, func(t *testing.T) {
			t.Parallel()
			var stored, shown []string
			for i := range times { // descending
				stored = append(stored, times[len(times)-1-i][0])
				shown = append(shown, times[i][1])
			}
			log := &spec.Journal{}
			c := eventsIn(t, log, declared, []sqlstore.Option{sqlstore.Existing()}, stored...)
			checkOrder(t, c, shown)
			for i, at := range shown {
				checkFilters(t, c, shown, i, at)
			}
			c.Send("PATCH /api/events/1", `{"name":"y"}`).HasStatus(200)
			checkOrder(t, c, shown)
			c.Send("POST /api/events", `{"name":"z","at":"2024-06-01T02:00:00.123456789+02:00","end":null}`).HasStatus(201)
			made := c.Send(fmt.Sprintf("GET /api/events/%d", len(times)+1), "").HasStatus(200)
			checkOrder(t, c, append(shown, ats(made.Body)[0]))
			c.Send("GET /api/events?exists[end]=false", "").HasStatus(200).Has("X-Total-Count", "1")
			if log.String() != "" {
				t.Errorf("the log is %s", log)
			}
		})
	}
}

// ats returns the times of the records in a body.
func ats(body string) (found []string) {
	for _, part := range strings.Split(body, `"at":"`)[1:] {
		at, _, _ := strings.Cut(part, `"`)
		found = append(found, at)
	}
	return found
}

// checkOrder checks a whole list in both directions, and pages of it.
func checkOrder(t *testing.T, c spec.Client, want []string) {
	t.Helper()
	if got := ats(c.Send("GET /api/events?sort=at", "").HasStatus(200).Body); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("sorted: %v, want %v", got, want)
	}
	for _, field := range []string{"at", "-at", "end", "-end"} {
		var seen []string
		next := "/api/events?itemsPerPage=2&cursor=&sort=" + field
		for next != "" {
			page := c.Send("GET "+next, "").HasStatus(200)
			seen, next = append(seen, ats(page.Body)...), nextOf(page)
		}
		wanted := slices.Clone(want)
		if field[0] == '-' {
			slices.Reverse(wanted)
		}
		if field == "at" || field == "-at" {
			if strings.Join(seen, " ") != strings.Join(wanted, " ") {
				t.Errorf("pages sorted by %s: %v, want %v", field, seen, wanted)
			}
		} else if len(seen) != len(want) {
			t.Errorf("pages sorted by %s have %d records, want %d", field, len(seen), len(want))
		}
	}
}

// nextOf returns the link to the next page.
func nextOf(page spec.Response) string {
	for link := range strings.SplitSeq(page.Header.Get("Link"), ", ") {
		if target, is := strings.CutSuffix(link, `>; rel="next"`); is {
			return strings.TrimPrefix(target, "<")
		}
	}
	return ""
}

// checkFilters filters by the time of the i-th record.
func checkFilters(t *testing.T, c spec.Client, all []string, i int, at string) {
	t.Helper()
	for operator, want := range map[string]int{"": 1, "[gt]": len(all) - i - 1, "[gte]": len(all) - i, "[lt]": i, "[lte]": i + 1} {
		for _, field := range []string{"at", "end"} {
			c.Send("GET /api/events?"+field+operator+"="+url.QueryEscape(at), "").HasStatus(200).Has("X-Total-Count", fmt.Sprint(want))
			if t.Failed() {
				t.Fatalf("filter %s%s=%s", field, operator, at)
			}
		}
	}
}

func TestATimeThatCannotBeReadIsAnErrorOfItsPage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ declared, at string }{
		{"DATETIME", `'yesterday'`},
		{"DATETIME", `'now'`},
		{"DATETIME", `'12:00:00'`},
		{"DATETIME", `'2023-02-29 00:00:00'`},
		{"DATETIME", `'2024-01-02 25:00:00'`},
		{"DATETIME", `'2024-01-02 03:04:05 CET'`},
		{"DATETIME", `unixepoch('2024-01-02')`},
		{"DATETIME", `julianday('2024-01-02 03:00:00')`},
		{"TEXT", `''`},
		{"INTEGER", `1704067200000`},
		{"INTEGER", `'2024x'`},
		{"REAL", `'x'`},
	} {
		t.Run(test.declared+" "+test.at, func(t *testing.T) {
			t.Parallel()
			log := &spec.Journal{}
			c := eventsIn(t, log, test.declared, []sqlstore.Option{sqlstore.Existing()}, test.at)
			c.Send("GET /api/events/1", "").IsProblem(500)
			c.Send("GET /api/events", "").IsProblem(500)
			if n := strings.Count(log.String(), "the row whose id is 1: the column at"); n != 2 {
				t.Errorf("the log names the row %d times: %s", n, log)
			}
		})
	}
}

func TestAColumnThatCannotHaveTimesIsAnErrorOfNew(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, `CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT NOT NULL, at BLOB NOT NULL, "end" TEXT)`)
	_, err := resource.New(resource.Config{}, resource.Of[Event]{Store: sqlstore.Table[Event](db, sqlstore.Existing())})
	if err == nil || !strings.Contains(err.Error(), "at is a time, but the column at has the type BLOB") {
		t.Errorf("New returns %v", err)
	}
}

func TestAStringInAColumnOfTimesIsReadAsItIsStored(t *testing.T) {
	t.Parallel()
	type Note struct {
		ID int64  `json:"id"`
		On string `json:"on" api:"filter,sort"`
	}
	db := openSQLite(t, `CREATE TABLE notes (id INTEGER PRIMARY KEY, "on" DATE NOT NULL)`, `INSERT INTO notes VALUES (1, '2024-01-02')`)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Note]{Store: sqlstore.Table[Note](db, sqlstore.Existing())})
	c.Send("GET /api/notes?on=2024-01-02&sort=on", "").Is(200, `[{"id":1,"on":"2024-01-02"}]`)
	c.Send("POST /api/notes", `{"on":"2024-01-03"}`).Is(201, `{"id":2,"on":"2024-01-03"}`)
}
