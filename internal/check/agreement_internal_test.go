package check

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// TestCompiledChecksAgreeWithValidator compiles random structs for Trove and for validator, and holds both to the
// same violations of random records.
func TestCompiledChecksAgreeWithValidator(t *testing.T) {
	t.Parallel()
	structs := uint64(1500)
	if testing.Short() {
		structs = 200
	}
	var all tally
	for seed := range structs { // the fuzz target has other ones
		agree(t, seed, &all)
	}
	t.Logf("%d structs are rejected, %d are judged; broken rules: %v", all.refused, all.judged, all.broken)
	if all.refused > all.judged/2 {
		t.Errorf("%d structs are rejected and %d are judged", all.refused, all.judged)
	}
	for _, name := range crossFieldRules(t) {
		if all.broken[name] == 0 && !testing.Short() {
			t.Errorf("no record breaks %s", name)
		}
	}
}

// crossFieldRules lists the rules that name other fields.
func crossFieldRules(t *testing.T) (names []string) {
	t.Helper()
	for name, rule := range newCompiler(t).rules {
		if rule.fields && name != model.NotBefore { // which validator does not have
			names = append(names, name)
		}
	}
	if len(names) != 27 {
		t.Errorf("%d rules name other fields: %v", len(names), names)
	}
	return names
}

func FuzzCompiledChecksAgreeWithValidator(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, seed, &tally{}) })
}

// tally counts the results for random structs.
type tally struct {
	refused, judged int
	broken          map[string]int
}

// agree compares the checker of one random struct with validator.
func agree(t *testing.T, seed uint64, all *tally) {
	t.Helper()
	g := &generator{rand.New(rand.NewPCG(seed, 0))}
	of := g.structType(2)
	if g.IntN(8) == 0 {
		of = pick(g, structTypes)
	}
	fast, reference := checkersOf(t, of)
	if fast == nil {
		all.refused++
		return
	}
	all.judged++
	for i := range 20 {
		record, body := reflect.New(of), noted{}
		if i > 0 { // a rule broken by a new record shows what it needs
			g.fill(record.Elem(), 3)
			body.mistyped = g.IntN(8) == 0
			g.emptyIn(&body, fast.typ.Struct, record.Elem(), &model.Location{})
		}
		for _, v := range holdTo(t, fast, reference, record.Interface(), &body, seed) {
			if all.broken == nil {
				all.broken = map[string]int{}
			}
			all.broken[v.Code]++
		}
	}
}

// holdTo compares the violations of a checker with validator's, and returns them.
func holdTo(t *testing.T, fast *Checker, reference *reference, record any, body *noted, seed uint64) []validation.Violation {
	t.Helper()
	want, wantErr := reference.check(record, body)
	got, err := fast.Check(t.Context(), record, body.decoded(fast.Views().View(model.Create)))
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) || got.More != want.More {
		t.Fatalf("seed %d: %s\nwith %+v\nand explicitly empty %v, mistyped %v:\nerrors %v and %v, violations (-validator +compiled):\n%s",
			seed, fast.typ.Go, reflect.ValueOf(record).Elem(), paths(body.empties), body.mistyped, wantErr, err, diff)
	}
	return plain(got)
}

// sorted returns the violations in the order of paths, because validator checks empty values that a body sends last.
func sorted(found model.Report) []validation.Violation {
	list := plain(found)
	slices.SortFunc(list, func(a, b validation.Violation) int { return strings.Compare(a.Field, b.Field) })
	return list
}

// plain returns the violations as users see them.
func plain(found model.Report) []validation.Violation {
	var list []validation.Violation
	for _, v := range found.Violations {
		list = append(list, v.Violation)
	}
	return list
}

func paths(ways [][]model.Segment) (list []string) {
	for _, way := range ways {
		var at model.Location
		goTo(&at, way)
		list = append(list, at.String())
	}
	return list
}

// checkersOf compiles a type for Trove and for validator. If both reject it, it returns nil.
func checkersOf(t *testing.T, of reflect.Type) (*Checker, *reference) {
	t.Helper()
	typ := compileType(t, of)
	c := newCompiler(t, ownRules()...)
	fast, err := c.Compile(typ.Struct, nil)
	p := newPlanner(c)
	if p.object(typ.Struct); p.errs != nil || err != nil && strings.Contains(err.Error(), "message tag") {
		return nil, nil // not about how values are checked
	}
	reference, wantErr := newReference(t, c, typ.Struct)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s:\ncompiled, it has the error %v\nwith validator, %v", of, err, wantErr)
	}
	if err != nil {
		return nil, nil
	}
	return fast, reference
}

// TestViolationsOfElementsAgree checks that both name elements alike.
func TestViolationsOfElementsAgree(t *testing.T) {
	t.Parallel()
	type form struct {
		Grid  [][]string       `json:"grid" validate:"dive,dive,min=2"`
		Named map[string][]int `json:"named" validate:"dive,keys,max=1,endkeys,max=1,dive,gte=1" message:"max: Too many"`
	}
	fast, reference := checkersOf(t, reflect.TypeFor[form]())
	record := form{Grid: [][]string{{"ab"}, {"ab", "c"}}, Named: map[string][]int{"xy": {0, 1}}}
	list := holdTo(t, fast, reference, &record, &noted{}, 0)
	if len(list) != 2 || list[0].Field != "grid[1][1]" || list[1].Message != "Too many" {
		t.Errorf("the violations are %v", list)
	}
}

// TestManyViolationsAgree has too many violations and empty values to compare one by one.
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
	var body noted
	more := fast.typ.Struct.Field("more")
	way := func(i int, member string) []model.Segment {
		return []model.Segment{
			{Kind: model.ToField, Field: more},
			{Kind: model.ToElement, Index: i},
			{Kind: model.ToField, Field: more.Type.Elem.Struct.Field(member)},
		}
	}
	for i := range lines {
		if i%2 == 0 {
			body.empties = append(body.empties, way(i, "count"))
		}
		if i%3 == 0 {
			body.told = append(body.told, way(i, "note"))
		}
	}
	list := holdTo(t, fast, reference, &record, &body, 0)
	found, err := fast.Check(t.Context(), &record, body.decoded(nil))
	if err != nil || len(found.Violations)+found.More != 27+26+40 || len(list) != len(found.Violations) {
		t.Errorf("%d violations are found, %v", len(found.Violations)+found.More, err)
	}
}

// TestAPointerIsAValueInAlternatives has a rule for which validator looks around the value.
func TestAPointerIsAValueInAlternatives(t *testing.T) {
	t.Parallel()
	type form struct {
		Code *string `json:"code" validate:"max=3,required|semver"`
		Text string  `json:"text" validate:"required|semver"`
	}
	fast, reference := checkersOf(t, reflect.TypeFor[form]())
	if list := holdTo(t, fast, reference, &form{Code: new("")}, &noted{}, 0); len(list) != 1 || list[0].Field != "text" {
		t.Errorf("the violations are %v", list)
	}
}
