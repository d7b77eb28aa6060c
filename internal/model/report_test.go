package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// walk goes a random way down, and returns it as text as well, its segments with spaces.
func walk(g *rand.Rand, fields []*model.Field, at *model.Location) string {
	var parts []string
	at.Clear()
	for depth := range g.IntN(5) {
		switch depth % 3 { // what is in one value is of one kind
		case 0:
			f := fields[g.IntN(len(fields))]
			at.ToField(f)
			parts = append(parts, "."+f.Name)
		case 1:
			i := g.IntN(30)
			at.ToElement(i)
			parts = append(parts, fmt.Sprintf("#%d", i))
		case 2:
			key := fmt.Sprint("k", g.IntN(30))
			at.ToEntry(key)
			parts = append(parts, "["+key)
		}
	}
	return strings.Join(parts, " ") + " "
}

func TestOneViolationForEachValueHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	g := rand.New(rand.NewPCG(3, 4))
	fields := []*model.Field{{Name: "a"}, {Name: "b"}}
	for range 100 {
		var r model.Report
		var at model.Location
		var told, empty []string
		for range 100 {
			path := walk(g, fields, &at)
			want := slices.ContainsFunc(told, func(other string) bool {
				return strings.HasPrefix(path, other) || strings.HasPrefix(other, path) || other == " " || path == " "
			})
			if got := r.IsReported(&at); got != want {
				t.Fatalf("%q beside %q says: %v, want %v", path, told, got, want)
			}
			wantEmpty := slices.ContainsFunc(empty, func(other string) bool { return strings.HasPrefix(other, path) || path == " " })
			if got := r.IsEmptyAt(&at); got != wantEmpty {
				t.Fatalf("%q beside %q is empty: %v, want %v", path, empty, got, wantEmpty)
			}
			if g.IntN(3) == 0 {
				r.NoteEmpty(&at)
				empty = append(empty, path)
			} else if !want && path != " " {
				r.AddAt(&at, validation.Violation{Code: "x"})
				told = append(told, path)
			}
		}
		if len(r.Violations)+r.More != len(told) {
			t.Fatalf("%d violations, want %d", len(r.Violations)+r.More, len(told))
		}
	}
}

func TestATrailRemembersWhatItMetOnTheWay(t *testing.T) {
	t.Parallel()
	list, count := &model.Field{Name: "list"}, &model.Field{Name: "count"}
	var r model.Report
	var at model.Location
	at.ToField(list)
	for i := range 3 {
		at.ToElement(i)
		at.ToField(count)
		if r.IsReported(&at) {
			t.Errorf("%s is told before it was", &at)
		}
		r.AddAt(&at, validation.Violation{})
		if !r.IsReported(&at) {
			t.Errorf("%s is not told", &at)
		}
		at.Up()
		at.Up()
	}
	if !r.IsReported(&at) {
		t.Error("nothing is told in the list")
	}
	at.Up()
	at.ToField(count)
	if r.IsReported(&at) {
		t.Error("another member is told")
	}
}

func TestPathsOfUsersBeginWhereTheyAreMade(t *testing.T) {
	t.Parallel()
	lines, count := &model.Field{Name: "lines"}, &model.Field{Name: "count"}
	var r model.Report
	var at model.Location
	at.ToField(lines)
	at.ToElement(1)
	at.ToField(count)
	r.AddAt(&at, validation.Violation{Code: "first"})
	at.Up()
	for _, field := range []string{"count", "count.deep", "", "note", "note", "tags[a.b].x", "[k]"} {
		r.AddBelow(&at, validation.Violation{Field: field})
	}
	var got []string
	for _, v := range r.Violations {
		got = append(got, v.Field+" "+v.Pointer())
	}
	want := []string{"lines[1].count /lines/1/count", "lines[1].note /lines/1/note", "lines[1].tags[a.b].x /lines/1/tags/a.b/x", "lines[1][k] /lines/1/k"}
	if !slices.Equal(got, want) {
		t.Errorf("told are %q, want %q", got, want)
	}
}

func TestTextsAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "short", strings.Repeat("é", 100), strings.Repeat("日本", 100), "\xff" + strings.Repeat("\x80", 200)} {
		for most := 8; most < 120; most++ {
			got := model.Shorten(text, most)
			if len(got) > most+4 && len(text) > most || len(text) <= most && got != text {
				t.Errorf("%q cut at %d is %q", text, most, got)
			}
			if strings.ToValidUTF8(text, "") == text && strings.ToValidUTF8(got, "") != got {
				t.Errorf("%q cut at %d is %q, which is no text", text, most, got)
			}
		}
	}
}

func TestALongPathIsCutInTheMiddle(t *testing.T) {
	t.Parallel()
	next := &model.Field{Name: "next"}
	var r model.Report
	var at model.Location
	for range 5_000 {
		at.ToField(next)
	}
	at.ToElement(7)
	r.AddAt(&at, validation.Violation{})
	for text, ends := range map[string][2]string{
		r.Violations[0].Field:     {"next.next.", ".next.next[7]"},
		r.Violations[0].Pointer(): {"/next/next/", "/next/next/7"},
	} {
		if len(text) > 1100 || !strings.HasPrefix(text, ends[0]) || !strings.HasSuffix(text, ends[1]) || strings.Count(text, "…") != 1 {
			t.Errorf("the path has %d bytes: %s", len(text), text)
		}
	}
}
