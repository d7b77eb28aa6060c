package csv_test

import (
	"strings"
	"testing"
)

const asCSV = "text/csv"

const (
	full = `{"name":"=1+1","note":"","carats":-1.5,"sold":true,"from":{"city":"A, B","zip":null},"kept":{"city":"\"x\"","zip":"1"},` +
		`"tags":["a","b"],"sizes":[-1,2],"more":{"k":"v"},"any":[1,"x"]}`
	fullRow = `1,'=1+1,"",-1.5,true,"A, B",,"""x""",1,a b,-1 2,"{""k"":""v""}","[1,""x""]"` + "\r\n"
	bare    = `{"name":"b","note":null,"carats":0,"sold":false,"from":{"city":"","zip":""},"kept":null,"tags":[],"sizes":[],"more":{},"any":null}`
	bareRow = `2,b,,0,false,,"",,,[],[],{},` + "\r\n"
)

func TestRecordsAreRows(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	send(t, api, "POST /api/gems", full, "Content-Type", "application/json", "Accept", asCSV).Is(201, header+fullRow).
		Has("Content-Type", "text/csv; charset=utf-8; header=present").Has("Location", "/api/gems/1")
	send(t, api, "POST /api/gems.csv", bare, "Content-Type", "application/json").Is(201, header+bareRow)
	send(t, api, "GET /api/gems/1.csv", "").Is(200, header+fullRow)
	send(t, api, "GET /api/gems", "", "Accept", asCSV).Is(200, header+fullRow+bareRow)
	send(t, api, "GET /api/gems.csv?fields=name,from", "").Is(200, "id,name,from.city,from.zip\r\n1,'=1+1,\"A, B\",\r\n2,b,,\"\"\r\n")
	send(t, api, "GET /api/gems/2.csv?fields=name", "").Is(200, "id,name\r\n2,b\r\n")
	send(t, api, "GET /api/gems", "", "Accept", "image/png").Has("Content-Type", "application/problem+json")
	send(t, api, "GET /api", "", "Accept", asCSV).Is(200, "type,address\r\nGem,/api/gems\r\n")
}

func TestARowIsABody(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	send(t, api, "POST /api/gems.csv", header+fullRow).Is(201, header+fullRow)
	send(t, api, "POST /api/gems.csv", "\ufeff"+strings.ReplaceAll(header+bareRow, "\r\n", "\n")).Is(201, header+bareRow)
	send(t, api, "PATCH /api/gems/1.csv", "carats,sold\n2,FALSE").Is(200, header+strings.Replace(fullRow, "-1.5,true", "2,false", 1))
	send(t, api, "PUT /api/gems/2.csv", "name,hidden\r\n\"x\r\ny\",s\r\n").Is(200, header+strings.Replace(bareRow, ",b,", ",\"x\r\ny\",", 1))
}

func TestTextsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"=1", "'=1", "''=1", "'", "''", "'a", "+1", "-1", "@x", "\t=", "\r", "\n", `"`, `""`, ",", " a ", "a b", "\ufeff", "null", "é😀", `\n`, "[", "{}", "1"} {
		checkText(t, text)
	}
}

func TestATagGuardsARecordInCSVToo(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	send(t, api, "POST /api/gems", full, "Content-Type", "application/json")
	plain := send(t, api, "GET /api/gems/1", "").Header.Get("ETag")
	tag := send(t, api, "GET /api/gems/1.csv", "").Header.Get("ETag")
	if plain == tag || tag == "" {
		t.Errorf("the tags are %s and %s", plain, tag)
	}
	if got := send(t, api, "GET /api/gems/1.csv", "", "If-None-Match", tag); got.Status != 304 {
		t.Errorf("the status is %d, want 304", got.Status)
	}
	if got := send(t, api, "PATCH /api/gems/1.csv", "carats\n5", "If-Match", plain); got.Status != 200 {
		t.Errorf("the status is %d, want 200", got.Status)
	}
	if got := send(t, api, "PATCH /api/gems/1.csv", "carats\n6", "If-Match", tag); got.Status != 412 {
		t.Errorf("the status is %d, want 412", got.Status)
	}
}

func TestWrongBodies(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	for rule, test := range map[string]struct{ body, says string }{
		"a header alone":               {"name\r\n", "no row after the header"},
		"two rows":                     {"name\na\nb\n", "more than one row"},
		"nothing but a mark":           {"\ufeff", "The body is empty"},
		"an unknown column":            {"name,colour\na,secret", `colour`},
		"an unknown nested column":     {"name,from.contry\na,secret", `from.contry`},
		"a column twice":               {"name,name\na,b", `name`},
		"a nested column twice":        {"name,from.city,from.city\na,b,c", `"pointer":"/from/city"`},
		"a number that is none":        {"name,carats\na,secret", `carats`},
		"a number of another country":  {"name,carats\na,\"1,5\"", `carats`},
		"a word that is no boolean":    {"name,sold\na,yes", `sold`},
		"a list with a wrong element":  {"name,sizes\na,1 x", `sizes[1]`},
		"a map that is none":           {"name,more\na,secret", `more`},
		"more cells than columns":      {"name\na,b", "more cells than columns in line 2"},
		"fewer cells than columns":     {"name,note\na", "fewer cells than columns in line 2"},
		"a quotation mark in a cell":   {"name\n\na\"b", "in a cell without quotation marks in line 3"},
		"an open quotation mark":       {"name\n\"a", "no closing quotation mark for the cell that begins in line 2"},
		"text behind a quotation mark": {"name\n\"a\nb\"c", "after a closing quotation mark in line 3"},
		"bytes that are not UTF-8":     {"name\n\xff", "invalid UTF-8 in line 2"},
		"too many columns":             {strings.Repeat("x,", 5000) + "\n", "more columns than the record has in line 1"},
		"a cell that is too long":      {"name\n" + strings.Repeat("a", 1<<19), `name`},
	} {
		got := send(t, api, "POST /api/gems", test.body)
		if got.Status != 400 || !strings.Contains(got.Body, test.says) || strings.Contains(got.Body, "secret") || len(got.Body) > 1000 {
			t.Errorf("%s: the answer is %d %s, want 400 that says %q", rule, got.Status, got.Body, test.says)
		}
	}
	if got := send(t, api, "POST /api/gems", "name\n"+strings.Repeat("a", 2<<20)); got.Status != 413 {
		t.Errorf("a large body: the status is %d", got.Status)
	}
	if got := send(t, api, "POST /api/gems", "name\na", "Content-Type", "text/csv; charset=latin1"); got.Status != 415 {
		t.Errorf("another charset: the status is %d", got.Status)
	}
	if got := send(t, api, "GET /api/gems", ""); got.Body != "[]" {
		t.Errorf("something was saved: %s", got.Body)
	}
}
