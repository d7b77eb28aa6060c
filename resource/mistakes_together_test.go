package resource_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// draft is an API to put mistakes into: a resource A, which refers to B.
type draft struct {
	config     resource.Config
	a, b       []reflect.StructField
	ofA        resource.Of[struct{}]
	operations []operation.Operation
}

func field[T any](name, tag string) reflect.StructField {
	tag = fmt.Sprintf(`json:%q `, strings.ToLower(name)) + tag
	return reflect.StructField{Name: name, Type: reflect.TypeFor[T](), Tag: reflect.StructTag(tag)}
}

// mistakesOfFields are fields with one mistake each. Those of several fields have it in the last.
func mistakesOfFields() map[string][]reflect.StructField {
	return map[string][]reflect.StructField{
		"an unknown word":                 {field[string]("Aa", `api:"fitler"`)},
		"an unknown filter":               {field[string]("Ab", `api:"filter=parital"`)},
		"sort of a list":                  {field[[]int]("Ac", `api:"sort"`)},
		"expand without ref":              {field[int64]("Ad", `api:"expand"`)},
		"an unknown resource":             {field[int64]("Ae", `api:"ref=Nowhere"`)},
		"a key of another type":           {field[string]("Af", `api:"ref=B"`)},
		"through an unknown field":        {field[int64]("Ag", `api:"ref=B,filter,through=nmae"`)},
		"a type that cannot be encoded":   {field[chan int]("Ah", ``)},
		"an unknown rule":                 {field[string]("Ai", `validate:"notblak"`)},
		"a rule of another type":          {field[int]("Aj", `validate:"email"`)},
		"a parameter of another type":     {field[int]("Ak", `validate:"max=abc"`)},
		"a rule about an unknown field":   {field[int]("Al", `validate:"gtefield=Nowhere"`)},
		"an order of strings":             {field[string]("Am", ``), field[string]("An", `validate:"gtefield=Am"`)},
		"a default of another type":       {field[int]("Ao", `default:"many"`)},
		"a default that breaks its rule":  {field[int]("Ap", `default:"1" validate:"gte=5"`)},
		"an example of another type":      {field[int]("Aq", `example:"many"`)},
		"an example that breaks its rule": {field[string]("Ar", `example:"x" validate:"min=2"`)},
		"a message for no rule":           {field[string]("As", `validate:"max=5" message:"mx: no"`)},
		"a message without a rule":        {field[string]("At", `message:"no"`)},
		"two fields of one name":          {field[int]("Au", ``), {Name: "Av", Type: reflect.TypeFor[int](), Tag: `json:"au"`}},
		"an unknown option":               {{Name: "Aw", Type: reflect.TypeFor[int](), Tag: `json:"aw,omitemtpy"`}},
		"two words that exclude another":  {field[string]("Ax", `api:"readonly,writeonly"`)},
		"a wrong default within": {field[struct {
			In int `json:"in" default:"1" validate:"gte=5"`
		}]("Ay", ``)},
		"a wrong rule within": {field[[]struct {
			In string `json:"in" validate:"notblak"`
		}]("Az", ``)},
	}
}

// mistakesOfOperations are operations with one mistake each.
func mistakesOfOperations() map[string]operation.Operation {
	return map[string]operation.Operation{
		"a template without a slash":      operation.Get{Name: "oa", URITemplate: "oa/{id}"},
		"a template without identifier":   operation.Get{Name: "ob", URITemplate: "/ob"},
		"a variable of another name":      operation.Get{Name: "oc", URITemplate: "/oc/{aId}"},
		"an unknown variable":             operation.GetCollection{Name: "od", URITemplate: "/od/{x}"},
		"a status of failure":             operation.Post{Name: "oe", URITemplate: "/oe", Status: 404},
		"a cache of nothing":              operation.Get{Name: "of", URITemplate: "/of/{id}", CacheControl: "no-store\r\n"},
		"a name with a space":             operation.Get{Name: "o g", URITemplate: "/og/{id}"},
		"an unknown field in a view":      operation.Get{Name: "oi", URITemplate: "/oi/{id}", View: &operation.View{Name: "Card", Fields: []string{"nmae"}}},
		"an order by an unknown field":    operation.GetCollection{Name: "oj", URITemplate: "/oj", Order: []string{"nmae"}},
		"a generated identifier and Put":  operation.Put{Name: "ok", URITemplate: "/ok/{id}", AllowCreate: true},
		"a rule about an unknown field":   operation.Get{Name: "ol", URITemplate: "/ol/{id}", Access: access.Where("nmae", "x")},
		"a page of too many":              operation.GetCollection{Name: "om", URITemplate: "/om", Pagination: operation.Pagination{ItemsPerPage: -1}},
		"a template and two of a mistake": operation.Delete{Name: "on", URITemplate: "/on/{id}/{id}"},
		"an expansion of nothing":         operation.Get{Name: "oo", URITemplate: "/oo/{id}", Expand: []string{"nmae"}},
	}
}

// others are mistakes of the resource, of the other resource and of the config.
func others() map[string]func(d *draft) {
	return map[string]func(d *draft){
		"a path without a slash":     func(d *draft) { d.ofA.Path = "things" },
		"an unknown shape":           func(d *draft) { d.ofA.Errors = 7 },
		"an unknown inverse":         func(d *draft) { d.ofA.Inverse = map[string]string{"bs": "B.nowhere"} },
		"a timeout that is long ago": func(d *draft) { d.ofA.Deprecated, d.ofA.Sunset = time.Unix(1e9, 0), time.Unix(1, 0) },
		"a prefix without a slash":   func(d *draft) { d.config.Prefix = "api/" },
		"a negative limit":           func(d *draft) { d.config.MaxBodyBytes = -1 },
		"a rule of a known name":     func(d *draft) { d.config.IgnoreParameters = []string{"["} },
		"a rule over no struct": func(d *draft) {
			d.config.Rules = []validation.Rule{validation.Struct(func(context.Context, *key) error { return nil })}
		},
		"an unknown word in the other resource": func(d *draft) { d.b = append(d.b, field[string]("Ba", `api:"fitler"`)) },
		"a wrong filter in the other resource":  func(d *draft) { d.b[1].Tag = `json:"name" api:"fitler"` },
		"a wrong default in the other resource": func(d *draft) { d.b = append(d.b, field[int]("Bc", `default:"1" validate:"gte=5"`)) },
	}
}

// mistakes are all of them, by name.
func mistakes() map[string]func(d *draft) {
	all := map[string]func(d *draft){}
	for name, fields := range mistakesOfFields() {
		all["field: "+name] = func(d *draft) { d.a = append(d.a, fields...) }
	}
	for name, o := range mistakesOfOperations() {
		all["operation: "+name] = func(d *draft) { d.operations = append(d.operations, o) }
	}
	maps.Copy(all, others())
	return all
}

// varying are the parts of errors that depend on the other fields and operations: numbers, and what is allowed.
var varying = regexp.MustCompile(`operation \d+ |; allowed: .*|; did you mean .*|; add one to the field|, which struct \{.*`)

// linesOf returns the lines of the error of an API with some mistakes, without the parts that vary.
func linesOf(t *testing.T, names ...string) []string {
	t.Helper()
	d := draft{
		a: []reflect.StructField{field[int64]("ID", `api:"id"`), field[string]("Name", ``), field[int64]("Whole", `api:"ref=B,filter,through=name"`)},
		b: []reflect.StructField{field[int64]("ID", `api:"id"`), field[string]("Name", `api:"filter"`)},
	}
	d.operations = operation.Standard()
	all := mistakes()
	for _, name := range names {
		all[name](&d)
	}
	// Fields sort by name, so that errors sort alike regardless of the order of mistakes.
	slices.SortStableFunc(d.a[3:], func(x, y reflect.StructField) int { return strings.Compare(x.Name, y.Name) })
	d.ofA.ShortName, d.ofA.Operations = "A", d.operations
	if slices.ContainsFunc(names, func(name string) bool {
		return strings.HasSuffix(name, "rule about an unknown field") && strings.HasPrefix(name, "operation")
	}) {
		d.ofA.Access = access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	}
	ofB := resource.Of[struct{}]{ShortName: "B", Access: d.ofA.Access}
	_, err := resource.New(d.config, resource.Reflected{Type: reflect.StructOf(d.a), Of: d.ofA}, resource.Reflected{Type: reflect.StructOf(d.b), Of: ofB})
	if err == nil {
		return nil
	}
	lines := strings.Split(varying.ReplaceAllString(err.Error(), ""), "\n")
	if strings.HasSuffix(lines[0], " errors in resource declarations:") {
		lines = lines[1:]
	}
	return lines
}

func TestOneMistakeIsOneLine(t *testing.T) {
	t.Parallel()
	if lines := linesOf(t); lines != nil {
		t.Fatalf("without a mistake, New returns %q", lines)
	}
	for name := range mistakes() {
		if lines := linesOf(t, name); len(lines) != 1 {
			t.Errorf("%s: New returns %d lines: %s", name, len(lines), strings.Join(lines, "\n"))
		}
	}
}

func TestMistakesNeitherHideNorCauseOthers(t *testing.T) {
	t.Parallel()
	alone, names := map[string][]string{}, slices.Sorted(maps.Keys(mistakes()))
	for _, name := range names {
		alone[name] = linesOf(t, name)
	}
	check := func(some []string) {
		var want []string
		for _, name := range some {
			want = append(want, alone[name]...)
		}
		got := linesOf(t, some...)
		for _, line := range want {
			if !slices.Contains(got, line) {
				t.Errorf("New does not return %s\nwith %s", line, strings.Join(some, "; "))
			}
		}
		for _, line := range got {
			if !slices.Contains(want, line) {
				t.Errorf("New returns %s\nwith %s", line, strings.Join(some, "; "))
			}
		}
	}
	check(names)
	tries := 400
	if testing.Short() {
		tries = 50
	}
	random := rand.New(rand.NewPCG(2, 3))
	for range tries {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		if check(slices.Clone(names[:2+random.IntN(4)])); t.Failed() {
			return
		}
	}
}

type tome struct {
	ID    int64  `json:"id"`
	Owner int64  `json:"owner"`
	Note  string `json:"note"`
}

func TestAMistakeInARuleIsOneLineWhateverUsesTheRule(t *testing.T) {
	t.Parallel()
	wrong, fine := access.Where("ownr", int64(1)), access.Public
	other := access.Where("nte", "x")
	for rule, test := range map[string]struct {
		rules access.Rules
		want  []string
	}{
		"for everything": {access.Only(wrong), []string{"tome: Access.Read, Access.Create, Access.Update, Access.Delete: "}},
		"for two verbs":  {access.Rules{Read: fine, Create: fine, Update: wrong, Delete: wrong}, []string{"tome: Access.Update, Access.Delete: "}},
		"for one verb":   {access.Rules{Read: wrong, Create: fine, Update: fine, Delete: fine}, []string{"tome: Access.Read: "}},
		"for fields too": {
			access.Rules{Read: fine, Create: fine, Update: wrong, Delete: fine, Fields: map[string]access.Field{"note": {Read: wrong, Write: wrong}}},
			[]string{"tome: Access.Fields[note]: Read, Access.Fields[note]: Write, Access.Update: "},
		},
		"two mistakes": {
			access.Rules{Read: wrong, Create: other, Update: other, Delete: wrong},
			[]string{"tome: Access.Read, Access.Delete: ", "tome: Access.Create, Access.Update: "},
		},
	} {
		_, err := resource.New(resource.Config{}, resource.Of[tome]{ShortName: "tome", Access: test.rules, Operations: append(operation.Standard(),
			operation.GetCollection{Name: "more", URITemplate: "/more"}, operation.Delete{Name: "less", URITemplate: "/less/{id}"})})
		if err == nil {
			t.Fatalf("%s: New returns no error", rule)
		}
		var lines []string
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !strings.HasSuffix(line, "errors in resource declarations:") {
				lines = append(lines, line)
			}
		}
		if len(lines) != len(test.want) {
			t.Errorf("%s: New returns %d lines, want %d: %s", rule, len(lines), len(test.want), err)
		}
		for _, want := range test.want {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) }) {
				t.Errorf("%s: New returns %s, want a line that begins with %s", rule, err, want)
			}
		}
	}
}
