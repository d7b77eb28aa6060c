package csv_test

import (
	"bytes"
	gocsv "encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// marks are what means something in CSV, in spreadsheets or in the form that cells have here.
var marks = []string{
	"'", "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", `"`, `""`, ",", ";", " ", "[", "{", `\`, "\ufeff", "\u00a0", "é", "😀", "null", "true", "1", "a",
}

// text returns a random text with special characters next to each other.
func text(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(marks[r.IntN(len(marks))])
	}
	return b.String()
}

var quotedCells = regexp.MustCompile(`"(?:[^"]|"")*"`)

// guarded is a text as the rule has it: a ' before what begins a formula, and before what would be taken for
// a guarded text.
func guarded(text string) string {
	if regexp.MustCompile(`^'*[=+\-@\t\r]`).MatchString(text) {
		return "'" + text
	}
	return text
}

// Any texts are written so that another reader of CSV finds them in their cells, that no spreadsheet takes one for
// a formula, and that they come back as they were.
func TestAnyTextSurvivesATable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4180, 1))
	api, names := newAPI(t), []string{}
	for range 300 {
		name, note := text(r), text(r)
		body, err := json.Marshal(map[string]any{
			"name": name, "note": note, "carats": -r.IntN(9), "from": map[string]any{"city": note, "zip": name},
			"tags": []string{name, note}, "more": map[string]string{name: note}, "any": name,
		})
		if err != nil {
			t.Fatal(err)
		}
		send(t, api, "POST /api/gems", string(body), "Content-Type", "application/json").HasStatus(201)
		names = append(names, name, note)
	}
	table := send(t, api, "GET /api/gems.csv", "").Body
	if outside := strings.ReplaceAll(quotedCells.ReplaceAllString(table, "x"), "\r\n", ""); strings.ContainsAny(outside, "\r\n\"") {
		t.Errorf("a line ends without CRLF, or a quotation mark is not doubled: %q", outside)
	}
	rows, err := gocsv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 301 || strings.Join(rows[0], ",")+"\r\n" != header {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	seen := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") } // so that reader has it
	for i, row := range rows[1:] {
		name, note := names[2*i], names[2*i+1]
		for column, want := range map[int]string{1: guarded(name), 2: guarded(note), 5: guarded(note), 6: guarded(name)} {
			if row[column] != seen(want) {
				t.Errorf("row %d has %q in %s, want %q", i, row[column], rows[0][column], want)
			}
		}
		for _, column := range []int{1, 2, 5, 6, 9} {
			if cell := row[column]; cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("row %d has the formula %q in %s", i, cell, rows[0][column])
			}
		}
		if strings.HasPrefix(row[3], "'") {
			t.Errorf("row %d has a guard before the number %q", i, row[3])
		}
		at := fmt.Sprintf("/api/gems/%d", i+1)
		plain := send(t, api, "GET "+at, "").Body
		one := send(t, api, "GET "+at+".csv", "").Body
		made := send(t, api, "POST /api/gems.json", one)
		if _, rest, _ := strings.Cut(made.Body, ","); made.Status != 201 || !strings.HasSuffix(plain, rest) {
			t.Errorf("%q came back as %d %s, want %s", one, made.Status, made.Body, plain)
		}
	}
}

func TestTheFormThatIsWritten(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	const head = "id,name,tags\r\n"
	send(t, api, "GET /api/gems.csv?fields=name,tags", "").Reads(200, head).Has("Content-Type", "text/csv; charset=utf-8; header=present")
	for i, test := range []struct{ json, row string }{
		{`{"name":"plain"}`, `plain,[]`},
		{`{"name":"a,b"}`, `"a,b",[]`},
		{`{"name":"a\"b"}`, `"a""b",[]`},
		{`{"name":"a\nb"}`, "\"a\nb\",[]"},
		{`{"name":"a\r\nb"}`, "\"a\r\nb\",[]"},
		{`{"name":" a "}`, ` a ,[]`},
		{`{"name":"=1","tags":["a","b"]}`, `'=1,a b`},
		{`{"name":"'=1","tags":["a b"]}`, `''=1,"[""a b""]"`},
		{`{"name":"'","tags":["=a","b"]}`, `','=a b`},
		{`{"name":"it's","tags":[""]}`, `it's,"[""""]"`},
		{`{"name":"1,5","tags":["[a"]}`, `"1,5","[""[a""]"`},
		{`{"name":"l","tags":["=a","'=b"]}`, `l,'=a '=b`},
		{`{"name":"l","tags":["a","''=b"]}`, `l,a ''=b`},
		{`{"name":"\\","tags":["-"]}`, `\,'-`},
	} {
		send(t, api, "POST /api/gems.csv", test.json, "Content-Type", "application/json").HasStatus(201)
		send(t, api, "POST /api/gems.csv", "name,tags\r\n"+test.row+"\r\n").HasStatus(201) // which is the same record again
		for id := 2*i + 1; id <= 2*i+2; id++ {
			send(t, api, fmt.Sprintf("GET /api/gems/%d.csv?fields=name,tags", id), "").Reads(200, fmt.Sprintf("%s%d,%s\r\n", head, id, test.row))
		}
	}
}

func TestTheFormsThatAreRead(t *testing.T) {
	t.Parallel()
	const first = `{"id":1,"name":"a","note":"b","carats":2,`
	for rule, body := range map[string]string{
		"CRLF":                           "name,note,carats\r\na,b,2\r\n",
		"LF":                             "name,note,carats\na,b,2\n",
		"both":                           "name,note,carats\r\na,b,2\n",
		"no end of the last line":        "name,note,carats\na,b,2",
		"a CR at the very end":           "name,note,carats\na,b,2\r",
		"a byte order mark":              "\ufeffname,note,carats\r\na,b,2\r\n",
		"a mark and a quoted name":       "\ufeff\"name\",note,carats\r\na,b,2\r\n",
		"quotation marks where none are": "\"name\",\"note\",\"carats\"\r\n\"a\",\"b\",\"2\"\r\n",
		"empty lines around":             "\r\n\nname,note,carats\n\r\na,b,2\n\n",
		"columns in another order":       "carats,name,note\n2,a,b",
		"read-only columns":              "id,carats,name,note\n77,2,a,b",
		"a guard that nobody needs":      "name,note,carats\na,b,2",
		"zeros behind":                   "name,note,carats\na,b,2.0",
	} {
		if got := send(t, newAPI(t), "POST /api/gems.json", body); got.Status != 201 || !strings.HasPrefix(got.Body, first) {
			t.Errorf("%s: %q is read as %d %s", rule, body, got.Status, got.Body)
		}
	}
}

// FuzzTables checks that another reader of CSV finds as many cells as there are columns.
func FuzzTables(f *testing.F) {
	f.Add("a,\"b\"\r\n", "=1")
	f.Fuzz(func(t *testing.T, name, note string) {
		api := newAPI(t)
		body, err := json.Marshal(map[string]any{"name": name, "note": note, "tags": []string{note, name}, "any": []any{name}})
		if err != nil {
			t.Fatal(err)
		}
		if send(t, api, "POST /api/gems", string(body), "Content-Type", "application/json").Status != 201 {
			t.Skip()
		}
		table := send(t, api, "GET /api/gems.csv", "").Body
		if rows, err := gocsv.NewReader(bytes.NewReader([]byte(table))).ReadAll(); err != nil || len(rows) != 2 || len(rows[1]) != strings.Count(header, ",")+1 {
			t.Errorf("%q: %d rows, %v", table, len(rows), err)
		}
	})
}

// checkText writes a text as CSV and reads it again, as itself and as the element of a list.
func checkText(t *testing.T, text string) {
	t.Helper()
	api := newAPI(t)
	body, err := json.Marshal(map[string]any{"name": text, "note": text, "tags": []string{text, "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if made := send(t, api, "POST /api/gems", string(body), "Content-Type", "application/json"); made.Status != 201 {
		t.Skip()
	}
	row := send(t, api, "GET /api/gems/1.csv", "")
	made := send(t, api, "POST /api/gems.csv", row.Body)
	if made.Status != 201 {
		t.Fatalf("%q is refused: %d %s", row.Body, made.Status, made.Body)
	}
	var first, second map[string]any
	for path, into := range map[string]*map[string]any{"GET /api/gems/1": &first, "GET /api/gems/2": &second} {
		if err := json.Unmarshal([]byte(send(t, api, path, "").Body), into); err != nil {
			t.Fatal(err)
		}
		delete(*into, "id")
	}
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%q came back as %v, want %v", row.Body, second, first)
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("=a")
	f.Add("a \"b\", c\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) {
			checkText(t, text)
		}
	})
}

// FuzzBodies checks that no body causes more than an error.
func FuzzBodies(f *testing.F) {
	f.Add(header + fullRow)
	f.Add("a\n\"")
	f.Add("name,more\n,\"{\"")
	f.Fuzz(func(t *testing.T, body string) {
		api := newAPI(t)
		if got := send(t, api, "POST /api/gems.csv", body); got.Status != 201 && (got.Status < 400 || got.Status > 499) {
			t.Errorf("%q: %d %s", body, got.Status, got.Body)
		}
	})
}
