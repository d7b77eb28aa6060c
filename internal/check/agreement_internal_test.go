package check

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// TestCompiledChecksAgreeWithValidator compiles random structs twice, once with all
// rules left to validator, and holds both to the same violations of random records.
func TestCompiledChecksAgreeWithValidator(t *testing.T) {
	t.Parallel()
	structs := uint64(400)
	if testing.Short() {
		structs = 40
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seeds %d to %d", seed, seed+structs-1)
	compiled := 0
	for i := range structs {
		compiled += agree(t, seed+i)
	}
	t.Logf("%d fields are judged by compiled checks", compiled)
	if uint64(compiled) < structs/2 { // chance makes about one a struct, and a half of that never
		t.Errorf("only %d fields of %d structs are judged by compiled checks", compiled, structs)
	}
}

func FuzzCompiledChecksAgreeWithValidator(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, seed) })
}

// agree compares the checkers of one random struct, and returns how many of its fields
// are not left to validator.
func agree(t *testing.T, seed uint64) (compiled int) {
	t.Helper()
	g := &generator{rand.New(rand.NewPCG(seed, 0))}
	of := g.structType(2)
	if g.IntN(8) == 0 {
		of = pick(g, structTypes)
	}
	fast, reference := checkersOf(t, of)
	if fast == nil {
		return 0
	}
	for range 20 {
		record := reflect.New(of)
		g.fill(record.Elem(), 3)
		mistyped, emptySeed := g.IntN(8) == 0, g.Uint64()
		decoded := func(of *Checker) codec.Decoded {
			made := codec.Decoded{Mistyped: mistyped, View: of.Views().Create()}
			empties := &generator{rand.New(rand.NewPCG(emptySeed, 0))}
			empties.emptyIn(&made, of.root, record.Elem(), &model.Trail{})
			return made
		}
		got, err := fast.Check(t.Context(), record.Interface(), decoded(fast))
		want, wantErr := reference.Check(t.Context(), record.Interface(), decoded(reference))
		if diff := cmp.Diff(plain(want), plain(got)); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) || got.More != want.More {
			t.Fatalf("seed %d: %s\nwith %+v\nand explicitly empty %v:\nerrors %v and %v, violations (-validator +compiled):\n%s",
				seed, of, record.Elem(), slices.Collect(decodedPaths(decoded(fast))), wantErr, err, diff)
		}
	}
	return len(fast.plan.members) - len(fast.byValidator)
}

// plain returns the violations that are told, as users see them.
func plain(found model.Report) []validation.Violation {
	var list []validation.Violation
	for _, v := range found.Violations {
		list = append(list, v.Violation)
	}
	return list
}

func decodedPaths(decoded codec.Decoded) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := range decoded.Empties() {
			if !yield(at.String()) {
				return
			}
		}
	}
}

// checkersOf compiles a type, and once more with all left to validator. Both refuse it
// with the same errors, or none does; then it returns nil.
func checkersOf(t *testing.T, of reflect.Type) (fast, reference *Checker) {
	t.Helper()
	var checkers [2]*Checker
	var errs [2]error
	for i := range checkers {
		typ, err := model.CompileType(of)
		if err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		c := newCompiler(t)
		c.reference = i == 1
		checkers[i], errs[i] = c.Compile(typ.Struct, nil)
	}
	if fmt.Sprint(errs[0]) != fmt.Sprint(errs[1]) {
		t.Fatalf("%s:\ncompiled, it has the error %v\nwith validator, %v", of, errs[0], errs[1])
	}
	if errs[0] != nil {
		return nil, nil
	}
	for i, m := range checkers[0].Views().Create().Members {
		if other := checkers[1].Views().Create().Members[i]; m.Required != other.Required {
			t.Errorf("%s: %s is required: %v, with validator %v", of, m.Field.Name, m.Required, other.Required)
		}
	}
	return checkers[0], checkers[1]
}

// TestViolationsOfElementsAgree holds both ways to the same names of elements.
func TestViolationsOfElementsAgree(t *testing.T) {
	t.Parallel()
	type form struct {
		Grid  [][]string       `json:"grid" validate:"dive,dive,min=2"`
		Named map[string][]int `json:"named" validate:"dive,keys,max=1,endkeys,max=1,dive,gte=1" message:"max: Too many"`
	}
	fast, reference := checkersOf(t, reflect.TypeFor[form]())
	record := form{Grid: [][]string{{"ab"}, {"ab", "c"}}, Named: map[string][]int{"xy": {0, 1}}}
	got, err := fast.Check(t.Context(), &record, codec.Decoded{})
	want, wantErr := reference.Check(t.Context(), &record, codec.Decoded{})
	if diff := cmp.Diff(plain(want), plain(got)); diff != "" || err != nil || wantErr != nil || len(fast.byValidator) > 0 {
		t.Errorf("errors %v and %v, violations (-validator +compiled):\n%s", wantErr, err, diff)
	}
	if list := plain(got); len(list) != 2 || list[0].Field != "grid[1][1]" || list[1].Message != "Too many" {
		t.Errorf("the violations are %v", list)
	}
}

// TestManyViolationsAgree has more violations and empty values than are compared one by
// one.
func TestManyViolationsAgree(t *testing.T) {
	t.Parallel()
	type line struct {
		Count int    `json:"count" validate:"omitempty,gte=1"`
		Note  string `json:"note" validate:"max=1"`
	}
	type form struct {
		Lines []line `json:"lines" validate:"max=10"`
		More  []line `json:"more"`
	}
	fast, reference := checkersOf(t, reflect.TypeFor[form]())
	var record form
	const lines = 80
	for i := range lines {
		record.More = append(record.More, line{Count: i % 2, Note: strings.Repeat("x", i%3)})
	}
	check := func(of *Checker) (model.Report, error) {
		var decoded codec.Decoded
		more := of.root.Field("more")
		var at model.Trail
		for i := range lines {
			at.ToMember(more)
			at.ToElement(i)
			if i%2 == 0 {
				at.ToMember(more.Type.Elem.Struct.Field("count"))
				decoded.NoteEmpty(&at)
				at.Up()
			}
			if i%3 == 0 {
				at.ToMember(more.Type.Elem.Struct.Field("note"))
				decoded.AddAt(&at, validation.Violation{Code: "type"})
			}
			at.Go(nil)
		}
		return of.Check(t.Context(), &record, decoded)
	}
	got, err := check(fast)
	want, wantErr := check(reference)
	if diff := cmp.Diff(plain(want), plain(got)); diff != "" || err != nil || wantErr != nil || got.More != want.More {
		t.Errorf("errors %v and %v, violations (-validator +compiled):\n%s", wantErr, err, diff)
	}
	if got.Count() != 27+26+40 {
		t.Errorf("%d violations are found", got.Count())
	}
}

// TestAPointerIsAValueInAlternatives has a rule that validator answers by what is around
// the value.
func TestAPointerIsAValueInAlternatives(t *testing.T) {
	t.Parallel()
	type form struct {
		Code *string `json:"code" validate:"max=3,required|semver"`
		Text string  `json:"text" validate:"required|semver"`
	}
	fast, reference := checkersOf(t, reflect.TypeFor[form]())
	record := form{Code: new("")}
	for _, checker := range []*Checker{fast, reference} {
		found, err := checker.Check(t.Context(), &record, codec.Decoded{})
		if err != nil || len(found.Violations) != 1 || found.Violations[0].Field != "text" {
			t.Errorf("the violations are %v, %v", plain(found), err)
		}
	}
}

func TestAFilterLetsFieldsPassWithTheirWay(t *testing.T) {
	t.Parallel()
	skip := skipOthers("order", []string{"Lines", "Audit.Author", "To"})
	for path, want := range map[string]bool{
		"order.Lines": false, "order.Lines[1].Count": false, "order.To": false, "order.Audit": false, "order.Audit.Author": false,
		"order.Line": true, "order.LinesOfAll": true, "order.T": true, "order.Audit.At": true, "order.Aud": true, "order.Other": true,
	} {
		if got := skip([]byte(path)); got != want {
			t.Errorf("%s is skipped: %v, want %v", path, got, want)
		}
	}
}
