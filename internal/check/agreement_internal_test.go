package check

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// TestCompiledChecksAgreeWithValidator compiles random structs twice, once with all
// rules left to validator, and holds both to the same violations of random records.
func TestCompiledChecksAgreeWithValidator(t *testing.T) {
	t.Parallel()
	const structs = 400
	seed := uint64(time.Now().UnixNano())
	t.Logf("seeds %d to %d", seed, seed+structs-1)
	compiled := 0
	for i := range uint64(structs) {
		compiled += agree(t, seed+i)
	}
	if compiled < structs {
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
		decoded := codec.Decoded{Empty: g.emptyIn(fast.root, record.Elem(), "", "")}
		decoded.Mistyped = g.IntN(8) == 0
		got, err := fast.Check(t.Context(), record.Interface(), decoded)
		want, wantErr := reference.Check(t.Context(), record.Interface(), decoded)
		if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("seed %d: %s\nwith %+v\nand explicitly empty %v:\nerrors %v and %v, violations (-validator +compiled):\n%s",
				seed, of, record.Elem(), decoded.Empty, wantErr, err, diff)
		}
	}
	return len(fast.plan.members) - len(fast.foreign)
}

// checkersOf compiles a type, and once more with all left to validator. Both refuse it
// with the same errors, or none does; then it returns nil.
func checkersOf(t *testing.T, of reflect.Type) (fast, reference *Checker) {
	t.Helper()
	var checkers [2]*Checker
	var errs [2]error
	var structs [2]*model.Struct
	for i := range checkers {
		typ, err := model.CompileType(of)
		if err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		c := newCompiler(t)
		c.reference = i == 1
		structs[i] = typ.Struct
		checkers[i], errs[i] = c.Compile(typ.Struct, nil)
	}
	if fmt.Sprint(errs[0]) != fmt.Sprint(errs[1]) {
		t.Fatalf("%s:\ncompiled, it has the error %v\nwith validator, %v", of, errs[0], errs[1])
	}
	for i, f := range structs[0].Fields {
		if f.Required != structs[1].Fields[i].Required {
			t.Errorf("%s: %s is required: %v, with validator %v", of, f.Name, f.Required, structs[1].Fields[i].Required)
		}
	}
	if errs[0] != nil {
		return nil, nil
	}
	return checkers[0], checkers[1]
}

// generator makes random types and values.
type generator struct{ *rand.Rand }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

type word string

type named struct {
	Label string `json:"label" validate:"omitempty,min=2"`
	Count int    `json:"count" validate:"omitempty,gte=3"`
}

type nested struct {
	named

	Inner named     `json:"inner" validate:"omitempty"`
	Refs  []*named  `json:"refs" validate:"max=2"`
	Again []nested  `json:"again"`
	Other *[]string `json:"other" validate:"omitempty,min=1,dive,required"`
}

type crossed struct {
	named

	From int  `json:"from"`
	To   int  `json:"to" validate:"omitempty,gtefield=From"`
	Code word `json:"code" validate:"omitempty,len=2"`
	Deep struct {
		named

		Given []bool `json:"given" validate:"required_with=Count,dive,eq=true"`
	} `json:"deep"`
}

var scalarTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[word](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[[]byte](), reflect.TypeFor[uuid.UUID](),
}

var structTypes = []reflect.Type{reflect.TypeFor[named](), reflect.TypeFor[nested](), reflect.TypeFor[crossed]()}

// structType makes a struct of a few fields with rules.
func (g *generator) structType(depth int) reflect.Type {
	var fields []reflect.StructField
	for i := range 1 + g.IntN(6) {
		of := g.fieldType(depth)
		tag := fmt.Sprintf(`json:"f%d" validate:"%s"`, i, strings.Join(g.rules(of, true), ","))
		if g.IntN(8) == 0 {
			tag += ` api:"readonly"`
		}
		if g.IntN(6) == 0 {
			tag += ` message:"Wrong"`
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: of, Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

func (g *generator) fieldType(depth int) reflect.Type {
	switch n := g.IntN(12); {
	case n == 0 && depth > 0:
		return g.structType(depth - 1)
	case n == 1 && depth > 0:
		return reflect.SliceOf(g.fieldType(depth - 1))
	case n == 2 && depth > 0:
		return reflect.ArrayOf(2, g.fieldType(depth-1))
	case n == 3 && depth > 0:
		return reflect.MapOf(pick(g, []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[word]()}), g.fieldType(depth-1))
	case n == 4:
		return pick(g, structTypes)
	case n == 5:
		return reflect.PointerTo(pick(g, append(structTypes, scalarTypes...)))
	}
	return pick(g, scalarTypes)
}

// rules makes the words of a tag that fit a type, most of the time.
func (g *generator) rules(of reflect.Type, isField bool) []string {
	var words []string
	if g.IntN(3) == 0 {
		words = append(words, "omitempty")
	}
	if g.IntN(5) == 0 {
		words = append(words, "required")
	}
	base := of
	if of.Kind() == reflect.Pointer {
		base = of.Elem()
	}
	for range g.IntN(3) {
		if rule := g.rule(base); rule != "" {
			words = append(words, rule)
		}
	}
	if isField && g.IntN(20) == 0 {
		words = append(words, "required_with=F0")
	}
	kind := base.Kind()
	if base == reflect.TypeFor[[]byte]() || base == reflect.TypeFor[uuid.UUID]() {
		return words
	}
	if (kind == reflect.Slice || kind == reflect.Array || kind == reflect.Map) && g.IntN(2) == 0 {
		words = append(words, "dive")
		if kind == reflect.Map && g.IntN(2) == 0 {
			words = append(append(append(words, "keys"), g.rule(reflect.TypeFor[string]())), "endkeys")
		}
		words = append(words, g.rules(base.Elem(), false)...)
	}
	return words
}

var textWords = []string{
	"notblank", "alpha", "alphaspace", "alphanum", "alphanumspace", "alphaunicode", "alphanumunicode", "ascii", "printascii", "multibyte",
	"boolean", "numeric", "number", "hexadecimal", "lowercase", "uppercase", "email", "url", "http_url", "https_url", "uri", "ip", "uuid", "uuid3",
	"uuid4", "uuid5", "uuid7", "uuid_rfc4122", "uuid3_rfc4122", "uuid4_rfc4122", "uuid5_rfc4122", "hexcolor|rgb", "email|uuid", "eq=a0x2Cb|alpha",
	"iscolor", "e164", "startswith=a", "startsnotwith=a", "endswith=b", "endsnotwith=b", "contains=a0x2Cb", "containsany=xyé", "containsrune=é",
	"excludes=a", "excludesall=a0x2Cb", "excludesrune=é", "eq_ignore_case=aB", "ne_ignore_case=ab", "oneof=a b 'a b'", "oneof='a' b'c d'",
	"noneof=a ab", "oneofci=A B", "noneofci=AB", "min=0x2", "max=3", "len=2", "gt=1", "lt=4", "gte=2", "lte=3", "eq=ab", "ne=ab", "semver",
}

// rule makes a rule that fits a type, or "".
func (g *generator) rule(of reflect.Type) string {
	compare := pick(g, []string{"min", "max", "len", "gt", "gte", "lt", "lte", "eq", "ne"})
	switch kind := of.Kind(); {
	case kind == reflect.String:
		return pick(g, textWords)
	case kind == reflect.Bool:
		return pick(g, []string{"eq=true", "ne=false", "eq=0"})
	case kind >= reflect.Int && kind <= reflect.Int64:
		return pick(g, []string{compare + "=-1", compare + "=1", compare + "=0x2", "oneof=1 2 -3", "noneof=1 01 +2", "port", "latitude"})
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		return pick(g, []string{compare + "=1", compare + "=02", "oneof=1 2", "noneof=1 02", "port"})
	case kind == reflect.Float32 || kind == reflect.Float64:
		return pick(g, []string{compare + "=0.1", compare + "=-1.5", compare + "=1e0", "longitude"})
	case of == reflect.TypeFor[time.Time]():
		return pick(g, []string{"gt", "gte", "lt", "lte"})
	case of == reflect.TypeFor[uuid.UUID]() || kind == reflect.Struct:
		return ""
	}
	if of != reflect.TypeFor[[]byte]() && slices.Contains(scalarTypes[:10], of.Elem()) && g.IntN(2) == 0 {
		return "unique"
	}
	return compare + pick(g, []string{"=0", "=1", "=2"})
}

var texts = []string{
	"", "", "a", "b", "ab", "aB", "AB", "a,b", "a b", " ", "\x1c", "é", "aé", "日本", "\xff", "a\n", "1", "-1.5", "+1.", ".5", "0x1F", "0x", "x0", "true",
	"someone@example.com", "a.b+c_d-e@mail.example.org", "a@b", "@", "a@@b.c", "a..b@c.de", "a@b-.de", "a@-b.de", "a@b.d3", "a@b.3d", `"a b"@c.de`,
	"é@c.de", "A <a@b.de>", "a@b.de.", "a@b_c.de", "a'b@c.de", "a@b..de", "http://example.com", "https://example.com/a?b=c", "HTTP://a/b", "ftp://a",
	"http://", "http://a b", "https://a/%zz", "file:///", "file:///a", "mailto:a@b.de", "http:///a", "/a", "https://a:80/", "http://[::1]/", "https://.a",
	"https://a-/b", "127.0.0.1", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "6ba7b810-9dad-31d1-00b4-00c04fd430c8",
	"6ba7b810-9dad-51d1-f0b4-00c04fd430c8", "6ba7b810-9dad-71d1-a0b4-00c04fd430c8", "6ba7b810-9dad-41d1-B0b4-00c04fd430c8",
	"6ba7b810-9dad-41d1-80b4-00c04fd430cg", "6ba7b81009dad-41d1-80b4-00c04fd430c8", "#ff8800", "+4930901820", "1.2.3",
}

// fill gives a value and what is in it random values.
func (g *generator) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Int, reflect.Int8:
		v.SetInt(pick(g, []int64{0, 0, 1, 2, 3, 4, -1, -3, 100}))
	case reflect.Uint16, reflect.Uint64:
		v.SetUint(pick(g, []uint64{0, 0, 1, 2, 3, 100}))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(g, []float64{0, 0, 0.1, 1, 1.5, -1.5, 100}))
	case reflect.String:
		v.SetString(pick(g, texts))
	case reflect.Pointer:
		if g.IntN(3) > 0 && depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), depth-1)
		}
	case reflect.Struct:
		g.fillStruct(v, depth)
	case reflect.Slice, reflect.Array, reflect.Map:
		g.fillElements(v, depth)
	}
}

func (g *generator) fillStruct(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(pick(g, []time.Time{{}, time.Unix(0, 0), time.Unix(1<<40, 0)})))
		return
	}
	for i := range v.NumField() {
		if depth > 0 && (v.Field(i).CanSet() || v.Type().Field(i).Anonymous) {
			g.fill(v.Field(i), depth-1)
		}
	}
}

// fillElements gives a map one entry at most, for validator takes them in any order.
func (g *generator) fillElements(v reflect.Value, depth int) {
	n := g.IntN(4)
	switch {
	case v.Kind() != reflect.Array && g.IntN(4) == 0 || depth == 0:
		return
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if n > 0 {
			key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			g.fill(key, depth)
			g.fill(element, depth-1)
			v.SetMapIndex(key, element)
		}
		return
	}
	for i := range v.Len() {
		g.fill(v.Index(i), depth-1)
	}
}

// emptyIn lists some of the empty fields of a struct, as a body that has them.
func (g *generator) emptyIn(s *model.Struct, v reflect.Value, path, goPath string) []codec.Empty {
	var list []codec.Empty
	for _, f := range s.Fields {
		at, goAt := join(path, f.Name), join(goPath, f.GoPath)
		field := f.Value(v)
		hasRules := len(f.Rules.All) > 0 || f.Rules.OmitEmpty
		isEmpty := field.IsZero() || (field.Kind() == reflect.Slice || field.Kind() == reflect.Map) && field.Len() == 0
		if hasRules && !f.Type.Nullable && isEmpty && g.IntN(2) == 0 {
			list = append(list, codec.Empty{Field: f, Path: at, GoPath: goAt})
		}
		switch {
		case f.Type.Kind == model.Object && !f.Type.Nullable:
			list = append(list, g.emptyIn(f.Type.Struct, field, at, goAt)...)
		case f.Type.Kind == model.List && f.Type.Elem.Kind == model.Object && !f.Type.Elem.Nullable && !f.Type.Nullable:
			for i := range field.Len() {
				brackets := fmt.Sprintf("[%d]", i)
				list = append(list, g.emptyIn(f.Type.Elem.Struct, field.Index(i), at+brackets, goAt+brackets)...)
			}
		}
	}
	return list
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
	if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil || len(fast.foreign) > 0 {
		t.Errorf("errors %v and %v, violations (-validator +compiled):\n%s", wantErr, err, diff)
	}
	if len(got) != 2 || got[0].Field != "grid[1][1]" || got[1].Message != "Too many" {
		t.Errorf("the violations are %v", got)
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
	var decoded codec.Decoded
	for i := range 5 * few {
		record.More = append(record.More, line{Count: i % 2, Note: strings.Repeat("x", i%3)})
		if i%2 == 0 {
			at := fmt.Sprintf("[%d].", i)
			decoded.Empty = append(decoded.Empty, codec.Empty{Path: "more" + at + "count", GoPath: "More" + at + "Count"})
		}
		decoded.Violations = append(decoded.Violations, validation.Violation{Field: fmt.Sprintf("more[%d].note", 3*i), Code: "type"})
	}
	got, err := fast.Check(t.Context(), &record, decoded)
	want, wantErr := reference.Check(t.Context(), &record, decoded)
	if diff := cmp.Diff(want, got); diff != "" || err != nil || wantErr != nil {
		t.Errorf("errors %v and %v, violations (-validator +compiled):\n%s", wantErr, err, diff)
	}
	if more := len(got) - len(decoded.Violations); more < 3*few {
		t.Errorf("only %d violations are found", more)
	}
}
