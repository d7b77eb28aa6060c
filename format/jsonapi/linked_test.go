package jsonapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// document is the part of a response that these tests read.
type document struct {
	Data     json.RawMessage    `json:"data"`
	Included []object           `json:"included"`
	Links    map[string]*string `json:"links"`
}

type identifier struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

type object struct {
	identifier

	Attributes    map[string]any          `json:"attributes"`
	Relationships map[string]relationship `json:"relationships"`
	Links         map[string]string       `json:"links"`
}

type relationship struct {
	Data  json.RawMessage   `json:"data"`
	Links map[string]string `json:"links"`
}

// many returns a value as a list: none for null, one for an object.
func many[T any](t *testing.T, data json.RawMessage) (list []T) {
	t.Helper()
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	if data[0] == '{' {
		data = slices.Concat([]byte("["), data, []byte("]"))
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return list
}

func read(t *testing.T, c client, address string, fields ...string) (made document) {
	t.Helper()
	if err := json.Unmarshal([]byte(c.Send("GET "+address, "", fields...).HasStatus(200).Body), &made); err != nil {
		t.Fatal(err)
	}
	return made
}

// A document contains each record once. It includes the records that the include paths lead to and no others, whether
// the records in between are primary data or included.
func TestADocumentIncludesWhatItsPathsLeadToAndNothingElse(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	random := rand.New(rand.NewPCG(7, 11))
	for i := range 8 {
		c.Send("POST /api/users.jsonapi", `{"data":{"type":"users","attributes":{"name":"x"},"relationships":{"boss":{"data":{"type":"users","id":"`+strconv.Itoa(1+random.IntN(i+2))+`"}}}}}`).HasStatus(201)
		c.Send("POST /api/treasures.jsonapi", of(fmt.Sprintf(`"attributes":{"name":"xx"},"relationships":{"owner":{"data":{"type":"users","id":"%d"}},"heir":{"data":{"type":"users","id":"%d"}},"tags":{"data":[{"type":"tags","id":"old"}]}}`,
			1+random.IntN(i+3), 1+random.IntN(i+3)))).HasStatus(201)
	}
	for range 12 { // circles, too
		c.Send(fmt.Sprintf("PATCH /api/users/%d", 1+random.IntN(10)), fmt.Sprintf(`{"boss":"/api/users/%d"}`, 1+random.IntN(10)), "Content-Type", "application/json").HasStatus(200)
	}
	for range 150 {
		at, paths := "/api/users", []string{"boss"}
		if random.IntN(3) > 0 {
			at, paths = "/api/treasures", []string{"owner", "heir", "tags", "owner.boss", "heir.boss"}
		}
		random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		paths = paths[:1+random.IntN(len(paths))]
		address := at + "/" + strconv.Itoa(1+random.IntN(10)) + ".jsonapi?include=" + strings.Join(paths, ",")
		if random.IntN(2) == 0 {
			address = at + ".jsonapi?include=" + strings.Join(paths, ",") + "&page[number]=" + strconv.Itoa(1+random.IntN(3))
			if at == "/api/treasures" {
				address += "&page[size]=3"
			}
		}
		includesItsPaths(t, address, read(t, c, address), paths)
	}
}

func includesItsPaths(t *testing.T, address string, d document, paths []string) {
	t.Helper()
	data, all := many[object](t, d.Data), map[identifier]object{}
	for _, one := range append(slices.Clone(data), d.Included...) {
		if _, twice := all[one.identifier]; twice {
			t.Errorf("%s: %v is there twice", address, one.identifier)
		}
		all[one.identifier] = one
	}
	reached := map[identifier]bool{}
	for _, path := range paths {
		at := data
		for step := range strings.SplitSeq(path, ".") {
			var next []object
			for _, one := range at {
				for _, to := range many[identifier](t, one.Relationships[step].Data) {
					if _, is := all[to]; !is {
						t.Errorf("%s: %v is not there, to which %s of %v leads", address, to, path, one.identifier)
					}
					reached[to] = true
					next = append(next, all[to])
				}
			}
			at = next
		}
	}
	for _, one := range d.Included {
		if !reached[one.identifier] {
			t.Errorf("%s: no path leads to %v, which is included", address, one.identifier)
		}
	}
}

// fields selects the fields of a type, anywhere in the document.
func TestFieldsAreChosenForAllRecordsOfTheirType(t *testing.T) {
	t.Parallel()
	c := newHoard(t, resource.Config{})
	const name = `"included":[{"type":"users","id":"1","attributes":{"name":"Ann"},"links":{"self":"/api/users/1"}}]`
	const boss = `"included":[{"type":"users","id":"1","attributes":{},"relationships":{"boss":{"data":null}},"links":{"self":"/api/users/1"}}]`
	for _, address := range []string{"/api/users/2.jsonapi?", "/api/users.jsonapi?cursor=&page[size]=1&"} {
		if strings.Contains(address, "cursor") {
			c := newClient(t, resource.Config{}, resource.Of[User]{SparseFields: true, Pagination: operation.Pagination{ItemsPerPage: 1}})
			for _, body := range []string{`"attributes":{"name":"Ann"}`, `"attributes":{"name":"Bob"},"relationships":{"boss":{"data":{"type":"users","id":"1"}}}`} {
				c.Send("POST /api/users.jsonapi", `{"data":{"type":"users",`+body+`}}`).HasStatus(201)
			}
			c.Client.Send("GET /api/users.jsonapi?page[number]=2&include=boss&fields[users]=name", "").HasStatus(200).Mentions(name)
			c.Send("GET /api/users.jsonapi?page[number]=2&include=boss&fields[users]=boss", "").HasStatus(200).Mentions(boss)
			continue
		}
		// Who leaves out the linkage by choice has records without it.
		c.Client.Send("GET "+address+"include=boss&fields[users]=name", "").HasStatus(200).Mentions(`"attributes":{"name":"Bob"},"links"`, name)
		c.Send("GET "+address+"include=boss&fields[users]=boss", "").HasStatus(200).Mentions(`"attributes":{},"relationships":{"boss"`, boss)
		c.Client.Send("GET "+address+"include=boss&fields[users]=", "").HasStatus(200).Mentions(`"included":[{"type":"users","id":"1","attributes":{},"links"`)
	}
	c.Client.Send("GET /api/treasures/2.jsonapi?include=owner.boss&fields[treasures]=owner", "").HasStatus(200).Mentions(`"attributes":{"name":"Bob"},"relationships":{"boss"`)
}

// Each link in a response leads to what it names. Links to pages keep the other parameters of the request.
func TestEveryLinkOfAResponseCanBeFollowed(t *testing.T) {
	t.Parallel()
	for _, references := range []resource.References{resource.Paths, resource.Identifiers} {
		c := newHoard(t, resource.Config{References: references})
		accept := []string{"Accept", jsonapi.MediaType}
		const kept = "sort=-worth,name&filter[worth][gte]=0&include=owner,tags&page[size]=1"
		for _, address := range []string{
			"/api/treasures?" + kept, "/api/treasures?" + kept + "&page[number]=2", "/api/treasures?" + kept + "&page[cursor]=", "/api/users", "/api/users/1/treasures", "/api/treasures/2?include=heir.boss", "/api/tags",
		} {
			d := read(t, c, address, accept...)
			if _, query, _ := strings.Cut(address, "?"); !strings.HasPrefix(string(d.Data), "{") {
				keepsItsQuery(t, c, query, d.Links)
			}
			for _, one := range append(many[object](t, d.Data), d.Included...) {
				if itself := many[object](t, read(t, c, one.Links["self"], accept...).Data); len(itself) != 1 || itself[0].identifier != one.identifier {
					t.Errorf("%v says that it is at %s, where %v is", one.identifier, one.Links["self"], itself)
				}
				for name, r := range one.Relationships {
					if self := r.Links["self"]; self != "" {
						if there := read(t, c, self); string(there.Data) != string(r.Data) || *there.Links["self"] != self {
							t.Errorf("%s of %v is %s, and %s at %s", name, one.identifier, r.Data, there.Data, self)
						}
					}
					related := r.Links["related"]
					if related == "" {
						continue
					}
					there := many[object](t, read(t, c, related, accept...).Data)
					if data := many[identifier](t, r.Data); len(data) > 0 && (len(there) != 1 || there[0].identifier != data[0]) {
						t.Errorf("%s of %v is %v, and at %s is %v", name, one.identifier, data, related, there)
					}
				}
			}
		}
	}
}

func keepsItsQuery(t *testing.T, c client, query string, links map[string]*string) {
	t.Helper()
	want, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	for name, link := range links {
		if link == nil {
			continue
		}
		at, err := url.Parse(*link)
		if err != nil {
			t.Fatal(err)
		}
		for parameter, values := range want {
			if parameter != "page[number]" && parameter != "page[cursor]" && !slices.Equal(at.Query()[parameter], values) {
				t.Errorf("%s leads to %s, without %s", name, *link, parameter)
			}
		}
		there := read(t, c, *link, "Accept", jsonapi.MediaType)
		if name == "self" && (there.Links["self"] == nil || *there.Links["self"] != *link) {
			t.Errorf("%s is at %v", *link, there.Links["self"])
		}
	}
}

// mistakesIn checks the structure of a document against JSON:API 1.1: required and allowed fields, names, full linkage,
// no duplicates. No official schema of 1.1 exists.
func mistakesIn(text string) []string {
	j := judge{named: map[string]bool{}, linked: map[string]bool{}}
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		return []string{err.Error()}
	}
	j.members("the document", document, "jsonapi", "data", "errors", "meta", "links", "included")
	if _, data := document["data"]; data && document["errors"] != nil {
		j.fail("data and errors are both there")
	} else if !data && document["errors"] == nil && document["meta"] == nil {
		j.fail("none of data, errors and meta is there")
	}
	if version, _ := document["jsonapi"].(map[string]any); version["version"] != "1.1" {
		j.fail("jsonapi is %v", document["jsonapi"])
	}
	switch data := document["data"].(type) {
	case map[string]any:
		j.resource(data)
	case []any:
		for _, one := range data {
			j.resource(one)
		}
	}
	included, is := document["included"].([]any)
	if _, has := document["included"]; has && !is {
		j.fail("included is %v", document["included"])
	}
	var names []string
	for _, one := range included {
		names = append(names, j.resource(one))
	}
	for _, name := range names {
		if !j.linked[name] {
			j.fail("%s is included, but nothing refers to it", name)
		}
	}
	j.errors(document["errors"])
	return j.mistakes
}

type judge struct {
	mistakes      []string
	named, linked map[string]bool
}

func (j *judge) fail(text string, args ...any) {
	j.mistakes = append(j.mistakes, fmt.Sprintf(text, args...))
}

func (j *judge) members(what string, of map[string]any, allowed ...string) {
	for name := range of {
		if !slices.Contains(allowed, name) {
			j.fail("%s has a member %s", what, name)
		}
	}
}

var fieldName = regexp.MustCompile(`^[A-Za-z0-9](?:[-_A-Za-z0-9]*[A-Za-z0-9])?$`)

// resource judges a resource object, and returns its name.
func (j *judge) resource(value any) string {
	of, ok := value.(map[string]any)
	if !ok {
		j.fail("a resource is %v", value)
		return ""
	}
	j.members("a resource", of, "type", "id", "attributes", "relationships", "links", "meta")
	name := j.name(of)
	if j.named[name] {
		j.fail("%s is there twice", name)
	}
	j.named[name] = true
	attributes, _ := of["attributes"].(map[string]any)
	relationships, _ := of["relationships"].(map[string]any)
	for field := range attributes {
		if !fieldName.MatchString(field) || field == "id" || field == "type" || relationships[field] != nil {
			j.fail("%s has an attribute %s", name, field)
		}
	}
	for field, value := range relationships {
		relationship, _ := value.(map[string]any)
		if !fieldName.MatchString(field) || len(relationship) == 0 {
			j.fail("%s has a relationship %s of %v", name, field, value)
		}
		j.members("a relationship", relationship, "data", "links", "meta")
		switch data := relationship["data"].(type) {
		case map[string]any:
			j.linkage(data)
		case []any:
			for _, one := range data {
				identifier, _ := one.(map[string]any)
				j.linkage(identifier)
			}
		}
	}
	return name
}

func (j *judge) linkage(identifier map[string]any) {
	j.members("a resource identifier", identifier, "type", "id", "meta")
	j.linked[j.name(identifier)] = true
}

// name returns what names a record, both parts of which are texts.
func (j *judge) name(of map[string]any) string {
	kind, isKind := of["type"].(string)
	id, isID := of["id"].(string)
	if !isKind || !isID || kind == "" || id == "" {
		j.fail("type and id are %v and %v", of["type"], of["id"])
	}
	return kind + " " + id
}

func (j *judge) errors(value any) {
	list, _ := value.([]any)
	if value != nil && len(list) == 0 {
		j.fail("errors are %v", value)
	}
	for _, one := range list {
		of, _ := one.(map[string]any)
		j.members("an error", of, "id", "links", "status", "code", "title", "detail", "source", "meta")
		for _, name := range []string{"id", "status", "code", "title", "detail"} {
			if text, is := of[name].(string); of[name] != nil && (!is || text == "") {
				j.fail("%s of an error is %v", name, of[name])
			}
		}
		source, _ := of["source"].(map[string]any)
		j.members("the source of an error", source, "pointer", "parameter", "header")
		if pointer, is := source["pointer"].(string); is && pointer != "" && !strings.HasPrefix(pointer, "/") {
			j.fail("a pointer is %s", pointer)
		}
	}
}
