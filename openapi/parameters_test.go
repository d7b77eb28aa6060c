package openapi_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Relic is a resource whose collection has every sort of parameter.
type Relic struct {
	ID    int64      `json:"id"`
	Name  string     `json:"name" api:"filter=partial,sort,search" example:"Golden goblet"`
	Motto *string    `json:"motto" api:"filter=iexact|exists,sort"`
	Start string     `json:"start" api:"filter=start"`
	End   string     `json:"end" api:"filter=end"`
	Word  string     `json:"word" api:"filter=word_start"`
	Metal string     `json:"metal" validate:"oneof=gold silver 'white gold'" api:"filter"`
	Stars int        `json:"stars" validate:"oneof=1 2 3" api:"filter"`
	Small int8       `json:"small" api:"filter=exact|range,sort"`
	Size  uint16     `json:"size" api:"filter=range"`
	Large int64      `json:"large" api:"filter=exact|range"`
	Score *float64   `json:"score" api:"filter=exact|range|exists,sort"`
	Open  bool       `json:"open" api:"filter,sort"`
	At    time.Time  `json:"at" api:"filter=exact|range,sort"`
	Key   uuid.UUID  `json:"key" api:"filter"`
	Ref   *uuid.UUID `json:"ref" api:"filter=exact|exists"`
	Lair  struct {
		Depth *int `json:"depth" api:"filter=exact|range|exists,sort"`
	} `json:"lair"`
}

// Wishes are parameters of the operation's own.
type Wishes struct {
	Limit  int       `json:"limit" validate:"gte=1,lte=9" default:"3" doc:"How many wishes."`
	Ratio  *float64  `json:"ratio" validate:"omitempty,gt=0"`
	Unit   string    `json:"unit" validate:"omitempty,oneof=metric imperial"`
	Code   string    `json:"code" validate:"omitempty,len=2"`
	Since  time.Time `json:"since"`
	IDs    []int16   `json:"ids" validate:"max=2"`
	Wanted bool      `json:"wanted"`
	Agent  string    `json:"X-Agent" api:"header" validate:"max=3"`
	Marks  []string  `json:"X-Marks" api:"header" validate:"dive,min=2"`
}

func relics(t *testing.T) *resource.API {
	t.Helper()
	return mounted(t, resource.Of[Relic]{Operations: []operation.Operation{
		operation.GetCollection{
			SparseFields: true, Parameters: operation.Parameters[Wishes]{},
			Pagination: operation.Pagination{ClientEnabled: new(true), ClientPartial: new(true), MaxPage: 50},
		},
		operation.Post{},
	}})
}

// words are texts that some parameters take and others refuse.
var words = []string{
	"", " ", "a", "1", "-1", "0", "2", "9", "10", "1.0", "1e1", "1.5", "0.5", "-129", "127", "128", "65535", "65536", "9223372036854775807", "+1", "01", "0x1", "NaN",
	"true", "false", "TRUE", "null", "asc", "desc", "ASC", "name", "-name", "name,score", "-score,name,open", "name,", "id,name", "lair.depth", "lair",
	"2024-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2024-02-29T10:00:00.123456789+02:00", "2024-02-29", "2024-02-29 10:00:00Z",
	"01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d", "gold", "white gold", "Gold", "metric", "ab", "abc", "abcd", "1..2", "a..b", "2024-01-01T00:00:00Z..2025-01-01T00:00:00Z", "1..", "..", "50", "51", "100", "101",
	"é", "日本", "%", "a,b", "ab,cd", "[]", "{}", `"a"`, "'", strings.Repeat("x", 200), strings.Repeat("x", 201), strings.Repeat("é", 200),
}

// parameter is a parameter as the document has it.
type parameter struct {
	name, in, kind string
	many, list     bool // a list, in several parameters or in one
	schema         *jsonschema.Schema
	exact          bool
}

// parametersOf reads the parameters of an operation.
func parametersOf(t *testing.T, document tree, path, method string) []parameter {
	t.Helper()
	var list []parameter
	for i, each := range document.at(t, "paths", path, method, "parameters").([]any) {
		object := each.(map[string]any)
		schema := object["schema"].(map[string]any)
		p := parameter{name: object["name"].(string), in: object["in"].(string), exact: isExact(schema)}
		if object["description"] == "" || object["description"] == nil {
			t.Errorf("%s has no description", p.name)
		}
		p.kind, _ = schema["type"].(string)
		if p.kind == "array" {
			explode, given := object["explode"].(bool)
			p.list = p.in == "header" || given && !explode
			p.many = !p.list
			p.kind, _ = schema["items"].(map[string]any)["type"].(string)
		}
		p.schema = document.schemaAt(t, pointer("paths", path, method, "parameters", strconv.Itoa(i), "schema"))
		list = append(list, p)
	}
	return list
}

// value returns what a text stands for, as the schema judges it.
func (p parameter) value(text string) any {
	switch {
	case p.list:
		var all []any
		for each := range strings.SplitSeq(text, ",") {
			all = append(all, p.scalar(each))
		}
		return all
	case p.many:
		return []any{p.scalar(text)}
	}
	return p.scalar(text)
}

func (p parameter) scalar(text string) any {
	if p.kind == "string" {
		return text
	}
	if value, err := jsonschema.UnmarshalJSON(strings.NewReader(text)); err == nil && text == strings.TrimSpace(text) && !strings.HasPrefix(text, `"`) {
		return value
	}
	return text
}

// ask sends a request with the parameters as they are given: name, value, name, value.
func ask(t *testing.T, api http.Handler, given ...any) (int, string) {
	t.Helper()
	query, header := url.Values{}, []string{}
	for i := 0; i < len(given); i += 2 {
		p, text := given[i].(parameter), given[i+1].(string)
		if p.in == "header" {
			header = append(header, p.name, text)
		} else {
			query.Add(p.name, text)
		}
	}
	w := get(t, api, "/api/relics?"+query.Encode(), header...)
	return w.Code, w.Body.String()
}

// TestEveryParameterFollowsTheDocument sends each text as each parameter.
func TestEveryParameterFollowsTheDocument(t *testing.T) {
	t.Parallel()
	api := relics(t)
	list := parametersOf(t, documentOf(t, api), "/api/relics", "get")
	if len(list) < 60 {
		t.Fatalf("the document has %d parameters", len(list))
	}
	valid := map[string][]string{}
	for _, p := range list {
		for _, word := range words {
			if p.in == "header" && word != strings.TrimSpace(word) {
				continue // HTTP cuts the spaces off
			}
			status, body := ask(t, api, p, word)
			judged := p.schema.Validate(p.value(word)) == nil
			switch {
			case status == http.StatusOK && !judged:
				t.Errorf("%s=%s is not valid by the document, and taken", p.name, word)
			case status == http.StatusBadRequest && judged && p.exact:
				t.Errorf("%s=%s is valid by the document, and refused: %s", p.name, word, body)
			case status != http.StatusOK && status != http.StatusBadRequest:
				t.Errorf("%s=%s is answered %d: %s", p.name, word, status, body)
			case status == http.StatusBadRequest && !strings.Contains(body, p.name):
				t.Errorf("%s=%s is refused without its name: %s", p.name, word, body)
			case status == http.StatusOK:
				valid[p.name] = append(valid[p.name], word)
			}
		}
	}
	for _, p := range list {
		if len(valid[p.name]) == 0 {
			t.Errorf("%s takes nothing", p.name)
		}
	}
}

// TestParametersThatAreValidAloneAreValidTogether asks with every two.
func TestParametersThatAreValidAloneAreValidTogether(t *testing.T) {
	t.Parallel()
	api := relics(t)
	list := parametersOf(t, documentOf(t, api), "/api/relics", "get")
	accepted := map[string]string{}
	for _, p := range list {
		for _, word := range words {
			if status, _ := ask(t, api, p, word); status == http.StatusOK {
				accepted[p.name] = word
			}
		}
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if status, body := ask(t, api, a, accepted[a.name], b, accepted[b.name]); status != http.StatusOK {
				t.Errorf("%s=%s and %s=%s are refused together: %s", a.name, accepted[a.name], b.name, accepted[b.name], body)
			}
		}
	}
}

func TestExamplesOfParametersWork(t *testing.T) {
	t.Parallel()
	api := relics(t)
	document := documentOf(t, api)
	list := parametersOf(t, document, "/api/relics", "get")
	tried := 0
	for i, each := range document.at(t, "paths", "/api/relics", "get", "parameters").([]any) {
		object := each.(map[string]any)
		examples, _ := object["schema"].(map[string]any)["examples"].([]any)
		if own, ok := object["example"]; ok {
			examples = append(examples, own)
		}
		for _, example := range examples {
			tried++
			if status, body := ask(t, api, list[i], written(t, example)); status != http.StatusOK {
				t.Errorf("the example %v of %s is refused: %s", example, list[i].name, body)
			}
		}
	}
	if tried < len(list)/2 {
		t.Errorf("%d examples for %d parameters", tried, len(list))
	}
}

// written writes an example as a parameter has it.
func written(t *testing.T, example any) string {
	t.Helper()
	switch example := example.(type) {
	case string:
		return example
	case []any:
		var all []string
		for _, each := range example {
			all = append(all, written(t, each))
		}
		return strings.Join(all, ",")
	}
	text, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestASparseAnswerRequiresTheIdentifierAlone(t *testing.T) {
	t.Parallel()
	document := documentOf(t, relics(t))
	if got := document.at(t, "components", "schemas", "RelicSparse", "required"); len(got.([]any)) != 1 || got.([]any)[0] != "id" {
		t.Errorf("RelicSparse requires %v", got)
	}
	whole := document.at(t, "components", "schemas", "Relic", "required").([]any)
	if len(whole) != 17 {
		t.Errorf("Relic, which Post answers with, requires %v", whole)
	}
}

func TestAnswersOfCollectionsAreDescribed(t *testing.T) {
	t.Parallel()
	answer := tree(documentOf(t, relics(t)).at(t, "paths", "/api/relics", "get", "responses", "200").(map[string]any))
	if got := slices.Sorted(maps.Keys(answer.at(t, "headers").(map[string]any))); !slices.Equal(got, []string{"Link", "X-Total-Count"}) {
		t.Errorf("the header fields are %v", got)
	}
	if got := slices.Sorted(maps.Keys(answer.at(t, "content").(map[string]any))); !slices.Equal(got, []string{"application/json", "application/x-ndjson"}) {
		t.Errorf("the media types are %v", got)
	}
	line, ok := answer.at(t, "content", "application/x-ndjson", "example").(string)
	var relic Relic
	if err := json.Unmarshal([]byte(strings.TrimSuffix(line, "\n")), &relic); err != nil || !ok || !strings.HasSuffix(line, "\n") {
		t.Errorf("the example of a line is %q (%v)", line, err)
	}
}
