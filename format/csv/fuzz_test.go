package csv_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

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
