package describe

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// generated lists types of fields with the rules that each may have. Keywords express all of these rules in full.
var generated = []struct {
	typ   reflect.Type
	rules []string
}{
	{reflect.TypeFor[string](), []string{"", "required", "notblank", "min=2", "max=3", "alpha", "oneof=a b", "oneof=a'b it's", "omitempty,len=2", "ne=a", "startswith=a", "hexcolor|alpha"}},
	{reflect.TypeFor[*string](), []string{"", "required", "omitempty,min=2", "max=3", "required,notblank", "omitempty,eq=a"}},
	{reflect.TypeFor[int](), []string{"", "required", "gte=0", "gt=1,lt=3", "oneof=1 2", "oneof=01 2 +3", "omitempty,gte=5", "ne=0", "eq=2"}},
	{reflect.TypeFor[*int8](), []string{"", "required", "omitempty,lte=1", "oneof=1 2", "required,gte=0"}},
	{reflect.TypeFor[float64](), []string{"", "required", "gt=0.5", "lte=1", "omitempty,ne=1"}},
	{reflect.TypeFor[bool](), []string{"", "required", "eq=true"}},
	{reflect.TypeFor[[]string](), []string{"", "required", "min=1", "max=1,dive,min=2", "unique", "omitempty,min=2,dive,alpha", "dive,omitempty,min=2"}},
	{reflect.TypeFor[[]*int](), []string{"", "dive,gte=1", "dive,required", "max=2"}},
	{reflect.TypeFor[[2]int](), []string{"", "dive,gte=1", "unique"}},
	{reflect.TypeFor[map[string]int](), []string{"", "min=1", "dive,gte=1", "dive,keys,alpha,endkeys,lte=2", "dive,keys,max=1,endkeys"}},
	{reflect.TypeFor[any](), []string{"", "required"}},
}

// candidates are texts of JSON that fields of any type are sent.
var candidates = []string{
	`null`, `true`, `false`, `0`, `1`, `2`, `3`, `5`, `-1`, `0.5`, `1.0`, `200`, `""`, `"a"`, `"b"`, `"ab"`, `"abc"`, `"abcd"`, `" "`, `"1"`, `"#aabbcc"`, `"é"`,
	`[]`, `[1]`, `[1,2]`, `[0,0]`, `[1,2,3]`, `["a"]`, `["ab","cd"]`, `["ab","ab"]`, `["ab",""]`, `[null]`, `[1,null]`, `{}`, `{"a":1}`, `{"a":3,"b":1}`, `{"bb":2}`, `{"1":0}`, `{"a":"x"}`, `{"a":null}`,
}

// TestSchemasSayWhatTheServiceChecks generates structs and bodies: what the schema of a
// role allows is what decoder and rules accept.
func TestSchemasSayWhatTheServiceChecks(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	structs := 150
	if testing.Short() {
		structs = 15
	}
	for range structs {
		record := generateStruct(random, 3)
		judge := newJudge(t, record)
		judge.sendExample(t)
		for _, r := range []role{judge.creates(), judge.patches()} {
			schema := judge.schema(t, r)
			for range 40 {
				body := generateBody(random, record)
				want, why := judge.accepts(t, body, r)
				document, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				got := schema.Validate(document)
				if got == nil && !want && r.patches && sendsMap(document) {
					continue // its rules hold for the result, as its format says
				}
				if (got == nil) != want {
					t.Errorf("%v in the role %s of %s: accepted is %v (%s), but the schema says %v", body, r.suffix(), describeFields(record), want, why, got)
				}
			}
		}
	}
}

// sendExample holds the example of a body, where there is one, to what the service takes.
func (j *judge) sendExample(t *testing.T) {
	t.Helper()
	d := j.schemas(t).structure(j.record, j.creates(), "Generated")
	example, ok := d.example(nil)
	object, _ := example.(map[string]any)
	if !ok || !d.follow(object, j.codec, j.checker) {
		return
	}
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if accepted, why := j.accepts(t, string(body), j.creates()); !accepted {
		t.Errorf("the example %s of %s is refused: %s", body, describeFields(j.record.Go), why)
	}
}

func generateStruct(random *rand.Rand, fields int) reflect.Type {
	list := []reflect.StructField{{Name: "ID", Type: reflect.TypeFor[int64](), Tag: `json:"id"`}}
	for i := range fields {
		kind := generated[random.IntN(len(generated))]
		rule := kind.rules[random.IntN(len(kind.rules))]
		name := string(rune('A' + i))
		list = append(list, reflect.StructField{
			Name: name, Type: kind.typ, Tag: reflect.StructTag(fmt.Sprintf(`json:%q validate:%q`, strings.ToLower(name), rule)),
		})
	}
	return reflect.StructOf(list)
}

func generateBody(random *rand.Rand, record reflect.Type) string {
	members := []string{}
	for i := 1; i < record.NumField(); i++ {
		if random.IntN(5) > 0 {
			name, _, _ := strings.Cut(record.Field(i).Tag.Get("json"), ",")
			members = append(members, fmt.Sprintf("%q:%s", name, candidates[random.IntN(len(candidates))]))
		}
	}
	if random.IntN(10) == 0 {
		members = append(members, `"id":"ignored"`)
	}
	if random.IntN(20) == 0 {
		members = append(members, `"unknown":1`)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// judge is what the service makes of bodies.
type judge struct {
	record  *model.Struct
	codec   *codec.Codec
	checker *check.Checker
	rules   *check.Compiler
}

func newJudge(t *testing.T, record reflect.Type) *judge {
	t.Helper()
	rules, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := tryJudge(record, rules)
	if err != nil {
		t.Fatalf("%s: %v", describeFields(record), err)
	}
	return j
}

// tryJudge returns the error of New for a rule that is not allowed in that place.
func tryJudge(record reflect.Type, rules *check.Compiler) (*judge, error) {
	of, err := model.Compile(record)
	if err != nil {
		return nil, err
	}
	j := &judge{record: of, rules: rules}
	if j.codec, err = codec.Compile(&model.Type{Go: record, Kind: model.Object, Struct: of}); err != nil {
		return nil, err
	}
	j.checker, err = rules.Compile(of, j.codec)
	return j, err
}

func (j *judge) creates() role { return roleOf(j.checker.Views().View(model.Create)) }

func (j *judge) patches() role { return roleOf(j.checker.Views().View(model.Merge)) }

// accepts reports whether the service accepts a body, and why not. For a merge patch it checks only the fields of the
// patch, because the record was checked before.
func (j *judge) accepts(t *testing.T, body string, r role) (accepted bool, why string) {
	t.Helper()
	target := j.codec.New()
	decoded, err := j.codec.Decoder(r.view).Decode([]byte(body), target)
	if err != nil {
		t.Fatal(err)
	}
	found, err := j.checker.Check(t.Context(), target, decoded)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]jsontext.Value{}
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Fatal(err)
	}
	for _, v := range found.Violations {
		name := v.Field
		if end := strings.IndexAny(name, "[."); end > 0 {
			name = name[:end]
		}
		if _, isSent := sent[name]; isSent || !r.patches {
			return false, v.Error()
		}
	}
	return true, ""
}

// schema compiles the schema that the document has for the struct in a role.
func (j *judge) schema(t *testing.T, r role) *jsonschema.Schema {
	t.Helper()
	schema, _ := j.describe(t, r)
	return schema
}

// schemas begins the schemas of a document.
func (j *judge) schemas(t *testing.T) *Schemas {
	t.Helper()
	s, err := New(&compiled.API{}, false)
	if err != nil {
		t.Fatal(err)
	}
	s.rules = j.rules
	return s
}

// describe returns the schema that the document has for the struct in a role, compiled and
// as JSON with those that it refers to.
func (j *judge) describe(t *testing.T, r role) (*jsonschema.Schema, string) {
	t.Helper()
	s := j.schemas(t)
	d := s.structure(j.record, r, "Generated")
	if _, err := s.Name(); err != nil {
		t.Fatal(err)
	}
	text := d.Ref(schema.Schema{}).SelfContained()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return schema.Compile(pattern) })
	compiler.AssertFormat()
	const place = "https://example.com/schema.json"
	if err := compiler.AddResource(place, document); err != nil {
		t.Fatal(err)
	}
	made, err := compiler.Compile(place)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return made, string(text)
}

func sendsMap(document any) bool {
	for _, member := range document.(map[string]any) {
		if _, ok := member.(map[string]any); ok {
			return true
		}
	}
	return false
}

func describeFields(record reflect.Type) string {
	var fields []string
	for i := 1; i < record.NumField(); i++ {
		f := record.Field(i)
		fields = append(fields, fmt.Sprintf("%s %s validate:%q", f.Name, f.Type, f.Tag.Get("validate")))
	}
	return strings.Join(fields, "; ")
}

func TestAViewByHandHasASchemaOfItsOwn(t *testing.T) {
	t.Parallel()
	type gem struct {
		ID     int64  `json:"id"`
		Name   string `json:"name" validate:"max=9"`
		Weight int    `json:"weight" validate:"gte=1"`
		Secret string `json:"secret"`
	}
	j := newJudge(t, reflect.TypeFor[gem]())
	card := &model.View{Struct: j.record, Name: "Card", Request: true, Fields: []model.ViewField{
		{Field: j.record.Field("name"), Readable: true, Writable: true, Required: true},
		{Field: j.record.Field("weight"), Readable: true},
	}}
	schema, text := j.describe(t, roleOf(card))
	if !strings.Contains(text, `"GemCard":`) {
		t.Errorf("its name is not that of the view: %s", text)
	}
	for body, want := range map[string]bool{
		`{"name":"ruby"}`: true, `{"name":"ruby","weight":0}`: true, // weight is not writable here, and is ignored
		`{}`: false, `{"name":"as long as that"}`: false, `{"name":"ruby","secret":"x"}`: false, `{"name":"ruby","id":1}`: false,
	} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); (err == nil) != want {
			t.Errorf("the schema says %v of %s, want %v", err, body, want)
		}
	}
}
