package openapi_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// DragonTreasure is a resource with a generated identifier.
type DragonTreasure struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name" validate:"notblank,min=2,max=50" doc:"What it is called." example:"Golden goblet"`
	Description *string   `json:"description"`
	Value       int       `json:"value" validate:"gte=0" default:"10"`
	CoolFactor  *int      `json:"coolFactor" validate:"omitempty,gte=0,lte=10"`
	Metal       string    `json:"metal" validate:"oneof=gold silver 'white gold'"`
	IsPublished bool      `json:"isPublished"`
	PlunderedAt time.Time `json:"plunderedAt" api:"readonly"`
}

// Programmer is a resource whose clients choose the identifier.
type Programmer struct {
	Nickname string `json:"nickname" api:"id" validate:"required,max=20"`
	Password string `json:"password" validate:"min=8" api:"writeonly"`
	TagLine  string `json:"tagLine,omitempty"`
	UserID   int64  `json:"userId" api:"readonly"`
}

// Order is a resource of many types.
type Order struct {
	ID       uuid.UUID          `json:"id" api:"id"`
	Lines    []Line             `json:"lines" validate:"min=1,max=100"`
	Billing  Address            `json:"billing"`
	Shipping *Address           `json:"shipping" doc:"Default: the billing address."`
	Labels   map[string]string  `json:"labels" validate:"max=3,dive,keys,alpha,endkeys,notblank"`
	Notes    map[string]*string `json:"notes"`
	Depots   map[string]Address `json:"depots"`
	Corner   [2]float64         `json:"corner"`
	Photo    []byte             `json:"photo"`
	Extra    any                `json:"extra"`
	Gift     struct {
		To string `json:"to"`
	} `json:"gift"`
	PlacedAt *time.Time `json:"placedAt" api:"readonly"`
}

// Line is a struct in a list.
type Line struct {
	Article string  `json:"article" validate:"required,startswith=A-"`
	Count   uint8   `json:"count" validate:"gte=1"`
	Weight  float32 `json:"weight" validate:"omitempty,gt=0,lt=2.5"`
}

type Address struct {
	Street string `json:"street" validate:"notblank"`
	City   string `json:"city"`
	Secret string `json:"secret" api:"writeonly"`
}

// Category holds itself.
type Category struct {
	ID       int64      `json:"id"`
	Name     string     `json:"name" validate:"notblank"`
	Parent   *Category  `json:"parent"`
	Children []Category `json:"children"`
}

// Discount is the body of a custom operation.
type Discount struct {
	Percent int    `json:"percent" validate:"gte=1,lte=90" example:"20"`
	Reason  string `json:"reason" validate:"max=100"`
}

// Receipt is the response of a custom operation.
type Receipt struct {
	Before int `json:"before" validate:"gte=100"`
	After  int `json:"after"`
}

// Page is a generic response.
type Page[T any] struct {
	Items []T `json:"items"`
	Next  int `json:"next,omitempty"`
}

func discount(_ context.Context, t *DragonTreasure, in Discount) (Receipt, error) {
	before := t.Value
	t.Value -= t.Value * in.Percent / 100
	return Receipt{before, t.Value}, nil
}

func newest(context.Context, *DragonTreasure, struct{}) (Page[DragonTreasure], error) {
	return Page[DragonTreasure]{Items: []DragonTreasure{}}, nil
}

func polish(_ context.Context, t *DragonTreasure, _ struct{}) (*DragonTreasure, error) { return t, nil }

func count(context.Context, *DragonTreasure, struct{}) (struct {
	Total int `json:"total"`
}, error,
) {
	return struct {
		Total int `json:"total"`
	}{7}, nil
}

func forget(context.Context, *DragonTreasure, struct{}) (struct{}, error) { return struct{}{}, nil }

func stamp(_ context.Context, _ *operation.Request, o *Order) error {
	o.PlacedAt = new(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	return nil
}

// configuration is an API whose document is kept in testdata.
type configuration struct {
	config       resource.Config
	declarations []resource.Declaration
	document     openapi.Config
}

// Counted is a resource whose changes are counted.
type Counted struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name" validate:"notblank"`
	Version uint8     `json:"version" api:"version"`
	Changed time.Time `json:"changed" api:"modified"`
}

func bump(_ context.Context, c *Counted, in struct {
	Name string `json:"name"`
},
) (Counted, error) {
	c.Name += in.Name
	return *c, nil
}

// configurations are those of the golden documents, by the name of their file.
func configurations() map[string]configuration {
	replace := map[string]any{"standard_put": true}
	return map[string]configuration{
		"default": {declarations: []resource.Declaration{resource.Of[DragonTreasure]{Description: "A rare and valuable treasure."}}},
		"renamed": {
			config:       resource.Config{Prefix: "/"},
			declarations: []resource.Declaration{resource.Of[DragonTreasure]{ShortName: "HTTPTreasure"}},
			document: openapi.Config{
				Title: "Hoard", Version: "2.1.0", Summary: "Treasures.", Description: "All of them.",
				Contact: &openapi3.Contact{Name: "Smaug", URL: "https://example.com"},
				License: &openapi3.License{Name: "MIT", Identifier: "MIT"},
				Servers: openapi3.Servers{{URL: "https://api.example.com"}},
			},
		},
		"removed": {declarations: []resource.Declaration{
			resource.Of[DragonTreasure]{Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}, operation.Get{Hidden: true}}},
			resource.Of[Category]{Operations: []operation.Operation{operation.Get{Hidden: true}}},
		}},
		"templates": {declarations: []resource.Declaration{resource.Of[DragonTreasure]{Operations: []operation.Operation{
			operation.GetCollection{URITemplate: "/dragon-plunder", Summary: "All plunder", Description: "Newest first."},
			operation.Get{URITemplate: "/dragon-plunder/{id}"},
			operation.Get{Name: "look", URITemplate: "/caves/{cave}/treasures/{id}", Handler: operation.Handle(polish)},
			operation.Post{Status: http.StatusAccepted},
		}}}},
		"http": {
			config: resource.Config{Timeout: time.Second, MaxConcurrent: 7},
			declarations: []resource.Declaration{
				resource.Of[Programmer]{
					RequirePrecondition: true, CacheControl: "private", Idempotency: time.Hour, Errors: validation.Problem,
					Deprecated: time.Unix(1e9, 0), Sunset: time.Unix(2e9, 0), DeprecationLink: "https://example.com/end",
				},
				resource.Of[Counted]{Idempotency: 36 * time.Hour, Operations: append(operation.Standard(),
					operation.Post{Name: "bump", URITemplate: "/counteds/{id}/bump", MaxBodyBytes: 99, Handler: operation.Handle(bump)})},
			},
		},
		"custom": {declarations: []resource.Declaration{resource.Of[DragonTreasure]{Operations: []operation.Operation{
			operation.Post{Name: "discount", URITemplate: "/treasures/{id}/discount", Handler: operation.Handle(discount)},
			operation.Get{Name: "newest", URITemplate: "/treasures/newest", Handler: operation.Handle(newest)},
			operation.Post{Name: "polish", URITemplate: "/treasures/{id}/polish", Handler: operation.Handle(polish)},
			operation.Get{Name: "count", URITemplate: "/treasures/count", Handler: operation.Handle(count)},
			operation.Post{Name: "forget", URITemplate: "/treasures/{id}/forget", Handler: operation.Handle(forget)},
		}}}},
		"references":      {declarations: fleet},
		"standard_put":    {declarations: []resource.Declaration{resource.Of[DragonTreasure]{ExtraProperties: replace}}},
		"problem":         {config: resource.Config{Errors: validation.Problem}, declarations: []resource.Declaration{resource.Of[Category]{}}},
		"client_ids":      {declarations: []resource.Declaration{resource.Of[Programmer]{ExtraProperties: replace}}},
		"allow_create":    {declarations: []resource.Declaration{resource.Of[Programmer]{Operations: []operation.Operation{operation.Put{AllowCreate: true}, operation.Get{}}}}},
		"nested":          {declarations: []resource.Declaration{resource.Of[Order]{}}},
		"nested_replaced": {declarations: []resource.Declaration{resource.Of[Order]{ExtraProperties: replace, Prepare: stamp}}},
		"collection":      {declarations: []resource.Declaration{relicsOf()}},
		"access":          {config: resource.Config{Authentication: allSchemes(), Logger: slog.New(slog.DiscardHandler)}, declarations: ruled()},
		"access_bearer":   {config: resource.Config{Authentication: allSchemes()[:1], Logger: slog.New(slog.DiscardHandler)}, declarations: ruled()[:1]},
		"recursive":       {declarations: []resource.Declaration{resource.Of[Category]{}}},
	}
}

// newAPI makes the API of a configuration.
func newAPI(t *testing.T, c configuration) *resource.API {
	t.Helper()
	return declared(t, c.config, c.declarations...)
}

func declared(t *testing.T, config resource.Config, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// documented returns the document of an API.
func documented(t *testing.T, api *resource.API, config openapi.Config) *openapi3.T {
	t.Helper()
	document, err := openapi.Document(api, config)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// mounted makes an API of declarations with its documentation.
func mounted(t *testing.T, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	api := declared(t, resource.Config{}, declarations...)
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatalf("openapi.Mount: %v", err)
	}
	return api
}

// get sends a GET with header fields given as name, value, name, value.
func get(tb testing.TB, handler http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	tb.Helper()
	return send(tb, handler, http.MethodGet, path, "", header...)
}

func send(tb testing.TB, handler http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// tree is a document as any JSON is.
type tree map[string]any

// documentOf returns the document that an API serves.
func documentOf(tb testing.TB, api http.Handler) tree {
	tb.Helper()
	var document tree
	if err := json.Unmarshal(get(tb, api, "/api/docs.json").Body.Bytes(), &document); err != nil {
		tb.Fatalf("the document is not JSON: %v", err)
	}
	document.inline(document["paths"])
	return document
}

// inline replaces the references to shared parameters, header fields and successful responses. It keeps those to errors
// and schemas.
func (d tree) inline(value any) any {
	switch node := value.(type) {
	case []any:
		for i := range node {
			node[i] = d.inline(node[i])
		}
	case map[string]any:
		ref, _ := node["$ref"].(string)
		if kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/"); kind == "parameters" || kind == "headers" || strings.HasSuffix(name, "Response") {
			return d.inline(d["components"].(map[string]any)[kind].(map[string]any)[name])
		}
		for name := range node {
			node[name] = d.inline(node[name])
		}
	}
	return value
}

// at returns the value at a path of field names, which must exist.
func (d tree) at(tb testing.TB, path ...string) any {
	tb.Helper()
	var value any = map[string]any(d)
	for i, name := range path {
		object, ok := value.(map[string]any)
		if !ok || object[name] == nil {
			tb.Fatalf("the document has nothing at %s", strings.Join(path[:i+1], " / "))
		}
		value = object[name]
	}
	return value
}

// sampled returns every nth of a list in a short run, and all of it otherwise.
func sampled[E any](n int, list []E) []E {
	if !testing.Short() {
		return list
	}
	var some []E
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

// schemaAt compiles the schema at a JSON pointer of a document, formats asserted.
func (d tree) schemaAt(tb testing.TB, pointer string) *jsonschema.Schema {
	tb.Helper()
	schema, err := d.compile(pointer)
	if err != nil {
		tb.Fatalf("schema at %s: %v", pointer, err)
	}
	return schema
}

func (d tree) compile(pointer string) (*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return schema.Compile(pattern) })
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	for name, width := range map[string]struct{ least, most float64 }{
		"int32": {math.MinInt32, math.MaxInt32}, "int64": {math.MinInt64, math.MaxInt64}, "uint64": {0, math.MaxUint64},
		"float": {-math.MaxFloat32, math.MaxFloat32},
	} {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(value any) error {
			if n, ok := value.(interface{ Float64() (float64, error) }); ok {
				if f, err := n.Float64(); err != nil || f < width.least || f > width.most {
					return errors.New("out of range")
				}
			}
			return nil
		}})
	}
	const place = "https://example.com/openapi.json"
	err := compiler.AddResource(place, map[string]any(d))
	schema, compileErr := compiler.Compile(place + "#" + pointer)
	return schema, errors.Join(err, compileErr)
}

// described is an operation of a document.
type described struct {
	method, path string
	tree         tree
}

// operations lists the operations of a document, except Delete.
func operations(t *testing.T, document tree) []described {
	t.Helper()
	var found []described
	for path, item := range document.at(t, "paths").(map[string]any) {
		for method, op := range item.(map[string]any) {
			if method != "delete" {
				found = append(found, described{strings.ToUpper(method), path, op.(map[string]any)})
			}
		}
	}
	return found
}

// pointer returns the JSON Pointer of names, as a URI's fragment has it.
func pointer(names ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	var b strings.Builder
	for _, name := range names {
		b.WriteString("/" + escape.Replace(name))
	}
	return b.String()
}
