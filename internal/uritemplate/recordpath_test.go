package uritemplate_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/uritemplate"
)

func addressOf(t testing.TB, text string, suffixes ...string) *uritemplate.RecordPath {
	t.Helper()
	template, err := uritemplate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	address := uritemplate.RecordPathOf(template, "id", suffixes)
	return &address
}

func TestAnIdentifierHasOnePath(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ template, id, want string }{
		{"/api/users/{id}", "1", "/api/users/1"},
		{"/api/users/{id}", "a/b", "/api/users/a%2Fb"},
		{"/api/users/{id}", "..", "/api/users/%2E%2E"},
		{"/api/users/{id}", "x.json", "/api/users/x%2Ejson"},
		{"/api/users/{id}", "x.json.json", "/api/users/x.json%2Ejson"},
		{"/api/users/{id}", ".json", "/api/users/%2Ejson"},
		{"/api/users/{id}", "a b/c.json", "/api/users/a%20b%2Fc%2Ejson"},
		{"/api/users/{id}", "x.csv", "/api/users/x.csv"},
		{"/api/users/{id}/card", "x.json", "/api/users/x.json/card"},
		{"/api/users/{id}/card.json", "x", "/api/users/x/card.json"},
	} {
		a := addressOf(t, test.template, ".json", ".ndjson")
		if got := string(a.Append(nil, test.id)); got != test.want {
			t.Errorf("the address of %q is %q, want %q", test.id, got, test.want)
		}
		if got, ok := a.Read(test.want); !ok || got != test.id {
			t.Errorf("%s is the address of %q, %v, want %q", test.want, got, ok, test.id)
		}
	}
}

func TestADotMayBePercentEncodedOrNot(t *testing.T) {
	t.Parallel()
	a := addressOf(t, "/api/users/{id}", ".json")
	for text, want := range map[string]string{
		"/api/users/x.json": "x.json", "/api/users/x%2Ejson": "x.json", "/api/users/x%2Ejson.json": "x.json.json", "/api/users/a%2Eb": "a.b",
		"/api/users/%2E": ".", "/api/users/%2E%2E": "..",
	} {
		if got, ok := a.Read(text); !ok || got != want {
			t.Errorf("%s is read as %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestNoOtherTextIsAPath(t *testing.T) {
	t.Parallel()
	a := addressOf(t, "/api/users/{id}", ".json")
	for _, text := range []string{
		"", "/", "/api/users", "/api/users/", "/api/tags/1", "https://x/api/users/1", "//x/api/users/1", "api/users/1",
		"/api/users/1?x=1", "/api/users/1#x", "/api/users/./1", "/api/users/.", "/api/users/x%2ejson", "/api/x/../users/1", "/api/users/..",
		"/api/users/%31", "/api/users/a%2fb", "/api/users/%zz", "/api/users/1/", "/api/users/a/b", "/api/users/é", "/API/users/1",
	} {
		if id, ok := a.Read(text); ok {
			t.Errorf("%q is taken for the address of %q", text, id)
		}
	}
}

func TestAnIntegerIsReadAsAnyIdentifier(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"/api/users/{id}", "/api/users/{id}/card"} {
		a := addressOf(t, form, ".json")
		for text, want := range map[string]int64{
			"1": 1, "0": 0, "-7": -7, "900000000000000000": 900000000000000000,
		} {
			address := a.AppendInt(nil, want)
			if id, ok := a.Digits(address); !ok || string(id) != text || string(address) != string(a.Append(nil, text)) {
				t.Errorf("%s is read as %s, %v, want %d", address, id, ok, want)
			}
		}
		for _, text := range []string{"", "01", "-0", "+1", "1.0", "1e1", "-", "x", "1 ", " 1", "%31", "9999999999999999999"} {
			if id, ok := a.Digits([]byte(strings.Replace(form, "{id}", text, 1))); ok {
				t.Errorf("%q is read as %s", text, id)
			}
		}
	}
}

func FuzzAPathIsReadAsItsIdentifier(f *testing.F) {
	for _, id := range []string{"1", "a/b", ".json", "x.json.json", ".", "é", "%2F"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if id == "" {
			return
		}
		for _, form := range []string{"/api/users/{id}", "/api/users/{id}/card.json"} {
			a := addressOf(t, form, ".json", ".ndjson")
			address := string(a.Append(nil, id))
			if got, ok := a.Read(address); !ok || got != id {
				t.Errorf("%q, the address of %q, is read as that of %q, %v", address, id, got, ok)
			}
		}
	})
}
