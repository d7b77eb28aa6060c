package hal_test

import (
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type User struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Boss *int64 `json:"boss" api:"ref=User,expand"`
}

type Tag struct {
	Name string `json:"name" api:"id"`
}

type Treasure struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name" validate:"min=2" api:"filter=partial,sort"`
	Worth int      `json:"worth" api:"filter=range"`
	Owner int64    `json:"owner" api:"ref=User,expand,filter"`
	Heir  *int64   `json:"heir" api:"ref=User,expand"`
	Tags  []string `json:"tags" validate:"max=5" api:"ref=Tag,expand"`
}

func newClient(t testing.TB, f format.Format, config resource.Config, declarations ...resource.Declaration) spec.Client {
	t.Helper()
	config.Formats, config.Logger = append(format.Standard(), f), slog.New(slog.DiscardHandler)
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Client{T: t, Handler: api, MediaType: f.MediaType}
}

// newHoard returns an API of two treasures, of users 1 and 2.
func newHoard(t testing.TB, f format.Format, config resource.Config) spec.Client {
	t.Helper()
	c := newClient(t, f, config,
		resource.Of[User]{Inverse: map[string]string{"treasures": "Treasure.owner"}},
		resource.Of[Tag]{},
		resource.Of[Treasure]{SparseFields: true, Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/users/{owner}/treasures"})})
	c.Send("POST /api/users", `{"name":"Ann"}`).HasStatus(201)
	c.Send("POST /api/users", `{"name":"Bob","_links":{"boss":{"href":"/api/users/1"}}}`).HasStatus(201)
	c.Send("POST /api/tags", `{"name":"a/b"}`).HasStatus(201)
	c.Send("POST /api/tags", `{"name":"old"}`).HasStatus(201)
	c.Send("POST /api/treasures", `{"_links":{"owner":{"href":"/api/users/1"},"tags":[{"href":"/api/tags/old"},{"href":"/api/tags/a%2Fb"}]},"name":"Gold","worth":5}`).HasStatus(201)
	c.Send("POST /api/treasures", `{"name":"Tin","_links":{"owner":{"href":"/api/users/2"},"heir":{"href":"/api/users/1"}}}`).HasStatus(201)
	return c
}

const (
	gold = `{"_links":{"self":{"href":"/api/treasures/1"},"owner":{"href":"/api/users/1"},"tags":[{"href":"/api/tags/old"},{"href":"/api/tags/a%2Fb"}]},"id":1,"name":"Gold","worth":5}`
	tin  = `{"_links":{"self":{"href":"/api/treasures/2"},"owner":{"href":"/api/users/2"},"heir":{"href":"/api/users/1"},"tags":[]},"id":2,"name":"Tin","worth":0}`
	ann  = `{"_links":{"self":{"href":"/api/users/1"},"treasures":{"href":"/api/users/1/treasures"}},"id":1,"name":"Ann"}`
)

func TestReferencesOfARecordAreLinks(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, hal.Format, resource.Config{References: references})
		c.Send("GET /api/treasures/1.jsonhal", "").Reads(200, gold).Has("Content-Type", "application/hal+json")
		c.Send("GET /api/treasures/2", "", "Accept", hal.MediaType).Reads(200, tin).Has("Vary", "Accept")
		c.Send("GET /api/users/1.jsonhal", "").Reads(200, ann)
		c.Send("GET /api/treasures/2.jsonhal?fields=worth", "").Reads(200, `{"_links":{"self":{"href":"/api/treasures/2"}},"id":2,"worth":0}`)
		c.Send("GET /api/treasures/9.jsonhal", "").HasStatus(404).Has("Content-Type", "application/problem+json")
	}
}

func TestWhatIsExpandedIsEmbedded(t *testing.T) {
	t.Parallel()
	c := newHoard(t, hal.Format, resource.Config{})
	bob := `{"_links":{"self":{"href":"/api/users/2"},"boss":{"href":"/api/users/1"},"treasures":{"href":"/api/users/2/treasures"}},"id":2,"name":"Bob","_embedded":{"boss":` + ann + `}}`
	c.Send("GET /api/treasures/2.jsonhal?expand=owner.boss,heir,tags", "").
		Reads(200, strings.TrimSuffix(tin, "}")+`,"_embedded":{"owner":`+bob+`,"heir":`+ann+`,"tags":[]}}`)
	// HAL has no null among what is embedded.
	c.Send("GET /api/treasures/1.jsonhal?expand=heir", "").Reads(200, gold)
	c.Send("GET /api/treasures/1.jsonhal?expand=tags", "").Reads(200, strings.TrimSuffix(gold, "}")+
		`,"_embedded":{"tags":[{"_links":{"self":{"href":"/api/tags/old"}},"name":"old"},{"_links":{"self":{"href":"/api/tags/a%2Fb"}},"name":"a/b"}]}}`)
}

func TestACollectionHasItsPagesAsLinks(t *testing.T) {
	t.Parallel()
	c := newHoard(t, hal.Format, resource.Config{})
	const search = `,"search":{"href":"/api/treasures{?page,itemsPerPage,cursor,name*,worth%5Bgt%5D,worth%5Bgte%5D,worth%5Blt%5D,worth%5Blte%5D,worth%5Bbetween%5D,owner*,owner%5Bne%5D*,filter,sort,order%5Bname%5D,fields,expand,id*}","templated":true}}}`
	c.Send("GET /api/treasures.jsonhal?itemsPerPage=1", "").Reads(200, `{"_embedded":{"item":[`+gold+`]},"totalItems":2,"_links":{`+
		`"self":{"href":"/api/treasures.jsonhal?itemsPerPage=1"},"first":{"href":"/api/treasures.jsonhal?itemsPerPage=1&page=1"},`+
		`"next":{"href":"/api/treasures.jsonhal?itemsPerPage=1&page=2"},"last":{"href":"/api/treasures.jsonhal?itemsPerPage=1&page=2"}`+search)
	c.Send("GET /api/treasures.jsonhal?name=zzz", "").HasStatus(200).Mentions(`{"_embedded":{"item":[]},"totalItems":0,"_links":{"self":{`)
	c.Send("GET /api/users/2/treasures", "", "Accept", hal.MediaType).HasStatus(200).Mentions(`{"_embedded":{"item":[`+tin+`]}`, `"search":{"href":"/api/users/2/treasures{?`)
}

func TestTheEntryPointLeadsToCollections(t *testing.T) {
	t.Parallel()
	c := newHoard(t, hal.Format, resource.Config{})
	c.Send("GET /api", "", "Accept", hal.MediaType).
		Reads(200, `{"_links":{"self":{"href":"/api"},"user":{"href":"/api/users"},"tag":{"href":"/api/tags"},"treasure":{"href":"/api/treasures"}}}`)
	type Übung struct { //nolint:asciicheck // users may
		ID int64 `json:"id"`
	}
	newClient(t, hal.Format, resource.Config{}, resource.Of[Übung]{Operations: []operation.Operation{operation.GetCollection{URITemplate: "/drills"}}}).
		Send("GET /api", "", "Accept", hal.MediaType).Reads(200, `{"_links":{"self":{"href":"/api"},"übung":{"href":"/api/drills"}}}`)
}

func TestABodyMayBeWhatWasRead(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, hal.Format, resource.Config{References: references})
		for _, record := range []string{"/api/treasures/1", "/api/treasures/2", "/api/users/2"} {
			was := c.Send("GET "+record+".jsonhal", "").HasStatus(200).Body
			c.Send("PUT "+record+".jsonhal", was).Reads(200, was)
			c.Send("PATCH "+record+".jsonhal", was).Reads(200, was)
		}
		c.Send("PATCH /api/treasures/2.jsonhal", ` { "_links" : { "heir" : null , "tags":[ {"href":"/api/tags/old"} ], "other": 7 } } `).
			HasStatus(200).Mentions(`"tags":[{"href":"/api/tags/old"}]`)
		c.Send("GET /api/treasures/2", "").HasStatus(200).Mentions(`"heir":null`)
		c.Send("PATCH /api/treasures/2", `{"_embedded":{"owner":{"id":1}},"name":"Iron"}`).HasStatus(200).Mentions(`"Iron"`)
		c.Send("PATCH /api/treasures/2", `{"_links":{"self":{"href":"http://example.com/api/treasures/2"}},"name":"Zinc"}`).HasStatus(200).Mentions(`"Zinc"`)
	}
}

func TestABodyThatIsNotWellFormedIsRejected(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, hal.Format, resource.Config{References: references})
		for body, told := range map[string]struct {
			status int
			texts  []string
		}{
			`{"_links":{"self":{"href":"/api/treasures/2"}}}`:                   {409, []string{`"pointer":"/_links/self/href"`}},
			`{"_links":{"self":{"href":"http://example.com/api/treasures/2"}}}`: {409, []string{`"pointer":"/_links/self/href"`}},
			`{"_links":7}`:                        {400, []string{`"pointer":"/_links"`}},
			`{"_links":{"owner":"/api/users/1"}}`: {400, []string{`"pointer":"/_links/owner"`}},
			`{"_links":{"owner":{"href":"/api/users/1","templated":7}}}`:          {400, []string{`"pointer":"/_links/owner"`}},
			`{"_links":{"owner":{"href":7}}}`:                                     {400, []string{`"pointer":"/_links/owner"`}},
			`{"_links":{"tags":{"href":"/api/tags/old"}}}`:                        {400, []string{`"pointer":"/_links/tags"`}},
			`{"_links":{"tags":["old"]}}`:                                         {400, []string{`"pointer":"/_links/tags/0"`}},
			`{"_links":{"owner":{"href":"/api/tags/old"}}}`:                       {400, nil},
			`{"_links":{"owner":{"href":"/api/users/7"}}}`:                        {400, []string{"validation_error"}},
			`{"_links":{"owner":null}}`:                                           {400, []string{"validation_error"}},
			`{"_links":{},"_links":{"owner":{"href":"/api/users/1"}},"name":"x"}`: {400, []string{`"pointer":"/_links"`}},
			`{"_links":{"owner":{"href":"/api/users/1","href":"/api/users/2"}}}`:  {400, []string{`"pointer":"/_links/owner/href"`}},
			`{"_embedded":{"x":1,"x":2}}`:                                         {400, []string{`"pointer":"/_embedded/x"`}},
			`{"name":"Gold"`:                                                      {400, nil},
			`[]`:                                                                  {400, nil},
			`null`:                                                                {400, nil},
			` `:                                                                   {400, nil},
			`{"nmae":"Gold"}`:                                                     {400, []string{"nmae"}},
		} {
			c.Send("PATCH /api/treasures/1", body).HasStatus(told.status).Mentions(told.texts...)
		}
		c.Send("GET /api/treasures/1.jsonhal", "").Reads(200, gold)
	}
}

func TestRelationsMayHaveACurie(t *testing.T) {
	t.Parallel()
	c := newClient(t, hal.WithCurie("acme", "https://example.com/rels/{rel}"), resource.Config{}, resource.Of[User]{})
	const curies = `"curies":[{"name":"acme","href":"https://example.com/rels/{rel}","templated":true}]`
	c.Send("POST /api/users.jsonhal", `{"name":"Ann"}`).Reads(201, `{"_links":{"self":{"href":"/api/users/1"},`+curies+`},"id":1,"name":"Ann"}`)
	c.Send("POST /api/users.jsonhal", `{"name":"Bob","_links":{"acme:boss":{"href":"/api/users/1"}}}`).
		Reads(201, `{"_links":{"self":{"href":"/api/users/2"},"acme:boss":{"href":"/api/users/1"},`+curies+`},"id":2,"name":"Bob"}`)
	c.Send("GET /api", "", "Accept", hal.MediaType).Reads(200, `{"_links":{"self":{"href":"/api"},"acme:user":{"href":"/api/users"},`+curies+`}}`)
	for _, curie := range [][2]string{{"a:b", "/{rel}"}, {"acme", "https://example.com/rels"}} {
		_, err := resource.New(resource.Config{Formats: append(format.Standard(), hal.WithCurie(curie[0], curie[1]))}, resource.Of[User]{})
		if err == nil || !strings.Contains(err.Error(), "application/hal+json: the curie") {
			t.Errorf("%q is %v", curie, err)
		}
	}
}

// One that the caller may not see is a link, and not embedded.
func TestAHiddenRecordIsNotEmbedded(t *testing.T) {
	t.Parallel()
	type Port struct {
		ID   int64 `json:"id"`
		Open bool  `json:"open"`
	}
	type Route struct {
		ID    int64   `json:"id"`
		From  int64   `json:"from" api:"ref=Port,expand"`
		Ports []int64 `json:"ports" validate:"max=3" api:"ref=Port,expand"`
	}
	c := newClient(t, hal.Format, resource.Config{}, resource.Of[Route]{
		Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
	}, resource.Of[Port]{
		Access: access.Rules{Read: access.Where("open", true), Create: access.Public, Update: access.Public, Delete: access.Public},
	})
	for range 2 {
		c.Send("POST /api/ports", `{"open":true}`).HasStatus(201)
	}
	const links = `"_links":{"self":{"href":"/api/routes/1"},"from":{"href":"/api/ports/1"},"ports":[{"href":"/api/ports/1"},{"href":"/api/ports/2"}]}`
	c.Send("POST /api/routes", `{`+links+`}`).HasStatus(201)
	c.Send("PATCH /api/ports/1", `{"open":false}`).HasStatus(200)
	c.Send("GET /api/routes/1?expand=from,ports", "", "Accept", hal.MediaType).
		Reads(200, `{`+links+`,"id":1,"_embedded":{"ports":[{"_links":{"self":{"href":"/api/ports/2"}},"id":2,"open":true}]}}`)
}

// Each object with links explains its curies, those that are embedded, too.
func TestEmbeddedRecordsHaveTheCuries(t *testing.T) {
	t.Parallel()
	c := newClient(t, hal.WithCurie("acme", "/rels/{rel}"), resource.Config{}, resource.Of[User]{})
	const curies = `"curies":[{"name":"acme","href":"/rels/{rel}","templated":true}]`
	c.Send("POST /api/users.jsonhal", `{"name":"Ann"}`).HasStatus(201)
	c.Send("POST /api/users.jsonhal", `{"name":"Bob","_links":{"acme:boss":{"href":"/api/users/1"}}}`).HasStatus(201)
	const ann = `{"_links":{"self":{"href":"/api/users/1"},` + curies + `},"id":1,"name":"Ann"}`
	c.Send("GET /api/users/2.jsonhal?expand=boss", "").Reads(200, `{"_links":{"self":{"href":"/api/users/2"},"acme:boss":{"href":"/api/users/1"},`+curies+
		`},"id":2,"name":"Bob","_embedded":{"acme:boss":`+ann+`}}`)
	c.Send("GET /api/users.jsonhal?name=x", "").HasStatus(400)
	c.Send("GET /api/users.jsonhal", "").HasStatus(200).Mentions(`{"_embedded":{"item":[`+ann, `"self":{"href":"/api/users.jsonhal"}`, `"templated":true},`+curies+`}}`)
}

// The name of a parameter is a variable of a template, in which RFC 6570 has little but letters.
func TestTemplatesHaveNamesAsRFC6570HasThem(t *testing.T) {
	t.Parallel()
	type Odd struct {
		ID   int64  `json:"id"`
		Name string `json:"first-name" api:"filter"`
		Size string `json:"größe 50%" api:"filter"`
	}
	c := newClient(t, hal.Format, resource.Config{}, resource.Of[Odd]{})
	c.Send("GET /api/odds.jsonhal", "").HasStatus(200).Mentions(`{?page,itemsPerPage,cursor,first%2Dname*,first%2Dname%5Bne%5D*,gr%C3%B6%C3%9Fe%2050%25*,gr%C3%B6%C3%9Fe%2050%25%5Bne%5D*,filter,id*}`)
	c.Send("GET /api/odds.jsonhal?first%2Dname=x&gr%C3%B6%C3%9Fe%2050%25=y", "").HasStatus(200)
}

// A record without a Get has no path, and neither has a list that a Post returns.
func TestARecordWithoutAPathHasNoSelfLink(t *testing.T) {
	t.Parallel()
	all := func(context.Context, *Tag, struct{}) ([]Tag, error) { return []Tag{{"a"}}, nil }
	operations := []operation.Operation{operation.Post{}, operation.GetCollection{}, operation.Post{Name: "all", URITemplate: "/all", Handler: operation.Handle(all)}}
	for _, test := range []struct {
		format format.Format
		links  string
	}{{hal.Format, ""}, {hal.WithCurie("acme", "/{rel}"), `"curies":[{"name":"acme","href":"/{rel}","templated":true}]`}} {
		c := newClient(t, test.format, resource.Config{}, resource.Of[Tag]{Operations: operations})
		c.Send("POST /api/all", "", "Accept", hal.MediaType).HasStatus(200).Mentions(`"name":"a"}]},"_links":{` + test.links + `}}`)
		if made := c.Send("POST /api/tags.jsonhal", `{"name":"a"}`).HasStatus(201); strings.Contains(made.Body, "self") {
			t.Errorf("a record without an address has one: %s", made.Body)
		}
		openapitest.Conform(t, apiOf(t, c), openapitest.Requests(40))
	}
}

func TestNamesOfHALItselfAreMistakes(t *testing.T) {
	t.Parallel()
	type Odd struct {
		ID    int64             `json:"id"`
		Links map[string]string `json:"_links"`
	}
	type Self struct {
		ID   int64 `json:"id"`
		Self int64 `json:"self" api:"ref=User"`
	}
	type Curies struct {
		ID int64 `json:"id"`
	}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), hal.Format)},
		resource.Of[Odd]{}, resource.Of[Self]{}, resource.Of[Curies]{}, resource.Of[User]{})
	for _, want := range []string{
		"HAL reserves the field name _links", "HAL reserves the relation self",
		"Curies: ", "the entry point would have the relation curies, which HAL reserves; give the resource another ShortName",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
}

func TestAFieldTakesPrecedenceOverItsLinks(t *testing.T) {
	t.Parallel()
	type Mark struct {
		ID int64 `json:"id"`
	}
	type Item struct {
		ID    int64   `json:"id"`
		Marks []int64 `json:"marks" validate:"max=3" api:"ref=Mark"`
	}
	c := newClient(t, hal.Format, resource.Config{}, resource.Of[Mark]{}, resource.Of[Item]{})
	c.Send("POST /api/marks", `{}`)
	c.Send("POST /api/marks", `{}`)
	for body, want := range map[string]string{
		`{"marks":["/api/marks/1"],"_links":{"marks":[]}}`:                           `"marks":[{"href":"/api/marks/1"}]`,
		`{"_links":{"marks":[{"href":"/api/marks/2"}]},"marks":["/api/marks/1"]}`:    `"marks":[{"href":"/api/marks/1"}]`,
		`{"marks":[],"_links":{"marks":[{"href":"/api/marks/2"}]}}`:                  `"marks":[]`,
		`{"marks":["/api/marks/2"],"_links":{"marks":[{"href":"/api/marks/2"}]}}`:    `"marks":[{"href":"/api/marks/2"}]`,
		`{"_links":{"marks":[{"href":"/api/marks/2"}],"self":{"href":"/anywhere"}}}`: `"marks":[{"href":"/api/marks/2"}]`,
	} {
		c.Send("POST /api/items", body, "Content-Type", hal.MediaType, "Accept", hal.MediaType).HasStatus(201).Mentions(want)
	}
}

func TestARelationOfTheEntryPointIsAwareOfAcronyms(t *testing.T) {
	t.Parallel()
	type APIToken struct {
		ID int64 `json:"id"`
	}
	type OAuthClient struct {
		ID int64 `json:"id"`
	}
	c := newClient(t, hal.Format, resource.Config{}, resource.Of[APIToken]{}, resource.Of[OAuthClient]{})
	c.Send("GET /api", "", "Accept", hal.MediaType).HasStatus(200).Mentions(`"apiToken":{"href":"/api/api_tokens"}`).HasStatus(200).Mentions(`"oAuthClient":{"href":`)
}

func apiOf(t *testing.T, c spec.Client) *resource.API {
	t.Helper()
	api, ok := c.Handler.(*resource.API)
	if !ok {
		t.Fatalf("the API is a %T", c.Handler)
	}
	return api
}

func TestTheDocumentHasTheSchemasOfHAL(t *testing.T) {
	t.Parallel()
	c := newHoard(t, hal.Format, resource.Config{})
	doc, err := openapi.Document(apiOf(t, c), openapi.Config{Title: "Hoard", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	got := doc.Paths.Value("/api/treasures/{id}").Get.Responses.Value("200").Value.Content[hal.MediaType]
	links := got.Schema.Value.Properties["_links"].Value
	if links.Properties["owner"] == nil || links.Properties["self"] == nil || links.Properties["name"] != nil {
		t.Errorf("links are described as %v", links.Properties)
	}
	if name := got.Schema.Value.Properties["name"]; name == nil || !name.Value.Type.Is("string") {
		t.Errorf("a member is described as %+v", name)
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a test of package format conforms in each format")
	}
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		openapitest.Conform(t, apiOf(t, newHoard(t, hal.Format, resource.Config{References: references})), openapitest.Requests(60))
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

func TestResponsesMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, request, body string
		status              int
		contentType         string
	}{
		{"item", "GET /api/treasures/1", "", 200, hal.MediaType},
		{"expanded", "GET /api/treasures/2?expand=owner.boss,heir,tags", "", 200, hal.MediaType},
		{"created", "POST /api/treasures", `{"name":"Ring","_links":{"owner":{"href":"/api/users/1"}}}`, 201, hal.MediaType},
		{"page", "GET /api/treasures?itemsPerPage=1&page=2&expand=owner", "", 200, hal.MediaType},
		{"cursor", "GET /api/treasures?itemsPerPage=1&cursor=", "", 200, hal.MediaType},
		{"empty", "GET /api/treasures?name=zzz", "", 200, hal.MediaType},
		{"entrypoint", "GET /api", "", 200, hal.MediaType},
		{"missing", "GET /api/treasures/9", "", 404, "application/problem+json"},
		{"parameter", "GET /api/treasures?colour=red", "", 400, "application/problem+json"},
		{"invalid", "POST /api/treasures", `{"name":"","colour":"red","_links":{"owner":{"href":"/api/users/9"}}}`, 400, "application/problem+json"},
		{"another", "PUT /api/treasures/1", `{"_links":{"self":{"href":"/api/treasures/2"}},"name":"Gold"}`, 409, "application/problem+json"},
	} {
		got := newHoard(t, hal.Format, resource.Config{}).Send(test.request, test.body, "Accept", hal.MediaType).Has("Content-Type", test.contentType)
		path := filepath.Join("testdata", test.name+".json")
		if *update {
			if err := os.WriteFile(path, []byte(got.Body+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != test.status || got.Body+"\n" != string(want) {
			t.Errorf("%s differs from %s; look at it and run the test with -update:\n%d %s\nwant\n%d %s", test.request, path, got.Status, got.Body, test.status, want)
		}
	}
}

// FuzzABodyIsRejectedOrChangesTheRecord holds the reader to its word for any bytes: it is 200 and
// the record is one still, or 4xx and nothing has changed.
func FuzzABodyIsRejectedOrChangesTheRecord(f *testing.F) {
	for _, body := range []string{
		gold, tin, ann, `{"_links":{"tags":[{"href":"/api/tags/old"},{}]}}`, `{"_links":{"heir":null},"_embedded":[]}`, "{", `{"a":[1,{"b":"\u0000"}]}`,
		`{"_links":{"self":{"href":"/api/treasures/2"}}}`, "\xff", `{"_links":{"owner":{"href":"\ud800"}}}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := newHoard(t, hal.Format, resource.Config{})
		answered := c.Send("PATCH /api/treasures/1.jsonhal", body)
		now := c.Send("GET /api/treasures/1.jsonhal", "")
		switch {
		case answered.Status == 200 && json.Valid([]byte(now.Body)):
			c.Send("PUT /api/treasures/1.jsonhal", now.Body).Reads(200, now.Body)
		case answered.Status < 400 || answered.Status > 499 || now.Body != gold:
			t.Errorf("%q is %d, and the record %s", body, answered.Status, now.Body)
		}
	})
}
