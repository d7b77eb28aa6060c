package jsonld_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

const lead = `<http://example.com/api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`

func TestResponsesMatchTheGoldenFiles(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	for name, request := range map[string]string{
		"item.jsonld":          "GET /api/ships/1",
		"expanded.jsonld":      "GET /api/ships/1.jsonld?expand=captain.team,crew",
		"page.jsonld":          "GET /api/pirates?page=1&sort=-name",
		"cursor.jsonld":        "GET /api/pirates?cursor=",
		"entrypoint.jsonld":    "GET /api",
		"context.jsonld":       "GET /api/contexts/Ship",
		"documentation.jsonld": "GET /api/docs.jsonld",
		"missing.jsonld":       "GET /api/ships/9",
		"parameter.jsonld":     "GET /api/ships?colour=red",
	} {
		send(t, api, request, "").has("Content-Type", jsonld.MediaType).isGolden(name)
	}
	send(t, api, "POST /api/ships", `{"member":1,"hull":{"size":"x"},"colour":"red","@type":"Ship"}`).isGolden("invalid.jsonld")
}

func TestEveryResponseLinksToTheDocumentation(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	send(t, api, "GET /api/ships/1", "").has("Link", lead).has("Vary", "Accept")
	send(t, api, "GET /api/ships/9", "").has("Link", lead)
	send(t, api, "GET /api", "").has("Link", `</api>; rel="alternate"; type="application/json", `+lead)
	send(t, api, "GET /api/ships/1", "", "Accept", format.JSON).has("Link", "")
	made := send(t, api, "POST /api/teams", `{"name":"Blues"}`).hasStatus(http.StatusCreated)
	made.has("Location", "/api/teams/Blues").has("Content-Location", "/api/teams/Blues").has("Link", lead)
}

func TestWhatIsNotARecordHasAContextOfItsOwn(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	const vocabulary = `{"@context":{"@version":1.1,"@vocab":"/api/docs.jsonld#","hydra":"http://www.w3.org/ns/hydra/core#","xsd":"http://www.w3.org/2001/XMLSchema#",`
	send(t, api, "POST /api/ships/1/shout", `{"text":"Ahoy"}`).is(http.StatusOK, vocabulary+`"heard":{"@id":"heard"},"by":{"@id":"by"}},"heard":"Ahoy","by":1}`)
	send(t, api, "GET /api/count", "").is(http.StatusOK,
		`{"@context":{"value":{"@id":"http://www.w3.org/1999/02/22-rdf-syntax-ns#value","@type":"@json"}},"value":[1,2]}`)
	send(t, api, "GET /api/newest", "").hasStatus(http.StatusOK).mentions(`{"@context":"/api/contexts/Ship","@id":"/api/newest","@type":"Collection","member":[{"@id":"/api/ships/1","@type":"Ship"`)
	send(t, api, "POST /api/ships/1/shout", `{"@id":"/api/ships/1","text":"Ahoy"}`).hasStatus(http.StatusBadRequest)
}

func TestListsAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	names := func(_ context.Context, _ *ship, in []order) (told, error) { return told{in[0].Text, len(in)}, nil }
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format), References: resource.Identifiers}, resource.Of[pirate]{}, resource.Of[team]{},
		resource.Of[ship]{Operations: []operation.Operation{operation.Post{Name: "names", URITemplate: "/names", Handler: operation.Handle(names)}}})
	send(t, api, "POST /api/names", `[{"text":"A"},{"text":"B"}]`).hasStatus(http.StatusOK).mentions(`"heard":"A","by":2}`)
	send(t, api, "POST /api/names", `[{"text":"A"},{"@id":"B"}]`).hasStatus(http.StatusBadRequest).mentions(`"propertyPath":"[1].@id"`)
	doc, err := openapi.Document(api, openapi.Config{Title: "Fleet", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	content := doc.Paths.Value("/api/names").Post.RequestBody.Value.Content
	if got := content[jsonld.MediaType].Schema.Value; !got.Type.Is("array") || got.Items.Ref != content[format.JSON].Schema.Value.Items.Ref {
		t.Errorf("the body is described as %+v", got)
	}
}

func TestBodiesNameTheRecordOfTheRequest(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	whole := send(t, api, "GET /api/pirates/1", "").body
	send(t, api, "PUT /api/pirates/1", whole).is(http.StatusOK, whole)
	send(t, api, "PATCH /api/pirates/1.jsonld", " { \"@id\" : \"/api/pirates/1\" ,\n\"name\":\"Anne\" , \"@type\":\"Pirate\"}").hasStatus(http.StatusOK).mentions(`"name":"Anne"`)
	for body, says := range map[string]string{
		`{"@id":"/api/pirates/2","name":"x"}`:                   `"pointer":"/@id"`,
		`{"@id":7,"name":"x"}`:                                  `@id must be omitted or be the path of the record`,
		`{"@id":"http://h/api/x/api/pirates/1","name":"x"}`:     `"pointer":"/@id"`,
		`{"@id":":///api/pirates/1","name":"x"}`:                `"pointer":"/@id"`,
		`{"name":"x","@type":"Ship"}`:                           `@type must be omitted or be Pirate.`,
		`{"name":"x","@type":7}`:                                `"pointer":"/@type"`,
		`{"@context":{"name":"http://h/other"},"name":"x"}`:     `@context must be omitted or be the context of the API, /api/contexts/Pirate.`,
		`{"@context":"http://h/other","name":"x"}`:              `"pointer":"/@context"`,
		`{"@type":"Pirate","name":"x","@type":"Pirate"}`:        `The body has @type twice.`,
		`{"@graph":[],"name":"x"}`:                              `@graph`,
		`{"name":"x","team":{"@id":"/api/teams/Reds"}}`:         `"propertyPath":"team"`,
		`{"name":"x","@id":"/api/pirates/1"`:                    `"status":400`,
		`[{"@id":"/api/pirates/1"}]`:                            `"status":400`,
		`{"name":"x","name":"y","@type":"Pirate"}`:              `"status":400`,
		`{"@id":"/api/pirates/1","@type":"Pirate","name":"x",}`: `"status":400`,
		``: `"status":400`,
	} {
		send(t, api, "PUT /api/pirates/1", body, "Content-Type", jsonld.MediaType).hasStatus(http.StatusBadRequest).mentions(says).has("Content-Type", jsonld.MediaType)
	}
	for _, body := range []string{
		`{"@context":"http://h/api/contexts/Pirate","@type":["Thing","Pirate"],"@id":"https://h/api/pirates/1"}`,
		`{"@type":"http://h/api/docs.jsonld#Pirate"}`, `{}`, "{\"@type\":\"Pirate\"}\n",
	} {
		send(t, api, "PATCH /api/pirates/1", body).hasStatus(http.StatusOK)
	}
	send(t, api, "POST /api/pirates", `{"@id":"/api/pirates/9","name":"x"}`).hasStatus(http.StatusBadRequest).mentions("@id is set by the service; omit it.")
	send(t, api, "POST /api/pirates", `{"name":"x"}`, "Content-Type", jsonld.MediaType+"; charset=latin1").hasStatus(http.StatusUnsupportedMediaType)
	if last := send(t, api, "GET /api/pirates/1", "").body; !strings.Contains(last, `"name":"Anne"`) {
		t.Errorf("something was saved: %s", last)
	}
}

// What a body says is found at its place, though what names the node is not there any more.
func TestPlacesInBodiesAreThoseThatWereSent(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	plain := send(t, api, "POST /api/pirates", "{        \"name\": \"x\"\n,}", "Content-Type", format.JSON)
	send(t, api, "POST /api/pirates", "{\"@type\":\"Pirate\", \"name\": \"x\"\n,}").hasStatus(plain.status)
}

func TestViolationsHaveTheStatusOfTheResource(t *testing.T) {
	t.Parallel()
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format), Errors: validation.Problem}, resource.Of[team]{})
	send(t, api, "POST /api/teams", `{"name":" "}`).is(http.StatusUnprocessableEntity,
		`{"@context":"/api/contexts/ConstraintViolation","@type":"ConstraintViolation","type":"validation_error","title":"There was a validation error",`+
			`"status":422,"description":"name must not be blank","violations":[{"propertyPath":"name","message":"name must not be blank","code":"notblank"}]}`)
}

// API Platform's admin shows a message next to the field whose name the violation has after the URL of the
// documentation.
func TestViolationsAreInTheVocabularyItself(t *testing.T) {
	t.Parallel()
	got := send(t, newFleet(t), "GET /api/contexts/ConstraintViolation", "")
	var terms struct {
		Context map[string]any `json:"@context"`
	}
	if err := json.Unmarshal([]byte(got.body), &terms); err != nil {
		t.Fatal(err)
	}
	if terms.Context["@vocab"] != "/api/docs.jsonld#" || terms.Context["violations"] != "ConstraintViolation/violations" {
		t.Errorf("the vocabulary is %v, violations are %v", terms.Context["@vocab"], terms.Context["violations"])
	}
	for _, name := range []string{"propertyPath", "message", "code"} {
		if term, ok := terms.Context[name]; ok {
			t.Errorf("%s is %v, not of the vocabulary", name, term)
		}
	}
}

func TestAHiddenRecordRemainsAPath(t *testing.T) {
	t.Parallel()
	type port struct {
		ID   int64 `json:"id"`
		Open bool  `json:"open"`
	}
	type route struct {
		ID    int64   `json:"id"`
		From  int64   `json:"from" api:"ref=Port,expand"`
		Ports []int64 `json:"ports" validate:"max=3" api:"ref=Port,expand"`
	}
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format)}, resource.Of[route]{
		Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
	}, resource.Of[port]{
		Access: access.Rules{Read: access.Where("open", true), Create: access.Public, Update: access.Public, Delete: access.Public},
	})
	for range 2 {
		send(t, api, "POST /api/ports", `{"open":true}`).hasStatus(http.StatusCreated)
	}
	send(t, api, "POST /api/routes", `{"from":"/api/ports/1","ports":["/api/ports/1","/api/ports/2"]}`).hasStatus(http.StatusCreated)
	send(t, api, "PATCH /api/ports/1", `{"open":false}`).hasStatus(http.StatusOK)
	send(t, api, "GET /api/routes/1?expand=from,ports", "").is(http.StatusOK, `{"@context":"/api/contexts/Route","@id":"/api/routes/1","@type":"Route","id":1,`+
		`"from":"/api/ports/1","ports":["/api/ports/1",{"@id":"/api/ports/2","@type":"Port","id":2,"open":true}]}`)
}

func TestReferencesByIdentifiersAreValues(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{References: resource.Identifiers})
	send(t, api, "POST /api/teams", `{"name":"Reds"}`).hasStatus(http.StatusCreated)
	send(t, api, "POST /api/pirates", `{"name":"Ann","team":"Reds"}`).hasStatus(http.StatusCreated).mentions(`"team":"Reds"`)
	send(t, api, "GET /api/contexts/Pirate", "").mentions(`"team":{"@id":"Pirate/team"}`)
	send(t, api, "GET /api/docs.jsonld", "").mentions(`"@id":"#Pirate/team","@type":"Property","domain":"#Pirate","label":"team","range":"xsd:string"`)
}

// The documentation of an API only one resource of which speaks JSON-LD leads to an entrypoint all the same.
func TestTheEntrypointIsThereForOneResource(t *testing.T) {
	t.Parallel()
	api := spec.NewAPI(t, resource.Config{}, resource.Of[team]{Formats: append(format.Standard(), jsonld.Format)}, resource.Of[pirate]{})
	send(t, api, "GET /api/docs.jsonld", "").mentions(`"entrypoint":"/api"`)
	for _, at := range []string{"/api", "/api.jsonld"} {
		send(t, api, "GET "+at, "").has("Content-Type", jsonld.MediaType).mentions(`"@type":"Entrypoint"`).mentions(`"team":"/api/teams"`)
	}
	send(t, api, "GET /api", "", "Accept", format.JSON).has("Link", `</api>; rel="alternate"; type="application/ld+json"`)
}

func TestTimesAndBytesHaveTheirDatatypes(t *testing.T) {
	t.Parallel()
	type letter struct {
		ID   int64     `json:"id"`
		Sent time.Time `json:"sent"`
		Seal []byte    `json:"seal"`
	}
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format)}, resource.Of[letter]{})
	contexts, docs := send(t, api, "GET /api/contexts/Letter", ""), send(t, api, "GET /api/docs.jsonld", "")
	for member, datatype := range map[string]string{"sent": "dateTime", "seal": "base64Binary"} {
		contexts.mentions(fmt.Sprintf(`"%s":{"@id":"Letter/%[1]s","@type":"http://www.w3.org/2001/XMLSchema#%s"}`, member, datatype))
		docs.mentions(fmt.Sprintf(`"label":"%s","range":"xsd:%s"`, member, datatype))
	}
}

func TestTheDocumentationIsGuarded(t *testing.T) {
	t.Parallel()
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format), Logger: slog.New(slog.DiscardHandler)},
		resource.Of[team]{Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}})
	never := access.If("never", func(*struct{}) bool { return false })
	if err := openapi.Mount(api, openapi.Config{Title: "Fleet", Version: "1", Access: never}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/docs.jsonld", "/api/docs.json"} {
		if got := send(t, api, "GET "+path, "").hasStatus(http.StatusForbidden); got.header.Get("ETag") != "" {
			t.Errorf("%s is told of by its tag", path)
		}
	}
}

// Processors fetch contexts again and again.
func TestContextsCanBeCached(t *testing.T) {
	t.Parallel()
	api := newFleet(t)
	for _, path := range []string{"/api/contexts/Ship", "/api/contexts/Error", "/api/contexts/Entrypoint", "/api/docs.jsonld"} {
		whole := send(t, api, "GET "+path, "").hasStatus(http.StatusOK).has("Cache-Control", "no-cache").has("Content-Type", jsonld.MediaType)
		tag := whole.header.Get("ETag")
		send(t, api, "GET "+path, "", "If-None-Match", tag).is(http.StatusNotModified, "")
		send(t, api, "HEAD "+path, "", "If-None-Match", tag).is(http.StatusNotModified, "")
		send(t, api, "GET "+path, "", "If-None-Match", `"x"`).is(http.StatusOK, whole.body)
		send(t, api, "HEAD "+path, "").has("ETag", tag).has("Content-Length", strconv.Itoa(len(whole.body))).is(http.StatusOK, "")
		send(t, newFleet(t), "GET "+path, "").has("ETag", tag)
	}
}

func TestNamesThatMeanSomethingElse(t *testing.T) {
	t.Parallel()
	type odd struct {
		ID   int64  `json:"id"`
		Odd  string `json:"@odd"`
		More string `json:"dc:title"`
	}
	type fine struct {
		ID int64 `json:"id"`
	}
	formats := append(format.Standard(), jsonld.Format)
	for _, test := range []struct {
		of   resource.Declaration
		want string
	}{
		{resource.Of[odd]{}, `format application/ld+json: the field name "@odd" of Odd has another meaning in JSON-LD`},
		{resource.Of[fine]{ShortName: "Collection"}, "Hydra has a class with the name Collection"},
		{resource.Of[fine]{ShortName: "Entrypoint"}, "Hydra has a class with the name Entrypoint"},
	} {
		_, err := resource.New(resource.Config{Formats: formats}, test.of)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %s", err, test.want)
		}
	}
}

// FuzzBodies checks that no body causes more than an error, and that JSON-LD accepts what JSON accepts.
func FuzzBodies(f *testing.F) {
	f.Add([]byte(`{"@id":"/api/pirates/1","@type":"Pirate","name":"a"}`))
	f.Add([]byte(`{"name":"a" , "@context" : {} , "songs":["\"@type\":{"]}`))
	f.Add([]byte("{\"@type\":\"Pirate\"\n}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		api := newAPI(t, resource.Config{})
		made := send(t, api, "POST /api/pirates", string(body), "Content-Type", jsonld.MediaType)
		plain := send(t, api, "POST /api/pirates", string(body), "Content-Type", format.JSON)
		var members map[string]json.RawMessage
		named := json.Unmarshal(body, &members) == nil && (members["@id"] != nil || members["@type"] != nil || members["@context"] != nil)
		switch {
		case made.status != http.StatusCreated && (made.status < 400 || made.status > 499):
			t.Errorf("%q: %d %s", body, made.status, made.body)
		case !named && made.status != plain.status:
			t.Errorf("%q gets %d, as JSON %d", body, made.status, plain.status)
		case !json.Valid([]byte(made.body)):
			t.Errorf("%q gets %s", body, made.body)
		}
	})
}

type buoy struct {
	ID   int64  `json:"id"`
	Note string `json:"note,omitempty"`
}

func newBuoys(t *testing.T, prefix string, declarations ...resource.Declaration) http.Handler {
	t.Helper()
	api := spec.NewAPI(t, resource.Config{Prefix: prefix, Formats: append(format.Standard(), jsonld.Format), Logger: slog.New(slog.DiscardHandler)}, declarations...)
	return api
}

// Fields of the entry point have the names of resources with a small letter, unless that has another meaning.
func TestNamesInTheEntrypoint(t *testing.T) {
	t.Parallel()
	at := func(path string) []operation.Operation {
		return []operation.Operation{operation.GetCollection{Name: "list" + path[1:], URITemplate: path}, operation.Get{Name: "get" + path[1:], URITemplate: path + "/{id}"}}
	}
	api := newBuoys(t, "/", resource.Of[buoy]{ShortName: "Buoy", Operations: at("/big")}, resource.Of[buoy]{ShortName: "buoy", Operations: at("/small")},
		resource.Of[buoy]{ShortName: "Hydra", Operations: at("/heads")}, resource.Of[buoy]{ShortName: "Xsd", Operations: at("/types")}, resource.Of[buoy]{ShortName: "HTTPServer"})
	send(t, api, "GET /", "").is(http.StatusOK, `{"@context":"/contexts/Entrypoint","@id":"/","@type":"Entrypoint",`+
		`"Buoy":"/big","buoy":"/small","Hydra":"/heads","Xsd":"/types","httpServer":"/http_servers"}`)
	send(t, api, "GET /docs.jsonld", "").hasStatus(http.StatusOK).mentions(`"entrypoint":"/"`).mentions(`"@id":"#Entrypoint/Buoy"`).mentions(`"@id":"#Entrypoint/buoy"`)
	send(t, api, "GET /contexts/Entrypoint", "").mentions(`"Hydra":{"@id":"Entrypoint/Hydra","@type":"@id"}`)
	send(t, api, "GET /small", "").mentions(`"@context":"/contexts/buoy","@id":"/small"`)
}

// The documentation omits hidden fields and handlers.
func TestWhatTheDocumentationLeavesOut(t *testing.T) {
	t.Parallel()
	drop := func(context.Context, *buoy, struct{}) (buoy, error) { return buoy{ID: 1}, nil }
	api := newBuoys(t, "",
		resource.Of[buoy]{Operations: []operation.Operation{operation.GetCollection{}, operation.Get{}, operation.Post{Name: "drop", URITemplate: "/buoys", Handler: operation.Handle(drop)}}},
		resource.Of[buoy]{ShortName: "Wreck", Operations: []operation.Operation{operation.GetCollection{Hidden: true}, operation.Get{Hidden: true}}})
	got := send(t, api, "GET /api/docs.jsonld", "").hasStatus(http.StatusOK).mentions(`{"@type":"Operation","title":"dropBuoy",`)
	if strings.Contains(got.body, "reck") {
		t.Errorf("the documentation tells of what is hidden: %s", got.body)
	}
	send(t, api, "GET /api/wrecks", "").hasStatus(http.StatusOK).mentions(`"@context":"/api/contexts/Wreck"`)
	send(t, api, "GET /api/contexts/Wreck", "").hasStatus(http.StatusOK)
}

func TestEmptyResponses(t *testing.T) {
	t.Parallel()
	type word struct {
		Text string `json:"text,omitempty"`
	}
	some := func(context.Context, *buoy, struct{}) ([]*buoy, error) { return []*buoy{nil, {ID: 1}}, nil }
	none := func(context.Context, *buoy, struct{}) (word, error) { return word{}, nil }
	api := newBuoys(t, "", resource.Of[buoy]{Operations: []operation.Operation{
		operation.Get{},
		operation.Get{Name: "none", URITemplate: "/none", Handler: operation.Handle(none)},
		operation.Get{Name: "some", URITemplate: "/some", Handler: operation.Handle(some)},
	}})
	send(t, api, "GET /api/none", "").is(http.StatusOK, `{"@context":{"@version":1.1,"@vocab":"/api/docs.jsonld#","hydra":"http://www.w3.org/ns/hydra/core#",`+
		`"xsd":"http://www.w3.org/2001/XMLSchema#","text":{"@id":"text"}}}`)
	plain := send(t, api, "GET /api/some", "", "Accept", format.JSON)
	if linked := send(t, api, "GET /api/some", ""); linked.status != plain.status || plain.status == http.StatusOK && !strings.Contains(linked.body, `"member":[null,{"@id":"/api/buoys/1"`) {
		t.Errorf("the answer is %d %s, as JSON %d %s", linked.status, linked.body, plain.status, plain.body)
	}
}

// A 5xx shows only the incident; an error of the user shows everything.
func TestErrorsHaveTheFieldsOfProblems(t *testing.T) {
	t.Parallel()
	fail := func(context.Context, *buoy, struct{}) (buoy, error) { return buoy{}, errors.New("secret") }
	refuse := func(context.Context, *buoy, struct{}) (buoy, error) {
		return buoy{}, operation.Error{Status: 402, Type: "https://example.com/unpaid", Title: "Unpaid"}
	}
	api := newBuoys(t, "", resource.Of[buoy]{Operations: []operation.Operation{
		operation.Get{Name: "fail", URITemplate: "/fail", Handler: operation.Handle(fail)}, operation.Get{Name: "refuse", URITemplate: "/refuse", Handler: operation.Handle(refuse)},
	}})
	got := send(t, api, "GET /api/fail", "").hasStatus(http.StatusInternalServerError).mentions(`"description":"Internal Server Error","instance":"urn:uuid:`)
	if strings.Contains(got.body, "secret") {
		t.Errorf("the response reveals the cause: %s", got.body)
	}
	send(t, api, "GET /api/refuse", "").is(http.StatusPaymentRequired, `{"@context":"/api/contexts/Error","@type":"Error","type":"https://example.com/unpaid","title":"Unpaid","status":402,"description":"Unpaid"}`)
}

func TestTheDocumentHasTheSchemasOfJSONLD(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newAPI(t, resource.Config{}), openapi.Config{Title: "Fleet", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	schemas := map[string]json.RawMessage{}
	for name, of := range doc.Components.Schemas {
		if strings.HasSuffix(name, ".jsonld") {
			if schemas[name], err = of.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, at := range map[string]map[string]int{
		"GET /api/teams/{name}": {"#/components/schemas/Team.jsonld": 1}, "POST /api/teams": {"#/components/schemas/Team.jsonld": 1, "#/components/schemas/TeamCreate.jsonld": 1},
		"GET /api/teams": {"#/components/schemas/Team.jsonld": 1},
	} {
		method, path, _ := strings.Cut(name, " ")
		text, err := doc.Paths.Value(path).GetOperation(method).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for ref, want := range at {
			if got := strings.Count(string(text), `"`+ref+`"`); got != want {
				t.Errorf("%s refers to %s %d times, want %d: %s", name, ref, got, want, text)
			}
		}
	}
	text, err := json.MarshalIndent(schemas, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	answer{t: t, body: string(text)}.isGolden("schemas.json")
}

// The first format is the default, so Conform checks JSON-LD here.
func TestTheAPIIsAsDocumented(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a test of package format conforms in each format")
	}
	for name, formats := range map[string][]format.Format{
		"first": append([]format.Format{jsonld.Format}, format.Standard()...),
		"alone": {jsonld.Format},
		"last":  append(format.Standard(), jsonld.Format),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			openapitest.Conform(t, newAPI(t, resource.Config{Formats: formats}), openapitest.Requests(60))
		})
	}
}
