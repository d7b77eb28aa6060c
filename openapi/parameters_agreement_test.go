package openapi_test

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// problemOf is the error for invalid parameters.
type problemOf struct {
	Parameters []struct {
		Name    string `json:"name"`
		In      string `json:"in"`
		Message string `json:"message"`
	} `json:"parameters"`
}

// namedIn returns the parameters that a problem names: "query name".
func namedIn(t *testing.T, body string) []string {
	t.Helper()
	var told problemOf
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	var list []string
	for _, p := range told.Parameters {
		if !strings.HasPrefix(p.Message, p.Name+" ") && !strings.HasPrefix(p.Message, p.Name+"[") {
			t.Errorf("the message %q does not begin with %s", p.Message, p.Name)
		}
		list = append(list, p.In+" "+p.Name)
	}
	return list
}

// divide asks the service for each word as the parameter's value, and returns those that
// are taken and those that are not.
func divide(t *testing.T, api http.Handler, p *parameter) (taken, wrong []string) {
	t.Helper()
	for _, word := range append(slices.Clone(words), p.cursor) {
		switch status, body, _ := ask(t, api, given{p: {word}}); {
		case p.in == "header" && word != strings.TrimSpace(word): // HTTP cuts the spaces off
		case status == http.StatusOK:
			taken = append(taken, word)
		case status == http.StatusBadRequest:
			wrong = append(wrong, word)
			if got := namedIn(t, body); !slices.Equal(got, []string{p.in + " " + p.name}) {
				t.Errorf("%s=%s is rejected with the parameters %v: %s", p.name, word, got, body)
			}
		default:
			t.Errorf("%s=%s is answered %d: %s", p.name, word, status, body)
		}
	}
	return taken, wrong
}

// TestEveryParameterFollowsTheDocument sends each string as each parameter. The service must accept what the document
// calls valid, and reject the rest with the parameter's name.
func TestEveryParameterFollowsTheDocument(t *testing.T) {
	t.Parallel()
	api := relics(t)
	list := parametersOf(t, api)
	if len(list) < 65 {
		t.Fatalf("the document has %d parameters", len(list))
	}
	texts := []string{"motto", "names", "name[gt]", "name[gte]", "name[lt]", "name[lte]"} // they take any
	for _, p := range sampled(4, list) {
		taken, wrong := divide(t, api, p)
		for _, word := range taken {
			if err := p.judge(word); err != nil {
				t.Errorf("%s=%s is taken, but the document has it that %v", p.name, word, err)
			}
		}
		for _, word := range wrong {
			if p.judge(word) == nil {
				t.Errorf("%s=%s is valid in the document, but rejected", p.name, word)
			}
		}
		if len(taken) == 0 || len(wrong) == 0 && !slices.Contains(texts, p.name) {
			t.Errorf("%s takes %d words of %d", p.name, len(taken), len(words))
		}
	}
}

// TestParametersThatAreValidAloneAreValidTogether asks with every two, and with many at
// once.
func TestParametersThatAreValidAloneAreValidTogether(t *testing.T) {
	t.Parallel()
	api := relics(t)
	list := sampled(4, parametersOf(t, api))
	taken, wrong := map[*parameter][]string{}, map[*parameter][]string{}
	for _, p := range list {
		taken[p], wrong[p] = divide(t, api, p)
	}
	random := rand.New(rand.NewPCG(3, 4))
	choose := func(of []string) []string { return []string{of[random.IntN(len(of))]} }
	for i, a := range list {
		for _, b := range list[:i] {
			both := given{a: choose(taken[a]), b: choose(taken[b])}
			if status, body, _ := ask(t, api, both); status != http.StatusOK {
				t.Errorf("%s are rejected together: %s", both, body)
			}
		}
	}
	for range 200 {
		many, bad := given{}, list[random.IntN(len(list))]
		for _, p := range list {
			if random.IntN(3) == 0 {
				many[p] = choose(taken[p])
			}
		}
		if status, body, _ := ask(t, api, many); status != http.StatusOK {
			t.Errorf("%s are rejected together: %s", many, body)
		}
		if len(wrong[bad]) == 0 {
			continue
		}
		many[bad] = choose(wrong[bad])
		status, body, _ := ask(t, api, many)
		if got := namedIn(t, body); status != http.StatusBadRequest || !slices.Equal(got, []string{bad.in + " " + bad.name}) {
			t.Errorf("%s are rejected with the parameters %v, want %s: %s", many, got, bad.name, body)
		}
	}
}

// TestParametersAreGivenAsOftenAsTheDocumentSays asks with values given several times.
func TestParametersAreGivenAsOftenAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	api := relics(t)
	for _, p := range sampled(4, parametersOf(t, api)) {
		if p.in == "header" {
			continue // several fields are one list
		}
		taken, _ := divide(t, api, p)
		slices.SortStableFunc(taken, func(a, b string) int { return len(b) - len(a) }) // the length of a URL is limited
		for _, often := range []int{2, 3, 100, 101} {
			texts := slices.Repeat(taken[len(taken)-1:], often)
			status, body, _ := ask(t, api, given{p: texts})
			judged := p.many && p.judge(texts...) == nil
			if judged != (status == http.StatusOK) {
				t.Errorf("%s given %d times is valid by the document: %t, and answered %d: %s", p.name, often, judged, status, body)
			}
			if status == http.StatusBadRequest && !slices.Contains(namedIn(t, body), "query "+p.name) {
				t.Errorf("%s given %d times is refused without its name: %s", p.name, often, body)
			}
		}
	}
}

func TestExamplesOfParametersWork(t *testing.T) {
	t.Parallel()
	api := relics(t)
	for _, p := range parametersOf(t, api) {
		if len(p.examples) == 0 {
			t.Errorf("%s has no example", p.name)
		}
		for _, example := range p.examples {
			texts := written(t, example)
			if p.list {
				texts = []string{strings.Join(texts, ",")}
			}
			if err := p.judge(texts...); err != nil {
				t.Errorf("the example %v of %s is not valid: %v", example, p.name, err)
			}
			if status, body, _ := ask(t, api, given{p: texts}); status != http.StatusOK {
				t.Errorf("the example %v of %s is refused: %s", example, p.name, body)
			}
		}
	}
}

// written writes an example as a parameter has it.
func written(t *testing.T, example any) []string {
	t.Helper()
	switch example := example.(type) {
	case string:
		return []string{example}
	case []any:
		var all []string
		for _, each := range example {
			all = append(all, written(t, each)...)
		}
		return all
	}
	text, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	return []string{string(text)}
}

// TestResponsesToRandomRequestsAreAsDocumented checks the body and header of responses to random requests.
func TestResponsesToRandomRequestsAreAsDocumented(t *testing.T) {
	t.Parallel()
	api := relics(t)
	list := parametersOf(t, api)
	document := documentOf(t, api)
	body := document.schemaAt(t, pointer("paths", relicsPath, "get", "responses", "200", "content", "application/json", "schema"))
	headers := document.at(t, "paths", relicsPath, "get", "responses", "200", "headers").(map[string]any)
	random := rand.New(rand.NewPCG(5, 6))
	full := 0
	for range 300 {
		some := given{}
		for range 1 + random.IntN(3) {
			p := list[random.IntN(len(list))]
			if taken := written(t, p.examples[0]); !p.many {
				some[p] = []string{strings.Join(taken, ",")}
			}
		}
		_, text, header := ask(t, api, some)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := body.Validate(value); err != nil {
			t.Errorf("%s is answered %s: %v", some, text, err)
		}
		if list, ok := value.([]any); ok && len(list) > 0 {
			full++
		}
		for _, name := range []string{"Link", "X-Total-Count"} {
			if header.Get(name) != "" && headers[name] == nil {
				t.Errorf("%s is sent, and not in the document", name)
			}
		}
		if total := header.Get("X-Total-Count"); total != "" {
			if n, err := strconv.Atoi(total); err != nil || n < 0 {
				t.Errorf("the total is %q", total)
			}
		}
	}
	if full < 50 {
		t.Errorf("%d answers have records", full)
	}
}

// TestUnknownParametersAreRejectedWithTheDocumentedOnes compares the allowed parameters that an error lists.
func TestUnknownParametersAreRejectedWithTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	api := relics(t)
	list := slices.DeleteFunc(parametersOf(t, api), func(p *parameter) bool { return p.in == "header" })
	var told struct {
		Allowed []string `json:"allowed"`
	}
	w := get(t, api, relicsPath+"?colour=red")
	if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || w.Code != http.StatusBadRequest {
		t.Fatalf("%d %s (%v)", w.Code, w.Body, err)
	}
	var documented []string
	for _, p := range list {
		documented = append(documented, p.name)
	}
	if diff := cmp.Diff(documented, told.Allowed); diff != "" {
		t.Errorf("the service allows others than the document has, or in another order (-document +service):\n%s", diff)
	}
}
