package formats_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

const asLinks = "text/x-links"

// links is a format that writes itself what records refer to, and has documents.
func links() format.Format {
	return format.Format{MediaType: asLinks, Suffix: ".links", ForAPI: func(api *format.API) (format.Format, error) {
		return format.Format{
			Linked: true,
			For:    linksOf,
			Index: func(b []byte, _ []format.Entry) ([]byte, error) {
				return fmt.Appendf(b, "%s has %s", api.Prefix, api.Resources[0].Collection), nil
			},
			Documents: func() []format.Document {
				return []format.Document{
					{Path: "/about", ContentType: "text/plain", Rel: "help", Describes: true, Write: func(b []byte) ([]byte, error) { return aboutOf(b, api), nil }},
					{Path: "/other", Write: func(b []byte) ([]byte, error) { return append(b, "other"...), nil }},
				}
			},
			Supports: func(parameters map[string]string) bool { return len(parameters) == 1 && parameters["profile"] != "" },
			Query: func(query string) (string, error) {
				if strings.Contains(query, "bad") {
					return "", &format.Error{Detail: "It is bad."}
				}
				return strings.ReplaceAll(query, "include=", "expand="), nil
			},
			WriteError: func(b []byte, r *format.ErrorResponse) ([]byte, error) {
				return fmt.Appendf(b, "%d %s", r.Status, r.Body.Name), nil
			},
		}, nil
	}}
}

func aboutOf(b []byte, api *format.API) []byte {
	for _, r := range api.Resources {
		b = fmt.Appendf(b, "%s %s %s by %s:", r.Name, r.Collection, r.Item, r.Type.ID)
		for _, m := range r.Type.Fields {
			b = fmt.Appendf(b, " %s(%v%v%v)", m.Name, m.Readable, m.Writable, m.Required)
			if m.Reference != nil {
				b = fmt.Appendf(b, ">%s", m.Reference.To)
			}
		}
		for _, op := range r.Operations {
			b = fmt.Appendf(b, "\n %s %s %s takes=%v answers=%v %d", op.ID, op.Method, op.Path, op.Expects != nil, op.Returns != nil, len(op.Parameters))
		}
		b = append(b, '\n')
	}
	return b
}

// linksOf writes records as lines: a field on each, and embedded records in brackets.
func linksOf(t *format.Type) (format.Format, error) {
	item := func(b []byte, item format.Item) ([]byte, error) { return appendLinks(b, t, item) }
	return format.Format{
		Item: item,
		Collection: format.Collection{Item: item, End: func(b []byte, page format.Page) ([]byte, error) {
			included, err := page.Included()
			for _, one := range included {
				b = fmt.Appendf(b, "+%s %s ", one.Type(), one.ID())
			}
			return fmt.Appendf(b, "%d parameters", len(page.Parameters())), err
		}},
		Read: func(body *format.Body) ([]byte, error) {
			if string(body.Bytes) != body.Path {
				return nil, &format.Error{Status: http.StatusConflict, Detail: "It is another one."}
			}
			value, _ := t.Fields[1].Reference.AppendValue(nil, "2")
			return fmt.Appendf(nil, `{%q:%s}`, t.Fields[1].Name, value), nil
		},
	}, nil
}

func appendLinks(b []byte, t *format.Type, item format.Item) ([]byte, error) {
	b = append(append(item.AppendPath(b), ' '), item.Type()...)
	members, err := item.Fields()
	for i, m := range members {
		of := t.Fields[i]
		b = fmt.Appendf(b, " %s=%s", m.Name, m.JSON)
		if of.Reference != nil && !of.Reference.Many && string(m.JSON) != "null" {
			b = append(of.Reference.AppendID(append(b, '#'), m.JSON), '@')
			b = of.Reference.AppendPath(b, m.JSON)
		}
		if of.Embedded == nil {
			continue
		}
		inner, shown, err := item.Embedded(m.Name)
		if err != nil || !shown {
			continue
		}
		b = append(b, '[')
		for _, one := range inner {
			if b, err = appendLinks(b, of.Embedded, one); err != nil {
				return b, err
			}
		}
		b = append(b, ']')
	}
	return append(b, '\n'), err
}

func newLinked(t *testing.T, references resource.References) spec.Client {
	t.Helper()
	c := spec.NewClient(t, resource.Config{Formats: append(format.Standard(), links()), References: references},
		resource.Of[spec.Cave]{Operations: append(operation.Standard(), operation.Get{Name: "secret", URITemplate: "/secret/{id}", Hidden: true})},
		resource.Of[spec.Crew]{}, resource.Of[spec.Isle]{})
	return c
}

func TestALinkedFormatWritesWhatRecordsReferToItself(t *testing.T) {
	t.Parallel()
	c := newLinked(t, resource.Paths)
	c.Send("POST /api/isles", `{"name":"Elba"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/crews", `{"name":"Reds","secret":"x","home":"/api/isles/Elba"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/crews", `{"name":"Blues","secret":"x","home":"/api/isles/Elba"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/caves", `{"crew":"/api/crews/1","isles":["/api/isles/Elba"]}`).HasStatus(http.StatusCreated)
	const rest = ` rival=null isles=["/api/isles/Elba"] heir=null`
	c.Send("GET /api/caves/1.links", "").Reads(200, `/api/caves/1 Cave id=1 crew="/api/crews/1"#1@/api/crews/1`+rest+"\n")
	c.Send("GET /api/caves/1.links?include=crew.home", "").Reads(200, `/api/caves/1 Cave id=1 crew="/api/crews/1"#1@/api/crews/1`+
		`[/api/crews/1 Crew id=1 name="Reds" home="/api/isles/Elba"#Elba@/api/isles/Elba[/api/isles/Elba Isle name="Elba"`+"\n]\n]"+rest+"\n")
	c.Send("GET /api/caves/1.json?expand=crew", "").Mentions(`"_embedded":{"crew":{`)
	c.Send("GET /api/caves.links?include=crew.home,rival,isles", "").HasStatus(200).Mentions("rival=null[] isles=").
		Mentions(`+Crew 1 +Isle Elba `).Mentions("6 parameters")
	c.Send("PUT /api/caves/1", "/api/caves/1", "Content-Type", asLinks).HasStatus(200).Mentions(`"crew":"/api/crews/2"`)
	c.Send("PUT /api/caves/1.links", "/api/caves/2", "Content-Type", asLinks).Reads(409, "409 Cave")
}

func TestReferencesByIdentifiersHavePaths(t *testing.T) {
	t.Parallel()
	c := newLinked(t, resource.Identifiers)
	c.Send("POST /api/isles", `{"name":"Elba"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/crews", `{"name":"Reds","secret":"x","home":"Elba"}`).HasStatus(http.StatusCreated)
	c.Send("GET /api/crews/1.links", "").Mentions(`home="Elba"#Elba@/api/isles/Elba`)
	c.Send("POST /api/crews", `{"name":"Blues","secret":"x","home":"Elba"}`).HasStatus(http.StatusCreated)
	c.Send("POST /api/caves", `{"crew":1,"isles":[]}`).HasStatus(http.StatusCreated)
	c.Send("PUT /api/caves/1", "/api/caves/1", "Content-Type", asLinks).HasStatus(200).Mentions(`"crew":2`)
	c.Send("GET /api/caves/1.links", "").Mentions(`crew=2#2@/api/crews/2`)
}

func TestDocumentsOfAFormat(t *testing.T) {
	t.Parallel()
	c := newLinked(t, resource.Paths)
	const lead = `<http://example.com/api/about>; rel="help"`
	about := c.Send("GET /api/about", "").HasStatus(200).Has("Content-Type", "text/plain").Mentions(
		"Cave /api/caves /api/caves/{id} by id: id(truefalsefalse) crew(truetruetrue)>Crew").Mentions("secret(falsetruefalse)").
		Mentions("listCaves GET /api/caves takes=false answers=true 6").Mentions("createCrew POST /api/crews takes=true answers=true 0")
	if strings.Contains(about.Body, "/api/secret") {
		t.Errorf("a hidden operation is told of: %s", about.Body)
	}
	c.Send("GET /api/other", "").Reads(200, "other").Has("Content-Type", asLinks)
	c.Send("OPTIONS /api/other", "").HasStatus(204).Has("Allow", "GET, HEAD, OPTIONS")
	c.Send("GET /api", "", "Accept", asLinks).Reads(200, "/api has /api/caves").Mentions("")
	for _, path := range []string{"GET /api/caves.links", "GET /api/caves/7.links"} {
		if all := strings.Join(c.Send(path, "").Header.Values("Link"), ", "); !strings.Contains(all, lead) {
			t.Errorf("%s leads to %s, want %s", path, all, lead)
		}
	}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), links())},
		resource.Of[spec.Isle]{Operations: []operation.Operation{operation.Get{URITemplate: "/{name}"}}})
	if err == nil || !strings.Contains(err.Error(), "format text/x-links: the path /api/about is already used") {
		t.Errorf("the error is %v", err)
	}
}

func TestAFormatLooksAtParametersOfMediaTypes(t *testing.T) {
	t.Parallel()
	c := newLinked(t, resource.Paths)
	for accept, status := range map[string]int{
		asLinks: 200, asLinks + `;profile="a"`: 200, asLinks + ";q=0.5": 200, asLinks + ";charset=utf-8": 406,
		asLinks + ";x=y, " + asLinks + ";q=0.1": 200, asLinks + ";x=y, application/json": 200, "application/json;charset=utf-8": 200,
	} {
		c.Send("GET /api/caves", "", "Accept", accept).HasStatus(status)
	}
	for sent, status := range map[string]int{asLinks: 409, asLinks + `;profile="a"`: 409, asLinks + ";charset=utf-8": 415, "application/json;charset=utf-8": 400} {
		c.Send("POST /api/caves", "x", "Content-Type", sent).HasStatus(status)
	}
	c.Send("GET /api/caves.links?bad=1", "").HasStatus(400)
	c.Send("GET /api/caves?include=crew", "").IsProblem(400).Mentions("include")
}

func TestAFormatThatCannotBeMadeForAnAPI(t *testing.T) {
	t.Parallel()
	f := links()
	f.ForAPI = func(*format.API) (format.Format, error) {
		return format.Format{}, &json.UnsupportedValueError{Str: "it"}
	}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), f)}, resource.Of[spec.Isle]{})
	if err == nil || !strings.Contains(err.Error(), "Config: format text/x-links: json: unsupported value: it") {
		t.Errorf("the error is %v", err)
	}
}
