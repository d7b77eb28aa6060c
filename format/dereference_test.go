package format_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// It is for a JSON-LD processor that reads responses without a service: clients/jsonld/expand.mjs.
var answersFile = flag.String("answers", "", "write the answers of JSON-LD to a file, as JSON")

// newMuseum returns an API that has everything, in the formats that take names as they are.
func newMuseum(t *testing.T) (spec.Client, *resource.API) {
	t.Helper()
	formats := append(format.Standard(), jsonld.Format, hal.Format, csv.Format)
	api := spec.NewAPI(t, resource.Config{Formats: formats}, museum()...)
	c := spec.Client{T: t, Handler: api, MediaType: format.JSON}
	fill(c)
	return c, api
}

// walk follows each URL in the responses, once.
type walk struct {
	c         spec.Client
	mediaType string
	answers   map[string]any
	fields    []string // of each request
}

// start is where a client may begin: the entry point, and what only queries lead to.
var start = []string{
	"", "/exhibits?expand=case,cases,keeper,halls,stage", "/exhibits?expand=keeper.Boss,keeper.Hall", "/exhibits?cursor=", "/exhibits?fields=title", "/exhibits?page=9",
	"/cards", "/full", "/newest", "/count", "/part", "/hidden/1", "/quick-halls", "/exhibits/1/reviews?expand=exhibit", "/keepers/2?expand=Boss,Hall", "/honours/medals/gold",
}

// visit follows a URL, and those in its response.
func (w *walk) visit(address, from string) {
	address = strings.TrimPrefix(address, "http://example.com")
	address, _, _ = strings.Cut(address, "#")
	if _, seen := w.answers[address]; seen || !strings.HasPrefix(address, "/api") {
		return
	}
	w.answers[address] = nil
	answer := w.c.Send("GET "+address, "", append([]string{"Accept", w.mediaType}, w.fields...)...)
	contentType, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	if answer.Status != http.StatusOK || contentType != w.mediaType {
		w.c.T.Errorf("%s, to which %s leads, is %d %s: %.200s", address, from, answer.Status, contentType, answer.Body)
		return
	}
	value, err := decodeStrictly(json.NewDecoder(strings.NewReader(answer.Body)))
	if err != nil {
		w.c.T.Errorf("%s: %v: %s", address, err, answer.Body)
		return
	}
	w.answers[address] = value
	for _, link := range regexp.MustCompile(`<([^<>]*)>; rel="([^"]*)"`).FindAllStringSubmatch(strings.Join(answer.Header.Values("Link"), ","), -1) {
		if link[2] != "alternate" {
			w.visit(link[1], address+" by Link")
		}
	}
	w.follow(value, address)
}

// follow follows each string that is a URL, and each template with various values.
func (w *walk) follow(value any, from string) {
	switch value := value.(type) {
	case string:
		if stem, variables, is := strings.Cut(value, "{?"); is {
			for _, query := range fillIn(stem, strings.TrimSuffix(variables, "}")) {
				w.visit(stem+query, from+" by a template")
			}
		} else if !strings.HasSuffix(value, "#") {
			w.visit(value, from)
		}
	case []any:
		for _, element := range value {
			w.follow(element, from)
		}
	case map[string]any:
		for _, member := range value {
			w.follow(member, from)
		}
	}
}

// samples are values of parameters, by their names up to a bracket.
var samples = map[string]string{
	"page": "1", "itemsPerPage": "2", "cursor": "", "found": "2026-01-02T03:04:05Z", "Since": "2026-01-02T03:04:05Z", "worth": "1", "pieces": "2", "lit": "true", "floor": "1", "cents": "1",
	"stage": "/api/stages/shown", "case": "/api/cases/a%2Fb.json;1", "keeper": "/api/keepers/1", "halls": "/api/halls/a%2Fb%2Ejson", "Boss": "/api/keepers/1", "exists": "true", "order": "asc",
	"glass": "true", "case.glass": "true", "stars": "1", "partial": "true", "filter": "{}",
	"id": "1", "ID": "1", "place": "1",
}

// fillIn expands the variables of a collection's template, each alone and all of them together. Names may have what
// RFC 6570 has percent-encoded.
func fillIn(collection, variables string) []string {
	var queries []string
	all := url.Values{}
	for name := range strings.SplitSeq(variables, ",") {
		name = strings.TrimSuffix(name, "*")
		if decoded, err := url.QueryUnescape(name); err == nil {
			name = decoded
		}
		stem, _, _ := strings.Cut(name, "[")
		value, has := samples[stem]
		switch {
		case strings.HasSuffix(name, "[between]"):
			value += ".." + value
		case strings.HasPrefix(collection, "/api/stages") && name == "id": // an enumeration
			value = "shown"
		case has:
		case name == "fields" || name == "expand" || name == "sort":
			continue
		default:
			value = "x"
		}
		queries = append(queries, "?"+url.Values{name: {value}}.Encode())
		all.Set(name, value)
	}
	return append(queries, "?"+all.Encode())
}

// decodeStrictly reads JSON without duplicate names, of which processors would drop all but one.
func decodeStrictly(from *json.Decoder) (any, error) {
	token, err := from.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for from.More() {
			element, err := decodeStrictly(from)
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		_, err = from.Token()
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for from.More() {
			name, err := from.Token()
			if err != nil {
				return nil, err
			}
			text, _ := name.(string)
			if _, twice := object[text]; twice {
				return nil, twiceError{text}
			}
			if object[text], err = decodeStrictly(from); err != nil {
				return nil, err
			}
		}
		_, err = from.Token()
		return object, err
	}
	return token, nil
}

type twiceError struct{ name string }

func (e twiceError) Error() string { return e.name + " is there twice" }

func TestEveryURLInJSONLDExists(t *testing.T) {
	t.Parallel()
	c, _ := newMuseum(t)
	museum := &walk{c: c, mediaType: jsonld.MediaType, answers: map[string]any{}}
	for _, path := range start {
		museum.visit("/api"+path, "the test")
	}
	if museum.answers["/api/docs.jsonld"] == nil || museum.answers["/api/contexts/Keeper"] == nil || len(museum.answers) < 200 {
		t.Errorf("only %d addresses are led to", len(museum.answers))
	}
	museum.change(changes)
	archive := &walk{c: newArchive(t, jsonld.Format), mediaType: jsonld.MediaType, answers: map[string]any{}, fields: []string{"Authorization", "Bearer chief"}}
	archive.visit("/api", "the test")
	archive.change(errorsOfArchive)
	for _, w := range []*walk{museum, archive} {
		w.isDefined()
	}
	if *answersFile != "" {
		text, err := json.Marshal([]any{museum.answers, archive.answers})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(*answersFile, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// isDefined checks that the documentation defines the names of contexts.
func (w *walk) isDefined() {
	w.c.T.Helper()
	defined := map[string]bool{}
	identifiersOf(w.answers["/api/docs.jsonld"], defined)
	for address, answer := range w.answers {
		context, is := answer.(map[string]any)
		if !is || !strings.HasPrefix(address, "/api/contexts/") {
			continue
		}
		meant := map[string]bool{}
		termsOf(context["@context"], meant)
		for name := range meant {
			if !defined["#"+name] {
				w.c.T.Errorf("%s: the documentation does not tell of %s", address, name)
			}
		}
	}
}

// identifiersOf collects what nodes of the documentation are called.
func identifiersOf(value any, into map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			identifiersOf(element, into)
		}
	case map[string]any:
		if id, is := value["@id"].(string); is && len(value) > 1 {
			into[id] = true
		}
		for _, member := range value {
			identifiersOf(member, into)
		}
	}
}

// termsOf collects the IRIs of a context's terms in the API's own vocabulary.
func termsOf(context any, into map[string]bool) {
	terms, _ := context.(map[string]any)
	for name, term := range terms {
		if strings.HasPrefix(name, "@") {
			continue
		}
		id, is := term.(string)
		if whole, isObject := term.(map[string]any); isObject {
			id, is = whole["@id"].(string)
			termsOf(whole["@context"], into)
		}
		if is && !strings.Contains(id, ":") {
			into[id] = true
		}
	}
}

func TestEveryURLInHALExists(t *testing.T) {
	t.Parallel()
	c, _ := newMuseum(t)
	w := &walk{c: c, mediaType: hal.MediaType, answers: map[string]any{}}
	for _, path := range start {
		if path != "/count" { // a number has no links
			w.visit("/api"+path, "the test")
		}
	}
	if len(w.answers) < 200 {
		t.Errorf("only %d addresses are led to", len(w.answers))
	}
}
