package openapi_test

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Relic is a resource whose collection has every sort of parameter.
type Relic struct {
	ID    int64      `json:"id"`
	Name  string     `json:"name" api:"filter=partial|range,sort,search" example:"Golden goblet"`
	Motto *string    `json:"motto" api:"filter=iexact|exists,sort"`
	Start string     `json:"start" api:"filter=start"`
	End   string     `json:"end" api:"filter=end"`
	Word  string     `json:"word" api:"filter=word_start"`
	Metal string     `json:"metal" validate:"oneof=gold silver 'white gold'" api:"filter"`
	Stars int        `json:"stars" validate:"oneof=1 2 3" api:"filter"`
	Small int8       `json:"small" api:"filter=exact|range,sort" example:"127"`
	Size  uint16     `json:"size" api:"filter=range"`
	Large int64      `json:"large" api:"filter=exact|range"`
	Score *float64   `json:"score" api:"filter=exact|range|exists,sort"`
	Open  bool       `json:"open" api:"filter,sort"`
	Known *bool      `json:"known" api:"filter"`
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
	Names  []string  `json:"names"`
	Wanted bool      `json:"wanted"`
	Agent  string    `json:"X-Agent" api:"header" validate:"max=3"`
	Marks  []string  `json:"X-Marks" api:"header" validate:"dive,min=2"`
}

// relicsPath is the path of the collection in the document, too.
const relicsPath = "/api/relics"

func relicsOf(records ...Relic) resource.Declaration {
	return resource.Of[Relic]{Store: memory.New(records...), Operations: []operation.Operation{
		operation.GetCollection{
			SparseFields: true, Parameters: operation.Parameters[Wishes]{},
			Pagination: operation.Pagination{ClientEnabled: new(true), ClientPartial: new(true), MaxPage: 50},
		},
		operation.Post{},
	}}
}

// relics is an API with some records.
func relics(t *testing.T) *resource.API {
	t.Helper()
	records := make([]Relic, 5)
	for i := range records {
		records[i] = Relic{ID: int64(i + 1), Name: "a", Start: "a", Metal: "gold", Stars: 1 + i%3, Small: int8(i), Open: i%2 == 0}
	}
	records[0].Motto, records[0].Score, records[0].Lair.Depth = new("a"), new(0.5), new(1)
	return mounted(t, relicsOf(records...))
}

// words are strings that some parameters accept and others reject.
var words = []string{
	"", " ", "a", "1", "-1", "0", "2", "9", "10", "1.0", "1e1", "1.5", "0.5", "-129", "127", "128", "65535", "65536", "9223372036854775807",
	"1e30", "+1", "01", "1.", ".5", "0x1", "NaN", "-0", "1 ", " 1", "1_000", "1,2", "1,2,3",
	"true", "false", "TRUE", "True", "null", "asc", "desc", "ASC", "name", "-name", "name,score", "-score,name,open", "name,", ",name", "id,name", "lair.depth", "lair",
	"2024-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2024-02-29T10:00:00.123456789+02:00", "2024-02-29", "2024-02-29 10:00:00Z", "2024-02-29T24:00:00Z",
	"01890a5d-ac96-774b-bcce-b302099a8057", "01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5d",
	"gold", "white gold", "Gold", "gold,silver", "metric", "ab", "abc", "abcd", "1..2", "2..1", "-1.5..2", "0..65536", "a..b", "a..b..c", "1..", "..1", "..", "...", "1.2", "1...2",
	"2024-01-01T00:00:00Z..2025-01-01T00:00:00Z", "2024-01-01..2025-01-01",
	"01890a5d-ac96-774b-bcce-b302099a8057..01890a5d-ac96-774b-bcce-b302099a8058", "50", "51", "100", "101",
	"é", "日本", "%", "a,b", "ab,cd", "ab, cd", "[]", "{}", `"a"`, "'", strings.Repeat("x", 200), strings.Repeat("x", 201), strings.Repeat("é", 200),
}

// parameter is a parameter as the document has it.
type parameter struct {
	name, in, kind, format string
	many, list             bool // a list, in several parameters or in one
	schema                 *jsonschema.Schema
	side                   *parameter // of a range: what judges its values
	cursor                 string     // the one that the service gave
	examples               []any
}

// parametersOf reads the parameters of the collection of relics.
func parametersOf(t *testing.T, api http.Handler) []*parameter {
	t.Helper()
	document := documentOf(t, api)
	var list []*parameter
	byName := map[string]*parameter{}
	for i, each := range document.at(t, "paths", relicsPath, "get", "parameters").([]any) {
		p := readParameter(tree(each.(map[string]any)))
		if p.in == "header" {
			continue // a condition, which may leave a response without a body
		}
		p.schema = document.schemaAt(t, pointer("paths", relicsPath, "get", "parameters", strconv.Itoa(i), "schema"))
		list, byName[p.name] = append(list, p), p
	}
	for _, p := range list {
		switch p.format {
		case "range":
			p.side = byName[strings.Replace(p.name, "[between]", "[gte]", 1)]
		case "cursor":
			p.cursor = nextCursor(t, api)
		}
	}
	return list
}

func readParameter(object tree) *parameter {
	schema := object["schema"].(map[string]any)
	p := &parameter{name: object["name"].(string), in: object["in"].(string)}
	p.examples, _ = schema["examples"].([]any)
	if own, ok := object["example"]; ok {
		p.examples = append(p.examples, own)
	}
	if schema["type"] == "array" {
		explode, given := object["explode"].(bool)
		p.list = p.in == "header" || given && !explode
		p.many = !p.list
		schema = schema["items"].(map[string]any)
	}
	p.kind, _ = schema["type"].(string)
	p.format, _ = schema["format"].(string)
	return p
}

// nextCursor returns the cursor in a response.
func nextCursor(t *testing.T, api http.Handler) string {
	t.Helper()
	link := get(t, api, relicsPath+"?cursor=&itemsPerPage=2").Header().Get("Link")
	_, rest, found := strings.Cut(link, `>; rel="first", <`)
	address, _, _ := strings.Cut(rest, ">")
	next, err := url.Parse(address)
	if !found || err != nil || next.Query().Get("cursor") == "" {
		t.Fatalf("the Link is %q (%v)", link, err)
	}
	return next.Query().Get("cursor")
}

// judge says what the document has against the texts of a parameter, nil for nothing.
func (p *parameter) judge(texts ...string) error {
	var values []any
	for _, text := range texts {
		if p.list {
			values = append(values, p.scalars(text)...)
		} else {
			values = append(values, p.scalar(text))
		}
	}
	if !p.list && !p.many {
		if len(texts) != 1 {
			return errors.New("is one value")
		}
		return errors.Join(p.schema.Validate(values[0]), p.judgeFormat(texts[0]))
	}
	return p.schema.Validate(values)
}

// judgeFormat asserts the formats that only the service knows.
func (p *parameter) judgeFormat(text string) error {
	switch p.format {
	case "cursor":
		if text != "" && text != p.cursor {
			return errors.New("is no cursor")
		}
	case "range":
		low, high, ok := strings.Cut(text, "..")
		if !ok {
			return errors.New("is no range")
		}
		return errors.Join(p.side.judge(low), p.side.judge(high))
	}
	return nil
}

// scalars reads a list in one text.
func (p *parameter) scalars(text string) []any {
	var values []any
	for each := range strings.SplitSeq(text, ",") {
		if p.in == "header" {
			each = strings.TrimSpace(each)
		}
		values = append(values, p.scalar(each))
	}
	return values
}

// scalar converts a string to the value that the schema validates.
func (p *parameter) scalar(text string) any {
	if p.kind == "string" || strings.HasPrefix(text, `"`) || text != strings.TrimSpace(text) {
		return text
	}
	if value, err := jsonschema.UnmarshalJSON(strings.NewReader(text)); err == nil {
		return value
	}
	return text
}

// given are values of parameters in a request.
type given map[*parameter][]string

// ask sends a request with parameters.
func ask(t *testing.T, api http.Handler, all given) (status int, body string, header http.Header) {
	t.Helper()
	query, fields := url.Values{}, []string{}
	for p, texts := range all {
		if p.in == "header" {
			fields = append(fields, p.name, strings.Join(texts, ","))
			continue
		}
		query[p.name] = append(query[p.name], texts...)
	}
	w := get(t, api, relicsPath+"?"+query.Encode(), fields...)
	return w.Code, w.Body.String(), w.Header()
}

// String returns the parameters, for messages of failing tests.
func (all given) String() string {
	var text []string
	for p, texts := range all {
		text = append(text, p.name+"="+strings.Join(texts, "&"+p.name+"="))
	}
	return strings.Join(slices.Sorted(slices.Values(text)), " ")
}
