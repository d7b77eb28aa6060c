package openapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-playground/validator/v10"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// marked returns all texts in a language that consists of the keys: «key {placeholder}…».
func marked() map[string]string {
	texts := map[string]string{}
	for _, text := range openapi.Texts() {
		template := "«" + text.Key
		for _, name := range text.Placeholders {
			template += " {" + name + "}"
		}
		texts[text.Key] = template + "»."
	}
	return texts
}

// Packet has a field for each kind of sentence.
type Packet struct {
	ID     int64             `json:"id"`
	Code   string            `json:"code" validate:"required,ulid" api:"unique,createonly"`
	Labels map[string]string `json:"labels" validate:"max=3"`
	Low    int64             `json:"low" validate:"lte=9223372036854775806"`
	High   int64             `json:"high" validate:"gtfield=Low,required_if=Low 3"`
	Raw    []byte            `json:"raw" validate:"max=9"`
	Born   time.Time         `json:"born" validate:"lt"`
	Plain  string            `json:"plain" validate:"plain"`
	Nested *struct {
		Name string `json:"name" validate:"required"`
	} `json:"nested"`
}

func TestADocumentInAnotherLanguageHasNoEnglish(t *testing.T) {
	t.Parallel()
	all := configurations()
	all["packets"] = configuration{
		config:       resource.Config{Rules: []validation.Rule{{Name: "plain", Check: func(validator.FieldLevel) bool { return true }}}},
		declarations: []resource.Declaration{resource.Of[Packet]{Operations: []operation.Operation{operation.Post{}, operation.Patch{}, operation.Put{}}}},
	}
	// The users' own texts, and names of their operations and parameters.
	own := strings.Split("What it is called|Default: the billing address|A rare and valuable treasure|All of them|All plunder|Bump|Cave|Code|Count|"+
		"Discount|For machines|Forget|How many wishes|Ids|Look|Mine|Names|Newest|Newest first|Polish|Ratio|Since|Survey|Treasures|Unit|Wanted|"+
		"Whole|X agent|X marks", "|")
	for name, c := range all {
		for _, version := range []string{"3.1", "3.0"} {
			config := c.document
			config.Texts, config.EveryStatus, config.OpenAPI, config.Customize = marked(), true, version, nil
			doc, err := openapi.Document(newAPI(t, c), config)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range textsOf(t, doc) {
				rest := unmarked(text)
				if rest != "" && !slices.Contains(own, rest) || rest == "" && strings.Contains(text, " and ") {
					t.Errorf("%s, version %s: %q is not from the table", name, version, text)
				}
			}
		}
	}
}

// unmarked returns what is left of a text without its marked parts.
func unmarked(text string) string {
	var rest strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '«':
			depth++
		case r == '»':
			depth--
		case depth == 0:
			rest.WriteRune(r)
		}
	}
	return strings.Trim(rest.String(), " .\n")
}

// textsOf returns the values of all summaries and descriptions in a document.
func textsOf(t *testing.T, document interface{ MarshalJSON() ([]byte, error) }) (texts []string) {
	t.Helper()
	var visit func(value any, isName bool)
	visit = func(value any, isName bool) {
		switch value := value.(type) {
		case []any:
			for _, each := range value {
				visit(each, false)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				text, isText := value[name].(string)
				switch {
				case isName:
					visit(value[name], false)
				case isText && (name == "description" || name == "summary"):
					texts = append(texts, text)
				case name == "example" || name == "examples" || name == "default" || name == "const" || name == "enum":
				default:
					visit(value[name], name == "properties" || name == "responses" || name == "schemas")
				}
			}
		}
	}
	text, err := document.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	visit(decoded, false)
	return texts
}

func TestTextsAreReplacedByTheirKeys(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{Access: access.Rules{Read: access.Public}, Operations: only(operation.Get{})}}})
	doc, err := openapi.Document(api, openapi.Config{Texts: map[string]string{
		"operation.get.description": "Liefert {an}: {one}, {many}, {name} {}.", "operation.access": "", "resource.Category.an": "eine Kategorie",
	}})
	if err != nil {
		t.Fatal(err)
	}
	get := doc.Paths.Value("/api/categories/{id}").Get
	if diff := cmp.Diff([]string{"Get eine Kategorie", "Liefert eine Kategorie: category, categories, Category {}."}, []string{get.Summary, get.Description}); diff != "" {
		t.Errorf("the texts differ (-want +got):\n%s", diff)
	}
}

func TestMistakesInTextsAreErrorsOfMount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ key, template, want string }{
		"a key":          {"operation.creat.summary", "x", `openapi: config: Texts: unknown key "operation.creat.summary"; did you mean "operation.create.summary"?`},
		"a resource":     {"resource.Categry.one", "x", `openapi: config: Texts: unknown key "resource.Categry.one"; did you mean "resource.Category.one"?`},
		"a placeholder":  {"operation.create.summary", "Add {am}", `openapi: config: Texts: operation.create.summary has no placeholder {am}; allowed: {one}, {an}, {many}, {name}; did you mean "an"?`},
		"no placeholder": {"response.notFound", "No {one}", "openapi: config: Texts: response.notFound has no placeholder {one}; allowed: none"},
		"nothing":        {"response.notFound", "", "openapi: config: Texts: response.notFound must not be empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{}}})
			if err := openapi.Mount(api, openapi.Config{Texts: map[string]string{test.key: test.template}}); err == nil || err.Error() != test.want {
				t.Errorf("Mount = %v, want %s", err, test.want)
			}
		})
	}
}
