package httpfield_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/httpfield"
)

func TestConditionsOfAReader(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 15, 4, 5, 999, time.UTC)
	now := httpfield.Selected{Exists: true, State: "s1", Tag: `"s1.r1"`, Modified: at}
	const then, same, later = "Fri, 02 Jan 2026 15:04:04 GMT", "Fri, 02 Jan 2026 15:04:05 GMT", "Fri, 02 Jan 2026 15:04:06 GMT"
	for _, row := range []struct {
		field, value string
		want         int
	}{
		{"If-None-Match", `"s1.r1"`, http.StatusNotModified},
		{"If-None-Match", `W/"s1.r1"`, http.StatusNotModified},
		{"If-None-Match", `"x", , "s1.r1"`, http.StatusNotModified},
		{"If-None-Match", `*`, http.StatusNotModified},
		{"If-None-Match", `"s1"`, 0}, // another representation
		{"If-None-Match", `"S1.R1"`, 0},
		{"If-Match", `"s1.r1"`, 0},
		{"If-Match", `"s1.r2"`, 0}, // the same state
		{"If-Match", `W/"s1.r1"`, http.StatusPreconditionFailed},
		{"If-Match", `"s2"`, http.StatusPreconditionFailed},
		{"If-Match", `*`, 0},
		{"If-Modified-Since", then, 0},
		{"If-Modified-Since", same, http.StatusNotModified},
		{"If-Modified-Since", later, http.StatusNotModified},
		{"If-Modified-Since", "yesterday", 0},
		{"If-Unmodified-Since", then, http.StatusPreconditionFailed},
		{"If-Unmodified-Since", same, 0},
		{"If-Unmodified-Since", "yesterday", 0},
	} {
		c, malformed := httpfield.ReadConditions(http.Header{row.field: {row.value}}, true)
		if malformed != "" {
			t.Errorf("%s: %s is not well formed", row.field, row.value)
		}
		if got := c.Evaluate(now); got != row.want {
			t.Errorf("%s: %s comes to %d, want %d", row.field, row.value, got, row.want)
		}
	}
}

func TestTagsGoBeforeTimes(t *testing.T) {
	t.Parallel()
	now := httpfield.Selected{Exists: true, State: "a", Tag: `"a"`, Modified: time.Unix(1e9, 0)}
	const old, recent = "Sat, 08 Sep 2001 01:46:40 GMT", "Mon, 10 Sep 2001 01:46:40 GMT"
	for _, row := range []struct {
		header http.Header
		want   int
	}{
		{http.Header{"If-None-Match": {`"b"`}, "If-Modified-Since": {recent}}, 0},
		{http.Header{"If-None-Match": {`"a"`}, "If-Modified-Since": {old}}, http.StatusNotModified},
		{http.Header{"If-Match": {`"a"`}, "If-Unmodified-Since": {old}}, 0},
		{http.Header{"If-Match": {`"b"`}, "If-None-Match": {`"a"`}}, http.StatusPreconditionFailed},
		{http.Header{"If-Match": {`"a"`}, "If-None-Match": {`"a"`}}, http.StatusNotModified},
		{http.Header{"If-None-Match": {`"b"`, `"a"`}}, http.StatusNotModified},
	} {
		c, _ := httpfield.ReadConditions(row.header, true)
		if got := c.Evaluate(now); got != row.want {
			t.Errorf("%v comes to %d, want %d", row.header, got, row.want)
		}
	}
}

func TestConditionsOfAChange(t *testing.T) {
	t.Parallel()
	there, missing := httpfield.Selected{Exists: true, State: "s1"}, httpfield.Selected{}
	for _, row := range []struct {
		field, value string
		of           httpfield.Selected
		want         bool
	}{
		{"If-Match", `"s1"`, there, true},
		{"If-Match", `"s1.of-another-representation"`, there, true},
		{"If-Match", `"x","s1"`, there, true},
		{"If-Match", `W/"s1"`, there, false},
		{"If-Match", `"s10"`, there, false},
		{"If-Match", `""`, httpfield.Selected{Exists: true}, false}, // what has no state
		{"If-Match", `*`, there, true},
		{"If-Match", `*`, missing, false},
		{"If-Match", `"s1"`, missing, false},
		{"If-None-Match", `*`, missing, true},
		{"If-None-Match", `*`, there, false},
		{"If-None-Match", `"s1"`, there, false},
		{"If-None-Match", `W/"s1"`, there, false},
		{"If-None-Match", `"s2"`, there, true},
	} {
		c, _ := httpfield.ReadConditions(http.Header{row.field: {row.value}}, true)
		if got := c.Holds(row.of); got != row.want {
			t.Errorf("%s: %s of %+v is %v", row.field, row.value, row.of, got)
		}
		if guards := row.field == "If-Match" || row.value == "*"; c.Guards() != guards || !c.Given {
			t.Errorf("%s: %s guards: %v", row.field, row.value, c.Guards())
		}
	}
}

func TestWhatIsNoListOfTagsIsMalformed(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", " ", ",", "abc", `"abc`, `abc"`, `"a""b"`, `"a" "b"`, `"a";"b"`, `w/"a"`, `W/ "a"`, `W/`, `*, "a"`, `"a", *`, `"a b"`, "\"\x7f\"", `'a'`} {
		for _, field := range []string{"If-Match", "If-None-Match"} {
			if _, malformed := httpfield.ReadConditions(http.Header{field: {value}}, true); malformed != field {
				t.Errorf("%s: %q is taken", field, value)
			}
		}
	}
}

func TestStatesTellContentsApart(t *testing.T) {
	t.Parallel()
	state := func(version string, content []byte) string {
		return string(httpfield.AppendState(nil, version, content))
	}
	seen := map[string]string{}
	for name, text := range map[string]string{
		"a content":                   state("", []byte("a")),
		"another":                     state("", []byte("b")),
		"nothing":                     state("", []byte{}),
		"a version with a content":    state("7", []byte("a")),
		"another version with it":     state("8", []byte("a")),
		"a content with a key":        string(httpfield.AppendKeyedState(nil, "", []byte("a"), []byte("k"))),
		"a content with another key":  string(httpfield.AppendKeyedState(nil, "", []byte("a"), []byte("l"))),
		"another content with a key":  string(httpfield.AppendKeyedState(nil, "", []byte("b"), []byte("k"))),
		"a version in another form":   string(httpfield.AppendRepresentation([]byte("7"), []byte("x"))),
		"a content with more":         string(httpfield.AppendHash(nil, []byte("a"), []byte("more"))),
		"a content with that, parted": string(httpfield.AppendHash(nil, []byte("a"), []byte("mo"), []byte("re"))),
	} {
		if other, met := seen[text]; met {
			t.Errorf("%s and %s are %s", name, other, text)
		}
		seen[text] = name
		if text == "" || strings.ContainsAny(text, "\" \x00") {
			t.Errorf("%s is %q", name, text)
		}
	}
	if got := httpfield.StateOf(`"7-a.b"`); got != "7-a" {
		t.Errorf("the state is %q", got)
	}
}

func FuzzConditions(f *testing.F) {
	for _, seed := range []string{`"a"`, `*`, `W/"a", "b"`, `"`, `,,`, `"a" , , W/"\xff"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		c, malformed := httpfield.ReadConditions(http.Header{"If-Match": {value}}, true)
		if malformed != "" {
			return
		}
		missing := c.Holds(httpfield.Selected{})
		if missing {
			t.Errorf("%q holds for what is not there", value)
		}
		if c.Holds(httpfield.Selected{Exists: true, State: "\x00"}) && strings.TrimSpace(value) != "*" {
			t.Errorf("%q holds for a state that no tag can name", value)
		}
	})
}
