package codec_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestAMergePatchChangesWhatItNames(t *testing.T) {
	t.Parallel()
	stored := func() *node {
		return &node{
			Name: "top", Next: &node{Name: "next", All: []node{{Name: "x"}}},
			All: []node{{Name: "a"}, {Name: "b"}},
			By:  map[string]*node{"k": {Name: "k", Any: 1.0}, "l": {Name: "l"}, "n": nil},
			Any: map[string]any{"a": map[string]any{"b": 1.0, "c": 2.0}, "d": []any{1.0}},
		}
	}
	for _, test := range []struct {
		name, body string
		change     func(n *node)
	}{
		{"nothing", `{}`, func(*node) {}},
		{"a member", `{"name":""}`, func(n *node) { n.Name = "" }},
		{"a null clears a pointer", `{"next":null}`, func(n *node) { n.Next = nil }},
		{"a struct behind a pointer is merged", `{"next":{"any":1}}`, func(n *node) { n.Next.Any = number("1") }},
		{"deeply", `{"next":{"next":{"name":"deep"}}}`, func(n *node) { n.Next.Next = &node{Name: "deep"} }},
		{"a list is replaced", `{"all":[{"any":1}]}`, func(n *node) { n.All = []node{{Any: number("1")}} }},
		{"a list is emptied", `{"all":[]}`, func(n *node) { n.All = []node{} }},
		{"an entry of a map is merged", `{"by":{"k":{"name":"new"}}}`, func(n *node) { n.By["k"] = &node{Name: "new", Any: 1.0} }},
		{"an entry is added", `{"by":{"m":{"name":"m"}}}`, func(n *node) { n.By["m"] = &node{Name: "m"} }},
		{"a null removes an entry", `{"by":{"k":null,"unknown":null}}`, func(n *node) { delete(n.By, "k") }},
		{"a nil entry is filled", `{"by":{"n":{"name":"n"}}}`, func(n *node) { n.By["n"] = &node{Name: "n"} }},
		{"any is merged", `{"any":{"a":{"b":null,"e":[null,{"x":null}]},"f":{"g":null}}}`, func(n *node) {
			n.Any = map[string]any{
				"a": map[string]any{"c": 2.0, "e": []any{nil, map[string]any{"x": nil}}},
				"d": []any{1.0}, "f": map[string]any{},
			}
		}},
		{"any is cleared", `{"any":null}`, func(n *node) { n.Any = nil }},
		{"any is replaced by what is no object", `{"any":[{"a":null}]}`, func(n *node) { n.Any = []any{map[string]any{"a": nil}} }},
		{"in a struct that the patch makes, nulls leave nothing", `{"next":{"next":{"by":{"a":null},"any":{"a":null}}}}`, func(n *node) {
			n.Next.Next = &node{By: map[string]*node{}, Any: map[string]any{}}
		}},
		{"in a list, nulls are values", `{"all":[{"by":{"a":null},"any":{"a":null}}]}`, func(n *node) {
			n.All = []node{{By: map[string]*node{"a": nil}, Any: map[string]any{"a": nil}}}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := codecOf[node](t)
			into, want := stored(), stored()
			test.change(want)
			wantLines(t, test.body, decode(t, c, test.body, into, merge))
			if diff := cmp.Diff(want, into); diff != "" {
				t.Errorf("%s: record (-want +got):\n%s", test.body, diff)
			}
		})
	}
}

func TestAMergePatchOntoACloneLeavesTheStoredRecordAlone(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	stored := &node{
		Next: &node{Name: "a", By: map[string]*node{"k": {Name: "k"}}}, All: []node{{Name: "x"}},
		By: map[string]*node{"k": {Name: "k", Any: map[string]any{"a": 1.0}}}, Any: map[string]any{"a": map[string]any{"b": 1.0}},
	}
	before := encode(t, c, stored)
	body := `{"next":{"name":"b","by":{"k":{"name":"z"}}},"all":[{"name":"z"}],"by":{"k":{"any":{"a":2}},"m":{}},"any":{"a":{"b":2}}}`
	decode(t, c, body, c.Clone(stored), merge)
	if after := encode(t, c, stored); after != before {
		t.Errorf("the stored record became\n%s, was\n%s", after, before)
	}
}

func TestAMergePatchKeepsFieldsOfValuesOfTypeAny(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	for name, stored := range map[string]any{
		"a map of strings": map[string]string{"city": "Bree"},
		"a struct":         place{City: "Bree"},
		"a pointer":        &place{City: "Bree"},
	} {
		into := &node{Any: stored}
		decode(t, c, `{"any":{"x":1,"zip":null}}`, into, merge)
		if diff := cmp.Diff(map[string]any{"city": "Bree", "x": number("1")}, into.Any); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, stored := range map[string]any{"a list": []int{1}, "a number": 7, "what JSON cannot say": func() {}} {
		into := &node{Any: stored}
		decode(t, c, `{"any":{"x":1}}`, into, merge)
		if diff := cmp.Diff(map[string]any{"x": number("1")}, into.Any); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// mergePatchOracle implements RFC 7396, section 2, literally.
func mergePatchOracle(target, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range members {
		if value == nil {
			delete(object, name)
		} else {
			object[name] = mergePatchOracle(object[name], value)
		}
	}
	return object
}

func TestMergeIsTheMergePatchOfTheRFC(t *testing.T) {
	t.Parallel()
	c := codecOf[node](t)
	random := rand.New(rand.NewPCG(1, 2))
	for range many(3_000) {
		body, patch := randomNode(random, 3, false), randomNode(random, 3, true)
		into := new(node)
		decode(t, c, body, into, create)
		stored := plain(t, encode(t, c, into))
		decode(t, c, patch, into, merge)
		got := withoutBlanks(plain(t, encode(t, c, into)))
		want := withoutBlanks(mergePatchOracle(stored, plain(t, patch)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\nonto %s (-want +got):\n%s", patch, body, diff)
		}
	}
}

// randomNode returns the JSON of a node, or a merge patch of one, with random fields.
func randomNode(random *rand.Rand, depth int, patch bool) string {
	text := `{"name":"` + string(rune('a'+random.IntN(26))) + `"`
	if depth == 0 {
		return text + "}"
	}
	inner := func(nullable bool) string {
		if nullable && random.IntN(4) == 0 {
			return "null"
		}
		return randomNode(random, depth-1, patch)
	}
	members := [][]string{
		{`"next":` + inner(true)},
		{`"all":[]`, `"all":[` + randomNode(random, depth-1, false) + `]`},
		{`"by":{}`, fmt.Sprintf(`"by":{"k":%s,"l":%s}`, inner(patch), inner(patch))},
		{
			fmt.Sprintf(`"any":{"a":%s,"b":{"c":%d}}`, inner(true), random.IntN(9)),
			`"any":{"b":{"c":null},"d":null}`, `"any":[1,null]`, `"any":null`,
		},
	}
	for _, forms := range members {
		if random.IntN(2) == 0 {
			text += "," + forms[random.IntN(len(forms))]
		}
	}
	return text + "}"
}

func plain(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

// withoutBlanks removes the fields that a node has even if its JSON lacks them: null, empty lists and empty
// objects.
func withoutBlanks(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if member = withoutBlanks(member); !isBlank(member) {
				kept[name] = member
			}
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, element := range value {
			kept[i] = withoutBlanks(element)
		}
		return kept
	}
	return value
}

func isBlank(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	}
	return false
}
