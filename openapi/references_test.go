package openapi_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Sailor, Flag and Sloop refer to one another.
type Sailor struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank,max=40" api:"filter=partial,sort"`
}

type Flag struct {
	Name string `json:"name" api:"id" validate:"max=20"`
}

type Sloop struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name" validate:"max=40"`
	CaptainID int64    `json:"captain" api:"ref=Sailor,expand,filter"`
	CookID    *int64   `json:"cook" api:"ref=Sailor,expand,filter=exact|exists"`
	Flags     []string `json:"flags" validate:"max=3" api:"ref=Flag,expand"`
}

// sloops are those with operations below their captains.
var sloops = resource.Of[Sloop]{Operations: append(operation.Standard(),
	operation.GetCollection{URITemplate: "/sailors/{captain}/sloops"},
	operation.Post{URITemplate: "/sailors/{captain}/sloops"},
	operation.Get{URITemplate: "/sailors/{captain}/sloops/{id}"},
	operation.Get{Name: "whole", URITemplate: "/sloops/{id}/whole", Expand: []string{"captain", "flags"}},
	operation.Patch{URITemplate: "/sailors/{captain}/sloops/{id}"},
	operation.Put{URITemplate: "/sloops/{id}/flags/{flags}"},
	operation.Delete{URITemplate: "/sloops/{id}/flags/{flags}"},
)}

var sailors = resource.Of[Sailor]{Inverse: map[string]string{"sloops": "Sloop.captain"}}

var fleet = []resource.Declaration{sailors, resource.Of[Flag]{}, sloops}

// What an operation always embeds, its schema requires; what is embedded on demand, none requires.
func TestSchemasRequireWhatIsAlwaysEmbedded(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, fleet...))
	for path, want := range map[string][]any{"/api/sloops/{id}/whole": {"captain", "flags"}, "/api/sloops/{id}": nil} {
		var beside, within []any // what is required
		schema := document.at(t, "paths", path, "get", "responses", "200", "content", "application/json", "schema")
		for _, part := range partsOf(t, document, schema) {
			required, _ := part["required"].([]any)
			beside = append(beside, required...)
			properties, _ := part["properties"].(map[string]any)
			if embedded, ok := properties["_embedded"].(map[string]any); ok {
				within, _ = embedded["required"].([]any)
			}
		}
		if slices.Contains(beside, any("_embedded")) != (want != nil) || !slices.Equal(within, want) {
			t.Errorf("%s requires %v, and %v of what is embedded, want %v", path, beside, within, want)
		}
	}
}

// partsOf returns the schemas that a schema is made of, behind references.
func partsOf(t *testing.T, document tree, schema any) []map[string]any {
	t.Helper()
	node := schema.(map[string]any)
	if ref, ok := node["$ref"].(string); ok {
		return partsOf(t, document, document.at(t, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...))
	}
	parts := []map[string]any{node}
	list, _ := node["allOf"].([]any)
	for _, each := range list {
		parts = append(parts, partsOf(t, document, each)...)
	}
	return parts
}

// voyage has a reference of each kind that a body may have to have.
type voyage struct {
	ID       int64   `json:"id"`
	Name     string  `json:"name" validate:"notblank"`
	Captain  int64   `json:"captain" validate:"required" api:"ref=Sailor"`
	Owner    int64   `json:"owner" api:"ref=Sailor"`
	Cook     *int64  `json:"cook" api:"ref=Sailor"`
	Crew     []int64 `json:"crew" validate:"max=3" api:"ref=Sailor"`
	First    leg     `json:"first"`
	Legs     []leg   `json:"legs"`
	Recorder *leg    `json:"recorder"`
}

type leg struct {
	Pilot int64 `json:"pilot" api:"ref=Sailor"`
	Days  int   `json:"days"`
}

// logged is a voyage whose hook sets the owner.
type logged struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Owner int64  `json:"owner" validate:"omitempty" api:"ref=Sailor"`
	Legs  []leg  `json:"legs"`
}

func TestAHookChangesNothingThatBodiesMustHave(t *testing.T) {
	t.Parallel()
	replacing := map[string]any{"standard_put": true}
	idle := func(context.Context, *operation.Request, *voyage) error { return nil }
	for name, declaration := range map[string]resource.Declaration{
		"no hook":                    resource.Of[voyage]{ShortName: "Voyage"},
		"a hook":                     resource.Of[voyage]{ShortName: "Voyage", Prepare: idle},
		"no hook, Put replaces":      resource.Of[voyage]{ShortName: "Voyage", ExtraProperties: replacing},
		"a hook, Put replaces":       resource.Of[voyage]{ShortName: "Voyage", ExtraProperties: replacing, Prepare: idle},
		"a hook that sets the owner": resource.Of[logged]{ShortName: "Voyage", ExtraProperties: replacing, Prepare: own},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := mounted(t, sailors, resource.Of[Flag]{}, sloops, declaration)
			send(t, api, http.MethodPost, "/api/sailors", `{"name":"Ann"}`)
			document := documentOf(t, api)
			path := create(t, api, document, "Voyage")
			for _, method := range []string{"POST /api/voyages", "PUT /api/voyages/{id}", "PATCH /api/voyages/{id}"} {
				sendWithout(t, api, document, method, path)
			}
		})
	}
}

func own(_ context.Context, _ *operation.Request, v *logged) error {
	if v.Owner == 0 {
		v.Owner = 1
	}
	return nil
}

func TestAReferenceThatMayBeOmittedSaysWhoSetsIt(t *testing.T) {
	t.Parallel()
	api := mounted(t, sailors, resource.Of[Flag]{}, sloops, resource.Of[logged]{ShortName: "Voyage", Prepare: own})
	document := documentOf(t, api)
	created := tree(document.at(t, "components", "schemas", "VoyageCreate").(map[string]any))
	if text := fmt.Sprint(created.at(t, "properties", "owner", "description")); !strings.HasSuffix(text, "If omitted, the service sets it.") {
		t.Errorf("the description is %s", text)
	}
}

// sendWithout sends the example of a body without each of its fields, at any depth. The service must accept what the
// schema allows, and reject the rest.
func sendWithout(t *testing.T, api http.Handler, document tree, operation, path string) {
	t.Helper()
	method, op, _ := strings.Cut(operation, " ")
	if !strings.HasSuffix(op, "}") {
		path = op
	}
	media := document.at(t, "paths", op, strings.ToLower(method), "requestBody", "content").(map[string]any)
	schema := document.schemaAt(t, pointer("paths", op, strings.ToLower(method), "requestBody", "content", "application/json", "schema"))
	for _, body := range lacking(media["application/json"].(map[string]any)["example"]) {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		valid, w := schema.Validate(value), send(t, api, method, path, string(text))
		if accepted := w.Code < http.StatusMultipleChoices; accepted != (valid == nil) {
			t.Errorf("%s %s returns %d, and by its schema %v: %s", operation, text, w.Code, valid, w.Body)
		}
	}
}

// lacking returns a value, and its copies with one field removed each.
func lacking(value any) []any {
	all := []any{value}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			less := maps.Clone(value)
			delete(less, name)
			all = append(all, less)
			for _, inner := range lacking(value[name])[1:] {
				changed := maps.Clone(value)
				changed[name] = inner
				all = append(all, changed)
			}
		}
	case []any:
		if len(value) > 0 {
			for _, inner := range lacking(value[0])[1:] {
				all = append(all, append([]any{inner}, value[1:]...))
			}
		}
	}
	return all
}

// BerthKey refers to a berth.
type BerthKey struct {
	PortID int64  `json:"port"`
	Label  string `json:"label"`
}

// Mooring is a ship's at a berth, and where it goes next.
type Mooring struct {
	ID    int64      `json:"id"`
	Ship  string     `json:"ship" validate:"notblank,max=20" api:"filter"`
	Berth BerthKey   `json:"berth" api:"ref=Berth,expand,filter,through=depth"`
	Next  *BerthKey  `json:"next" api:"ref=Berth,expand,filter=exact|exists,ondelete=null"`
	Log   []BerthKey `json:"log" validate:"max=5" api:"ref=Berth,expand,filter,through=port"`
}

// newMoorings returns declarations with references to berths of each form.
func newMoorings() []resource.Declaration {
	deep := berths
	deep.Inverse = map[string]string{"moorings": "Mooring.berth"}
	return []resource.Declaration{deep, resource.Of[Port]{}, resource.Of[Mooring]{Operations: append(operation.Standard(),
		operation.GetCollection{URITemplate: "/berths/{berth}/moorings"}, operation.Post{URITemplate: "/berths/{berth}/moorings"},
		operation.Get{Name: "whole", URITemplate: "/whole/{id}", Expand: []string{"berth", "log"}},
		operation.Put{URITemplate: "/moorings/{id}/log/{log}"}, operation.Delete{URITemplate: "/moorings/{id}/log/{log}"},
		operation.GetCollection{Name: "visitors", URITemplate: "/berths/{log}/visitors"},
	)}}
}

func TestTheSchemaOfAReferenceOfSeveralParts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		config          resource.Config
		format, pattern string
	}{
		{resource.Config{}, "iri-reference", `^/api/berths/(0|-?[1-9][0-9]*);[^/?#;]+$`},
		{resource.Config{References: resource.Identifiers}, "", `^(0|-?[1-9][0-9]*);[^/?#;]+$`},
	} {
		doc := documented(t, newAPI(t, configuration{config: test.config, declarations: newMoorings()}), openapi.Config{Title: "Port", Version: "1"})
		of := doc.Components.Schemas["Mooring"].Value.Properties["berth"].Value
		if !of.Type.Is("string") || of.Format != test.format || of.Pattern != test.pattern {
			t.Errorf("the schema is %v, %q, %q", of.Type, of.Format, of.Pattern)
		}
		list := doc.Components.Schemas["Mooring"].Value.Properties["log"].Value
		if one := list.Items.Value; !list.Type.Is("array") || !list.UniqueItems || *list.MaxItems != 5 || one.Format != test.format || one.Pattern != test.pattern {
			t.Errorf("the schema of the list is %+v of %+v", list, one)
		}
		filter := doc.Paths.Value("/api/moorings").Get.Parameters.GetByInAndName("query", "log").Schema.Value.Items.Value
		if filter.Format != test.format || filter.Pattern != test.pattern {
			t.Errorf("the filter is %+v", filter)
		}
		parent := doc.Paths.Value("/api/berths/{berth}/moorings").Get.Parameters[0].Value
		if !parent.Schema.Value.Type.Is("string") || parent.Example == nil {
			t.Errorf("the variable is %v with the example %v", parent.Schema.Value.Type, parent.Example)
		}
	}
}

// follow requests the target of a link of a response.
func follow(t *testing.T, api http.Handler, doc *openapi3.T, link *openapi3.Link, body map[string]any) int {
	t.Helper()
	for path, item := range doc.Paths.Map() {
		if item.Get == nil || item.Get.OperationID != link.OperationID {
			continue
		}
		for name, expression := range link.Parameters {
			member, ok := strings.CutPrefix(expression.(string), "$response.body#/")
			value, there := body[member]
			if !ok || !there || value == nil {
				t.Errorf("%s: %s is not in %v", link.OperationID, expression, body)
			}
			path = strings.ReplaceAll(path, "{"+strings.TrimPrefix(name, "path.")+"}", fmt.Sprint(value))
		}
		return get(t, api, path).Code
	}
	t.Fatalf("no operation is called %q", link.OperationID)
	return 0
}

func TestLinksLeadToRecordsAndCollections(t *testing.T) {
	t.Parallel()
	for name, references := range map[string]resource.References{"addresses": resource.Paths, "identifiers": resource.Identifiers} {
		for _, form := range []string{"3.1", "3.0"} {
			t.Run(name+" "+form, func(t *testing.T) {
				t.Parallel()
				api := newAPI(t, configuration{config: resource.Config{References: references}, declarations: fleet})
				doc := documented(t, api, openapi.Config{Title: "Fleet", Version: "1", OpenAPI: form})
				captain := `"/api/sailors/1"`
				if references == resource.Identifiers {
					captain = "1"
				}
				var followed []string
				for _, step := range []struct{ method, path, template, body string }{
					{"POST", "/api/sailors", "/api/sailors", `{"name":"Ann"}`},
					{"GET", "/api/sailors/1", "/api/sailors/{id}", ""},
					{"POST", "/api/sloops", "/api/sloops", `{"name":"S","captain":` + captain + `,"flags":[]}`},
					{"PATCH", "/api/sloops/1", "/api/sloops/{id}", `{"name":"T"}`},
					{"POST", "/api/sailors/1/sloops", "/api/sailors/{captain}/sloops", `{"name":"U","flags":[]}`},
				} {
					answer := send(t, api, step.method, step.path, step.body)
					var body map[string]any
					if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil {
						t.Fatal(err)
					}
					response := doc.Paths.Value(step.template).GetOperation(step.method).Responses.Value(strconv.Itoa(answer.Code))
					for _, link := range response.Value.Links {
						followed = append(followed, step.method+" "+link.Value.OperationID)
						if status := follow(t, api, doc, link.Value, body); status != http.StatusOK {
							t.Errorf("%s of %s %s gets %d", link.Value.OperationID, step.method, step.path, status)
						}
					}
				}
				want := []string{"POST getSailor", "POST listSailorSloops", "GET listSailorSloops", "POST getSloop", "POST getSloop"}
				if references == resource.Identifiers {
					want = append(want, "POST getSailor", "PATCH getSailor", "POST getSailor")
				}
				if got := counted(followed); fmt.Sprint(got) != fmt.Sprint(counted(want)) {
					t.Errorf("links are %v, want %v", got, counted(want))
				}
			})
		}
	}
}

func counted(list []string) map[string]int {
	counts := map[string]int{}
	for _, each := range list {
		counts[each]++
	}
	return counts
}

func TestALinkHasTheNameThatAFunctionGivesItsOperation(t *testing.T) {
	t.Parallel()
	api := declared(t, resource.Config{}, resource.Of[Flag]{Operations: []operation.Operation{
		operation.Post{},
		operation.Get{},
	}}, resource.Of[Sailor]{Operations: []operation.Operation{operation.Post{}, operation.Get{Hidden: true}}})
	rename := map[string]func(*openapi3.Operation){"getFlag": func(op *openapi3.Operation) { op.OperationID = "flagOf" }}
	doc := documented(t, api, openapi.Config{Title: "Fleet", Version: "1", Operations: rename})
	links := doc.Paths.Value("/api/flags").Post.Responses.Value("201").Value.Links
	if link := links["getFlag"]; link == nil || link.Value.OperationID != "flagOf" {
		t.Errorf("the links are %v", links)
	}
	if links := doc.Paths.Value("/api/sailors").Post.Responses.Value("201").Value.Links; links != nil {
		t.Errorf("links lead to what is not documented: %v", links)
	}
}
