package jsonapi_test

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

type User struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Boss *int64 `json:"boss" api:"ref=User,expand"`
}

type Tag struct {
	Name  string `json:"name" api:"id"`
	Color string `json:"color"`
}

type Treasure struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name" validate:"min=2" api:"filter=partial,sort"`
	Worth int      `json:"worth" api:"filter=range,sort"`
	Owner int64    `json:"owner" api:"ref=User,expand,filter"`
	Heir  *int64   `json:"heir" api:"ref=User,expand"`
	Tags  []string `json:"tags" validate:"max=5" api:"ref=Tag,expand"`
}

func newClient(t testing.TB, config resource.Config, declarations ...resource.Declaration) client {
	t.Helper()
	config.Formats, config.Logger = append(format.Standard(), jsonapi.Format), slog.New(slog.DiscardHandler)
	api := spec.NewAPI(t, config, declarations...)
	return client{spec.Client{T: t, Handler: api, MediaType: jsonapi.MediaType}, api}
}

// client sends requests, and checks the structure of each JSON:API response.
type client struct {
	spec.Client

	api *resource.API
}

func (c client) Send(request, body string, fields ...string) spec.Response {
	c.T.Helper()
	answer := c.Client.Send(request, body, fields...)
	if answer.Header.Get("Content-Type") == jsonapi.MediaType {
		for _, mistake := range mistakesIn(answer.Body) {
			c.T.Errorf("%s: %s: %s", request, mistake, answer.Body)
		}
		for _, told := range statuses.FindAllStringSubmatch(answer.Body, -1) {
			if told[1] != strconv.Itoa(answer.Status) {
				c.T.Errorf("%s: an error is %s in an answer of %d", request, told[1], answer.Status)
			}
		}
		if vary := answer.Header.Get("Vary"); !strings.Contains(vary, "Accept") {
			c.T.Errorf("%s: the answer varies by %q", request, vary)
		}
	}
	return answer
}

// statuses are those of the errors of a document.
var statuses = regexp.MustCompile(`\{(?:"id":"[^"]*",)?"status":"(\d+)"`)

// newHoard returns an API of two treasures, of users 1 and 2.
func newHoard(t testing.TB, config resource.Config) client {
	t.Helper()
	c := newClient(t, config,
		resource.Of[User]{Inverse: map[string]string{"treasures": "Treasure.owner"}, SparseFields: true},
		resource.Of[Tag]{Errors: validation.Problem},
		resource.Of[Treasure]{
			SparseFields: true, Pagination: operation.Pagination{ClientItemsPerPage: new(true)},
			Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/users/{owner}/treasures"}),
		})
	c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","attributes":{"name":"Ann"}}}`).HasStatus(201)
	c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","attributes":{"name":"Bob"},"relationships":{"boss":{"data":{"type":"users","id":"1"}}}}}`).HasStatus(201)
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"a/b","attributes":{"color":"red"}}}`).HasStatus(201)
	c.Send("POST /api/tags.jsonapi", `{"data":{"type":"tags","id":"old","attributes":{"color":"blue"}}}`).HasStatus(201)
	c.Send("POST /api/treasures.jsonapi", `{"data":{"type":"treasures","attributes":{"name":"Gold","worth":5},"relationships":{`+
		`"owner":{"data":{"type":"users","id":"1"}},"tags":{"data":[{"type":"tags","id":"old"},{"type":"tags","id":"a/b"}]}}}}`).HasStatus(201)
	c.Send("POST /api/treasures.jsonapi", `{"data":{"type":"treasures","attributes":{"name":"Tin"},"relationships":{`+
		`"owner":{"data":{"type":"users","id":"2"}},"heir":{"data":{"type":"users","id":"1"}}}}}`).HasStatus(201)
	return c
}

var update = flag.Bool("update", false, "write golden files anew")

// isGolden compares a response with a status and a file of testdata.
func isGolden(t *testing.T, a spec.Response, status int, name string) {
	t.Helper()
	file := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(file, []byte(a.Body+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a.Reads(status, strings.TrimSuffix(string(want), "\n"))
}

const (
	gold = `{"type":"treasures","id":"1","attributes":{"name":"Gold","worth":5},"relationships":{"owner":{"data":{"type":"users","id":"1"},"links":{"related":"/api/users/1"}},` +
		`"heir":{"data":null},"tags":{"data":[{"type":"tags","id":"old"},{"type":"tags","id":"a/b"}]}},"links":{"self":"/api/treasures/1"}}`
	ann = `{"type":"users","id":"1","attributes":{"name":"Ann"},"relationships":{"boss":{"data":null},"treasures":{"links":{"related":"/api/users/1/treasures"}}},"links":{"self":"/api/users/1"}}`
	bob = `{"type":"users","id":"2","attributes":{"name":"Bob"},"relationships":{"boss":{"data":{"type":"users","id":"1"},"links":{"related":"/api/users/1"}},` +
		`"treasures":{"links":{"related":"/api/users/2/treasures"}}},"links":{"self":"/api/users/2"}}`
	open = `{"jsonapi":{"version":"1.1"},`
)

func TestARecordIsTheDataOfADocument(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		c.Send("GET /api/treasures/1.jsonapi", "").Reads(200, open+`"data":`+gold+"}").Has("Content-Type", "application/vnd.api+json")
		c.Send("GET /api/users/2", "", "Accept", jsonapi.MediaType).Reads(200, open+`"data":`+bob+"}").Has("Vary", "Accept")
		c.Send("GET /api/tags/a%2Fb.jsonapi", "").Reads(200, open+`"data":{"type":"tags","id":"a/b","attributes":{"color":"red"},"links":{"self":"/api/tags/a%2Fb"}}}`)
		isGolden(t, c.Send("GET /api/treasures/2.jsonapi?include=owner.boss,heir,tags", ""), 200, "item")
	}
}

func TestWhatIsIncludedIsThereOnce(t *testing.T) {
	t.Parallel()
	none := newClient(t, resource.Config{}, resource.Of[User]{}) // the room for what pages include has not been used before
	none.Send("GET /api/users.jsonapi?include=boss", "").HasStatus(200).Mentions(`"data":[],"included":[],`)
	c := newHoard(t, resource.Config{})
	// Bob's boss is on the page itself, so that nothing is to be included.
	c.Send("GET /api/users.jsonapi?include=boss", "").HasStatus(200).Mentions(`"data":[` + ann + `,` + bob + `],"included":[],`)
	c.Send("GET /api/treasures.jsonapi?include=owner.boss,heir", "").HasStatus(200).Mentions(`"included":[` + ann + `,` + bob + `],`)
	c.Send("GET /api/treasures/1.jsonapi?include=heir", "").HasStatus(200).Mentions(`"included":[]`)
	c.Send("GET /api/treasures/1.jsonapi?include=", "").Reads(200, open+`"data":`+gold+"}")
	// Linkage may be left out by the client's own choice alone.
	c.Client.Send("GET /api/treasures/2.jsonapi?include=owner&fields[treasures]=name", "").
		HasStatus(200).Mentions(`"data":{"type":"treasures","id":"2","attributes":{"name":"Tin"},"links"`, `"included":[`+bob+`]`)
	c.Send("PATCH /api/users/1.jsonapi", `{"data":{"type":"users","relationships":{"boss":{"data":{"type":"users","id":"1"}}}}}`).HasStatus(200)
	c.Send("GET /api/users/1.jsonapi?include=boss", "").HasStatus(200).Mentions(`"included":[]`)
}

func TestAPageHasLinksAndTheTotal(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	isGolden(t, c.Send("GET /api/treasures.jsonapi?page[size]=1&page[number]=2&sort=-worth,name&filter[worth][gte]=0&include=owner", ""), 200, "page")
	c.Send("GET /api/treasures.jsonapi?filter[name]=zzz", "").HasStatus(200).Mentions(`"data":[],"links":{"self":"/api/treasures.jsonapi?filter%5Bname%5D=zzz"`, `"prev":null,"next":null`, `"meta":{"totalItems":0}`)
	cursors := c.Send("GET /api/treasures.jsonapi?page[cursor]=&page[size]=1", "").HasStatus(200).Mentions(`&page%5Bcursor%5D=`, `"prev":null`).Body
	_, next, _ := strings.Cut(cursors, `"next":"`)
	next, _, _ = strings.Cut(next, `"`)
	c.Send("GET "+next, "").HasStatus(200).Mentions(`"id":"2"`, `"next":null`)
	c.Send("GET /api/users/2/treasures", "", "Accept", jsonapi.MediaType).HasStatus(200).Mentions(`"data":[{"type":"treasures","id":"2"`)
}

func TestParametersHaveTheNamesOfJSONAPI(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		for query, found := range map[string]string{
			"filter[owner]=2":                          "2",
			"filter[owner][ne]=2":                      "1",
			"filter%5Bworth%5D%5Bgte%5D=3":             "1",
			"sort=-worth&page[size]=1":                 "1",
			"sort=worth&page[size]=1&page[number]=2":   "1",
			"itemsPerPage=1&page=2":                    "2", // Trove's own
			"fields[treasures]=&filter[name]=Gold":     "1",
			"filter[owner]=1&filter[owner]=3&include=": "1",
		} {
			c.Send("GET /api/treasures.jsonapi?"+query, "").HasStatus(200).Mentions(`"data":[{"type":"treasures","id":"` + found + `"`)
		}
		for query, parameter := range map[string]string{
			"page[number]=x":                "page[number]",
			"page[size]=-1":                 "page[size]",
			"page[offset]=1":                "page[offset]",
			"page[number]=1&page[number]=2": "page[number]",
			"include=wood":                  "include",
			"fields[treasures]=wood":        "fields[treasures]",
			"fields[users]=name":            "fields[users]",
			"fields[]=name":                 "fields[]",
			"filter[wood]=1":                "filter[wood]",
			"filter[worth][gte]=x":          "filter[worth][gte]",
			"filter[worth]gte=1":            "filter[worth]gte",
			"filter[]=1":                    "filter[]",
			"filter[page]=2":                "filter[page]",
			"filter[name=1":                 "filter[name",
			"sort=wood":                     "sort",
			"wood=1":                        "wood",
		} {
			c.Send("GET /api/treasures.jsonapi?"+query, "").HasStatus(400).Mentions(`"source":{"parameter":"` + parameter + `"}`)
		}
		c.Send("GET /api/treasures.jsonapi?expend=owner", "").HasStatus(400).Mentions(`did you mean \"include\"`)
		isGolden(t, c.Send("GET /api/treasures.jsonapi?page[size]=x&filter[foo]=2", ""), 400, "parameters")
		c.Send("GET /api/treasures.jsonapi?include=%zz", "").HasStatus(400).Mentions("Percent-encode")
	}
}

func TestParametersOfMediaTypes(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	const of = jsonapi.MediaType
	for accept, status := range map[string]int{
		of: 200, of + ";q=0.5": 200, of + `;profile="https://example.com/p"`: 200, of + ";charset=utf-8": 406, of + `;ext="https://example.com/e"`: 406,
		of + ";x=y, " + of: 200, of + ";x=y, application/json;q=0.1": 200,
	} {
		c.Send("GET /api/treasures/1", "", "Accept", accept).HasStatus(status)
	}
	for sent, status := range map[string]int{of: 200, of + `;profile="https://example.com/p"`: 200, of + ";charset=utf-8": 415, of + `;ext="https://example.com/e"`: 415} {
		c.Send("PATCH /api/treasures/1", `{"data":{"type":"treasures"}}`, "Content-Type", sent).HasStatus(status)
	}
	c.Send("PATCH /api/treasures/1.jsonapi", `{"data":{}}`, "Content-Type", of+";charset=utf-8").HasStatus(415).Mentions(`"source":{"header":"Content-Type"}`)
}

func TestTheEntryPointLinksToCollections(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	c.Send("GET /api", "", "Accept", jsonapi.MediaType).
		Reads(200, open+`"data":[],"links":{"self":"/api","users":"/api/users","tags":"/api/tags","treasures":"/api/treasures"}}`)
	own := newClient(t, resource.Config{}, resource.Of[Tag]{Operations: []operation.Operation{
		operation.Get{URITemplate: "/self/{name}"}, operation.GetCollection{URITemplate: "/self"},
	}})
	own.Send("GET /api", "", "Accept", jsonapi.MediaType).Reads(200, open+`"data":[],"links":{"self":"/api","/self":"/api/self"}}`)
}

func TestOtherValuesAreMeta(t *testing.T) {
	t.Parallel()
	type Wish struct {
		Text string `json:"text" validate:"required"`
	}
	type Reply struct {
		Text string `json:"text"`
	}
	c := newClient(t, resource.Config{}, resource.Of[User]{Operations: append(operation.Standard(),
		operation.Post{Name: "wish", URITemplate: "/users/{id}/wish", Handler: operation.Handle(func(_ context.Context, _ *User, in Wish) (Reply, error) {
			return Reply{in.Text + "!"}, nil
		})},
		operation.Post{Name: "count", URITemplate: "/users/count", Handler: operation.Handle(func(context.Context, *User, Wish) (int, error) { return 3, nil })},
		operation.Post{Name: "wishes", URITemplate: "/users/wishes", Handler: operation.Handle(func(_ context.Context, _ *User, in []Wish) (int, error) { return len(in), nil })},
		operation.GetCollection{Name: "chiefs", URITemplate: "/chiefs", Handler: operation.Handle(func(context.Context, *User, struct{}) ([]User, error) {
			return []User{{ID: 1, Name: "Ann"}}, nil
		})},
	)})
	c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","attributes":{"name":"Ann"}}}`).HasStatus(201)
	accept := []string{"Accept", jsonapi.MediaType}
	c.Send("POST /api/users/1/wish", `{"meta":{"text":"Gold"}}`, accept...).Reads(200, open+`"meta":{"text":"Gold!"}}`)
	c.Send("POST /api/users/1/wish", `{"meta":{"txt":"Gold"}}`, accept...).HasStatus(400).Mentions(`"pointer":"/meta/txt"`, `"pointer":"/meta/text"`)
	c.Send("POST /api/users/1/wish", `{"text":"Gold"}`, accept...).HasStatus(400).Mentions("field meta")
	c.Send("POST /api/users/count", `{"meta":{"text":"x"}}`, accept...).Reads(200, open+`"meta":{"value":3}}`)
	c.Send("POST /api/users/wishes", `{"meta":{"value":[{"text":"x"},{"text":"y"}]}}`, accept...).Reads(200, open+`"meta":{"value":2}}`)
	c.Send("POST /api/users/wishes", `{"meta":{"value":[{"text":"x"},{}]}}`, accept...).HasStatus(400).Mentions(`"pointer":"/meta/value/1/text"`)
	c.Send("POST /api/users/wishes", `{"meta":[]}`, accept...).HasStatus(400).Mentions(`"pointer":"/meta"`)
	c.Send("POST /api/users/count", `{"meta":[1]}`, accept...).HasStatus(400).Mentions(`"errors":[`)
	c.Send("GET /api/chiefs", "", accept...).Reads(200, open+`"data":[{"type":"users","id":"1","attributes":{"name":"Ann"},"relationships":{"boss":{"data":null}},"links":{"self":"/api/users/1"}}],"links":{"self":"/api/chiefs"}}`)
}

func TestTypesAreCalledAsTheirCollections(t *testing.T) {
	t.Parallel()
	type HTTPServer struct {
		ID   int64  `json:"id"`
		Next *int64 `json:"next" api:"ref=HTTPServer"`
	}
	type Robot struct {
		Serial string `json:"serial" api:"id"`
	}
	c := newClient(t, resource.Config{},
		resource.Of[HTTPServer]{},
		resource.Of[Robot]{Operations: []operation.Operation{operation.Get{URITemplate: "/machines/{serial}{._format}"}, operation.Post{URITemplate: "/machines{._format}"}}})
	c.Send("POST /api/http_servers.jsonapi", `{"data":{"type":"http_servers"}}`).HasStatus(201).Mentions(`{"type":"http_servers","id":"1"`)
	c.Send("POST /api/http_servers.jsonapi", `{"data":{"type":"http_servers","relationships":{"next":{"data":{"type":"http_servers","id":"1"}}}}}`).
		HasStatus(201).Mentions(`"next":{"data":{"type":"http_servers","id":"1"}`)
	c.Send("POST /api/machines.jsonapi", `{"data":{"type":"machines","id":"x\ny"}}`).HasStatus(201).Mentions(`{"type":"machines","id":"x\ny","attributes":{},`)
}

func TestNamesThatJSONAPIDoesNotAllowAreMistakes(t *testing.T) {
	t.Parallel()
	type Odd struct {
		ID   int64  `json:"id"`
		Kind string `json:"type"`
	}
	type Other struct {
		Key  string `json:"key" api:"id"`
		ID   int64  `json:"id"`
		Last string `json:"_last"`
	}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), jsonapi.Format)}, resource.Of[Odd]{}, resource.Of[Other]{})
	for _, want := range []string{"JSON:API reserves the field name type; rename it with its json tag", "JSON:API reserves the field name id"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told by %v", want, err)
		}
	}
}

// Clients read only the format they requested, so errors about permissions have it too.
func TestDeniedRequestsAreRejectedInTheFormat(t *testing.T) {
	t.Parallel()
	nobody := access.Bearer("token", func(context.Context, string) (string, access.Scopes, error) { return "", nil, access.ErrCredentials })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{nobody}}, resource.Of[User]{Access: access.Rules{
		Read: access.Authenticated, Create: access.Authenticated, Update: access.Authenticated, Delete: access.Authenticated,
	}})
	for _, request := range []string{"GET /api/users.jsonapi", "POST /api/users.jsonapi"} {
		c.Send(request, "").Has("Content-Type", jsonapi.MediaType).HasStatus(401).Mentions(`"errors":[{"status":"401"`)
	}
	accept := []string{"Accept", jsonapi.MediaType}
	c.Send("GET /api/users", "", append(accept, "Authorization", "Bearer x")...).HasStatus(401).Mentions(`"errors":[{"status":"401"`)
	c.Send("GET /api/users", "", "Accept", "text/x-unheard").Has("Content-Type", "application/problem+json").HasStatus(401).Mentions(`"status":401`)
	c.Send("GET /api/users.unheard", "").Has("Content-Type", "application/problem+json")
}

func TestTheDocumentHasTheSchemasOfJSONAPI(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newHoard(t, resource.Config{}).api, openapi.Config{Title: "Hoard", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	got := doc.Paths.Value("/api/treasures/{id}").Get.Responses.Value("200").Value.Content[jsonapi.MediaType].Schema.Value.Properties["data"].Value
	attributes, relationships := got.Properties["attributes"].Value, got.Properties["relationships"].Value
	if attributes.Properties["name"] == nil || attributes.Properties["id"] != nil || attributes.Properties["owner"] != nil {
		t.Errorf("attributes are described as %v", attributes.Properties)
	}
	if relationships.Properties["owner"] == nil || relationships.Properties["name"] != nil {
		t.Errorf("relationships are described as %v", relationships.Properties)
	}
	if name := got.Properties["type"].Value.Enum; len(name) != 1 || name[0] != "treasures" {
		t.Errorf("the type is described as %v", name)
	}
}

func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("TestDocumentsAreAsDocumented conforms too")
	}
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		openapitest.Conform(t, newHoard(t, resource.Config{References: references}).api, openapitest.Requests(60))
	}
}

// Responses and errors are documents here, because no client requests JSON.
func TestDocumentsAreAsDocumented(t *testing.T) {
	t.Parallel()
	api := spec.NewAPI(t, resource.Config{Formats: append([]format.Format{jsonapi.Format}, format.Standard()...)},
		resource.Of[User]{Inverse: map[string]string{"treasures": "Treasure.owner"}, SparseFields: true},
		resource.Of[Tag]{Errors: validation.Problem},
		resource.Of[Treasure]{Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/users/{owner}/treasures"})})
	openapitest.Conform(t, api, openapitest.Requests(60))
}
