package codec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type secretive struct {
	ID       int64  `json:"id" api:"readonly"`
	Title    string `json:"title"`
	Password string `json:"password" api:"writeonly"`
	Owner    *place `json:"owner" api:"readonly"`
}

func TestTheErrorOfAnUnknownFieldListsAllowedFields(t *testing.T) {
	t.Parallel()
	type wide struct {
		A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, Price int
	}
	type fixed struct {
		ID int `json:"id" api:"readonly"`
	}
	for _, test := range []struct {
		name, body, want string
		codec            subject
	}{
		{"with the writable members", `{"x":1}`, `x: Unknown field "x"; allowed: title, password (unknown)`, codecOf[secretive](t)},
		{
			"with the nearest", `{"titel":1}`,
			`titel: Unknown field "titel"; did you mean "title"? (unknown)`, codecOf[secretive](t),
		},
		{
			"in another case", `{"Title":"a"}`,
			`Title: Unknown field "Title"; did you mean "title"? (unknown)`, codecOf[secretive](t),
		},
		{"never naming a read-only member as near", `{"idd":1}`, `idd: Unknown field "idd"; allowed: title, password (unknown)`, codecOf[secretive](t)},
		{"without the members where they are many", `{"pryce":1}`, `pryce: Unknown field "pryce"; did you mean "Price"? (unknown)`, codecOf[wide](t)},
		{"without any where none is writable", `{"x":1}`, `x: Unknown field "x" (unknown)`, codecOf[fixed](t)},
		{"by its path", `{"all":[{"next":{"name":"a","nmae":1}}]}`, `all[0].next.nmae: Unknown field "nmae"; did you mean "name"? (unknown)`, codecOf[node](t)},
		{"below a map", `{"by":{"k":{"x":1}}}`, `by[k].x: Unknown field "x"; allowed: name, next, all, by, any (unknown)`, codecOf[node](t)},
		{"even where it is empty", `{"":1}`, `: Unknown field ""; allowed: title, password (unknown)`, codecOf[secretive](t)},
		{
			"without a hint where it is long", `{"` + strings.Repeat("x", 65) + `":1}`,
			strings.Repeat("x", 65) + `: Unknown field "` + strings.Repeat("x", 30) + "…" + strings.Repeat("x", 30) + `" (unknown)`, codecOf[secretive](t),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			decoded := decode(t, test.codec, test.body, test.codec.New(), merge)
			wantLines(t, test.body, decoded, test.want)
			if !decoded.Mistyped {
				t.Error("Mistyped is false")
			}
		})
	}
}

func TestOnlyTheFirstUnknownFieldsGetASuggestion(t *testing.T) {
	t.Parallel()
	c := codecOf[secretive](t)
	var body strings.Builder
	body.WriteString(`{"title":""`)
	for i := range 50 {
		fmt.Fprintf(&body, `,"title%d":1`, i)
	}
	decoded := decode(t, c, body.String()+"}", c.New(), create)
	if len(decoded.Violations) != 50 {
		t.Fatalf("%d violations, want 50", len(decoded.Violations))
	}
	if !strings.Contains(decoded.Violations[19].Message, "did you mean") {
		t.Errorf("the 20th has no hint: %v", decoded.Violations[19])
	}
	if got, want := decoded.Violations[20].Message, `Unknown field "title20"`; got != want {
		t.Errorf("the 21st says %q, want %q", got, want)
	}
}

func TestReadOnlyFieldsAreIgnoredRegardlessOfTheirValue(t *testing.T) {
	t.Parallel()
	c := codecOf[secretive](t)
	for _, value := range []string{"7", "null", `"x"`, `{"a":[1,"\u0000"]}`, "[]", "1e400", `{"city":7,"x":1}`} {
		for _, mode := range []mode{create, replace, merge} {
			into := &secretive{ID: 3, Owner: &place{City: "Bree"}}
			body := fmt.Sprintf(`{"id":%s,"title":"a","owner":%s}`, value, value)
			decoded := decode(t, c, body, into, mode)
			wantLines(t, body, decoded)
			if decoded.Mistyped || decoded.HasEmpty() {
				t.Errorf("%s: Decoded is %+v, want nothing", body, decoded)
			}
			if want := (&secretive{ID: 3, Title: "a", Owner: &place{City: "Bree"}}); !reflect.DeepEqual(into, want) {
				t.Errorf("%s: record %+v, want %+v", body, into, want)
			}
		}
	}
}

func TestWriteOnlyFieldsAreOrdinaryInBodies(t *testing.T) {
	t.Parallel()
	c := codecOf[secretive](t)
	into := new(secretive)
	wantLines(t, "write-only", decode(t, c, `{"password":"x"}`, into, create))
	if into.Password != "x" {
		t.Errorf("password is %q, want x", into.Password)
	}
	wantLines(t, "write-only", decode(t, c, `{"password":7}`, into, create), "password: password must be a string (type)")
}

func TestPromotedFieldsBelongToTheOuterStruct(t *testing.T) {
	t.Parallel()
	type audit struct {
		Note string `json:"note" validate:"max=5"`
	}
	type doc struct {
		audit

		Title string `json:"title"`
	}
	c := codecOf[doc](t, "note")
	into := new(doc)
	decoded := decode(t, c, `{"title":"t","note":""}`, into, create)
	wantLines(t, "promoted", decoded)
	if found := emptyIn(decoded, into); len(found) != 1 || found["note"] != "audit.Note" {
		t.Errorf("empty are %v, want note at audit.Note", found)
	}
	decode(t, c, `{"note":"n"}`, into, merge)
	if diff := cmp.Diff(doc{audit{"n"}, "t"}, *into, cmp.AllowUnexported(doc{})); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if got, want := encode(t, c, into), `{"note":"n","title":"t"}`; got != want {
		t.Errorf("Append = %s, want %s", got, want)
	}
}

func TestNULIsRejectedInEveryString(t *testing.T) {
	t.Parallel()
	c := codecOf[everyKind](t)
	for body, want := range map[string]string{
		`{"name":"a\u0000"}`:             "name: name must not contain the character U+0000 (nul)",
		`{"nick":"\u0000"}`:              "nick: nick must not contain the character U+0000 (nul)",
		`{"tags":["a","\n\u0000"]}`:      "tags[1]: tags[1] must not contain the character U+0000 (nul)",
		`{"host":"::1\u0000"}`:           "host: host must not contain the character U+0000 (nul)",
		`{"level":"\u0000"}`:             "level: level must not contain the character U+0000 (nul)",
		`{"meta":{"a":["\u0000"]}}`:      "meta: meta must not contain the character U+0000 (nul)",
		`{"meta":{"a\u0000":1}}`:         "meta: meta must not contain the character U+0000 (nul)",
		`{"labels":{"a\u0000":1}}`:       "labels: labels must not have field names that contain the character U+0000 (nul)",
		`{"address":{"city\u0000":"x"}}`: "address: address must not have field names that contain the character U+0000 (nul)",
		`{"name\u0000":"x"}`:             ": the body must not have field names that contain the character U+0000 (nul)",
		`{"name":"\\u0000 \\\\u0000"}`:   "",
		`{"meta":"\\u0000\"\u00000"}`:    "meta: meta must not contain the character U+0000 (nul)",
	} {
		decoded := decode(t, c, body, c.New(), create)
		if want == "" {
			wantLines(t, body, decoded)
			continue
		}
		wantLines(t, body, decoded, want)
		if !decoded.Mistyped {
			t.Errorf("%s: Mistyped is false", body)
		}
	}
}
