package format_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Hall is identified by a string, Case by two of its fields.
type Hall struct {
	Name  string `json:"name" api:"id,filter,sort" validate:"max=40"`
	Floor int    `json:"floor" api:"filter=range|exact"`
	Chief *int64 `json:"chief" api:"ref=Keeper,expand"`
}

type Case struct {
	Hall  string `json:"hall" api:"id,filter"`
	Place int64  `json:"place" api:"id"`
	Glass bool   `json:"glass" api:"filter"`
}

type CaseKey struct {
	Hall  string `json:"hall"`
	Place int64  `json:"place"`
}

// Keeper has no json tags, so JSON has the names of the Go fields: Hall as the resource.
type Keeper struct {
	ID    int64
	Name  string    `api:"filter=partial,sort"`
	Hall  *string   `api:"ref=Hall,expand"`
	Boss  *int64    `api:"ref=Keeper,expand,filter=exact|exists"`
	Since time.Time `api:"createonly,filter=range"`
}

type Stage string

// Piece holds itself, in lists and by a pointer.
type Piece struct {
	Name  string  `json:"name"`
	Parts []Piece `json:"parts"`
	Spare *Piece  `json:"spare"`
	Xsd   string  `json:"xsd,omitempty"`
}

// Traced is embedded in Exhibit, which has its fields as its own.
type Traced struct {
	Found *time.Time `json:"found" api:"filter=range"`
	From  string     `json:"from,omitempty"`
}

type Note struct {
	Text string `json:"text,omitempty"`
	Hush string `json:"hush" api:"writeonly"`
	Sort string `json:"sort,omitempty" api:"readonly"`
}

// Exhibit has a field of each kind.
type Exhibit struct {
	Traced

	ID       int64             `json:"id"`
	Title    string            `json:"title" validate:"notblank,max=50" api:"filter=partial,sort,search" doc:"As the sign says."`
	Hydra    string            `json:"hydra"`
	Template bool              `json:"template"`
	Seal     []byte            `json:"seal"`
	Worth    float64           `json:"worth" api:"filter=range"`
	Pieces   uint16            `json:"pieces" api:"filter=exact|range,sort"`
	Lit      *bool             `json:"lit" api:"filter"`
	Stage    Stage             `json:"stage" api:"ref=Stage,expand,filter"`
	Address  netip.Addr        `json:"address"`
	Opened   *time.Time        `json:"opened"`
	Body     Piece             `json:"body"`
	Notes    []Note            `json:"notes"`
	Labels   map[string]string `json:"labels"`
	Others   map[string]Note   `json:"others"`
	Grid     [][]float64       `json:"grid"`
	Pair     [2]int            `json:"pair"`
	Names    []*string         `json:"names"`
	Times    []time.Time       `json:"times"`
	Raw      json.RawMessage   `json:"raw"`
	Any      any               `json:"any"`
	Case     CaseKey           `json:"case" api:"ref=Case,expand,filter,through=glass"`
	Cases    []CaseKey         `json:"cases" validate:"max=3" api:"ref=Case,expand"`
	Keeper   *int64            `json:"keeper" api:"ref=Keeper,expand,filter=exact|exists,through=Name"`
	Halls    []string          `json:"halls" validate:"max=3" api:"ref=Hall,expand,filter"`
	Secret   string            `json:"secret" api:"writeonly"`
	Made     time.Time         `json:"made" api:"readonly"`
	Strange  string            `json:"größe 50%" api:"filter"`
}

// Review is below exhibits alone.
type Review struct {
	ID      int64 `json:"id"`
	Exhibit int64 `json:"exhibit" api:"ref=Exhibit,expand"`
	Stars   int   `json:"stars" validate:"gte=0" api:"filter"`
}

// Medal is at templates of a user's own: one takes suffixes, the other none.
type Medal struct {
	Name  string `json:"name" api:"id"`
	Metal string `json:"metal"`
}

// Stamp is spoken in JSON alone.
type Stamp struct {
	ID    int64  `json:"id"`
	Medal string `json:"medal" api:"ref=Medal,expand"`
}

// Visit cannot be read one by one.
type Visit struct {
	ID   int64     `json:"id"`
	When time.Time `json:"when"`
}

// Ticket is another type on the wire than in its store.
type Ticket struct {
	ID    int64 `json:"id"`
	Cents int64 `json:"cents" api:"filter,sort"`
}

type TicketCard struct {
	ID    int64   `json:"id"`
	Price float64 `json:"price"`
	Lines []Line  `json:"lines"`
}

type Line struct {
	Text string `json:"text,omitempty"`
}

type TicketForm struct {
	Price float64 `json:"price" validate:"gte=0"`
}

func museum() []resource.Declaration {
	newest := func(context.Context, *Exhibit, struct{}) ([]*Exhibit, error) {
		return []*Exhibit{{ID: 1, Title: "Ring", Case: CaseKey{"a/b.json", 1}, Stage: "shown"}}, nil
	}
	return []resource.Declaration{
		resource.Of[Hall]{Operations: append(operation.Standard(), operation.GetCollection{Name: "quick", URITemplate: "/quick-halls{._format}", Pagination: operation.Pagination{Partial: new(true)}})},
		resource.Of[Case]{Inverse: map[string]string{"exhibits": "Exhibit.case"}},
		resource.Of[Keeper]{Inverse: map[string]string{"exhibits": "Exhibit.keeper"}},
		resource.Enum[Stage]{Values: []Stage{"shown", "in store"}},
		resource.Of[Exhibit]{
			Description: "What there is to see.", SparseFields: true, Pagination: operation.Pagination{ItemsPerPage: 2},
			Operations: append(operation.Standard(),
				operation.GetCollection{URITemplate: "/keepers/{keeper}/exhibits"},
				operation.GetCollection{URITemplate: "/cases/{case}/exhibits{._format}"},
				operation.GetCollection{Name: "cards", URITemplate: "/cards{._format}", View: &operation.View{Name: "Card", Fields: []string{"id", "title", "keeper.Name", "case"}}},
				operation.GetCollection{Name: "full", URITemplate: "/full", Expand: []string{"keeper", "halls"}},
				operation.Get{Name: "newest", URITemplate: "/newest{._format}", Handler: operation.Handle(newest)},
				operation.Post{Name: "choose", URITemplate: "/choose{._format}", Handler: operation.Handle(newest)},
				operation.Get{Name: "count", URITemplate: "/count", Handler: operation.Handle(func(context.Context, *Exhibit, struct{}) (int, error) { return 3, nil })},
				operation.Get{Name: "part", URITemplate: "/part", Handler: operation.Handle(func(context.Context, *Exhibit, struct{}) (Piece, error) {
					return Piece{Name: "x", Parts: []Piece{{Name: "y"}}, Xsd: "z"}, nil
				})},
				operation.Get{Name: "hidden", URITemplate: "/hidden/{id}", Hidden: true},
			),
			Computed: []operation.Computed{operation.Compute("isNew", "Whether it is new.", func(context.Context, *Exhibit) (bool, error) { return true, nil })},
		},
		resource.Of[Review]{Path: "/exhibits/{exhibit}/reviews"},
		resource.Of[Medal]{Operations: []operation.Operation{
			operation.Get{URITemplate: "/honours/medals/{name}"},
			operation.Put{URITemplate: "/honours/medals/{name}", AllowCreate: true},
			operation.GetCollection{URITemplate: "/honours/medals{._format}"},
			operation.Delete{URITemplate: "/honours/medals/{name}"},
		}},
		resource.Of[Stamp]{Formats: format.Standard()},
		resource.Of[Visit]{Operations: []operation.Operation{operation.GetCollection{}, operation.Post{}}},
		resource.Of[Ticket]{
			Output: operation.Output(func(_ context.Context, t *Ticket) (TicketCard, error) {
				return TicketCard{ID: t.ID, Price: float64(t.Cents) / 100, Lines: []Line{{}, {"x"}}}, nil
			}),
			Input: operation.InputOf(func(t *Ticket) TicketForm { return TicketForm{float64(t.Cents) / 100} },
				func(_ context.Context, in TicketForm, t *Ticket) error { t.Cents = int64(in.Price * 100); return nil }),
		},
	}
}

func fill(c spec.Client) {
	c.Send("POST /api/keepers", `{"Name":"Ann","Since":"2026-01-02T03:04:05Z"}`).HasStatus(201)
	c.Send("POST /api/halls", `{"name":"a/b.json","floor":1,"chief":"/api/keepers/1"}`).HasStatus(201)
	c.Send("POST /api/keepers", `{"Name":"Bob","Since":"2026-01-02T03:04:05Z","Boss":"/api/keepers/1","Hall":"/api/halls/a%2Fb%2Ejson"}`).HasStatus(201)
	c.Send("POST /api/cases", `{"hall":"a/b.json","place":1,"glass":true}`).HasStatus(201)
	for _, title := range []string{"Ring", "Crown", "Cup", "Plate", "Spoon"} {
		c.Send("POST /api/exhibits", `{"title":"`+title+`","hydra":"h","seal":"AAAA","worth":1.5,"pieces":2,"lit":true,"stage":"/api/stages/in%20store","address":"::1",
		"opened":null,"body":{"name":"a","parts":[{"name":"b","parts":[],"spare":null}],"spare":{"name":"c","parts":[],"spare":null},"xsd":"q"},"notes":[{"text":"x"},{}],
		"labels":{"a:b":"c","@id":"x"},"others":{"x/y":{}},"grid":[[1],[]],"pair":[1,2],"names":["a",null],"times":["2026-01-02T03:04:05Z"],"raw":{"@type":7},"any":[null],
		"case":"/api/cases/a%2Fb.json;1","cases":["/api/cases/a%2Fb.json;1"],"keeper":"/api/keepers/2","halls":["/api/halls/a%2Fb%2Ejson"],"secret":"s","größe 50%":"g","found":"2026-01-02T03:04:05Z","from":"Rome"}`).HasStatus(201)
	}
	c.Send("POST /api/exhibits/1/reviews", `{"stars":3}`).HasStatus(201)
	c.Send("PUT /api/honours/medals/gold", `{"metal":"Au"}`).HasStatus(201)
	c.Send("POST /api/stamps", `{"medal":"/api/honours/medals/gold"}`).HasStatus(201)
	c.Send("POST /api/visits", `{"when":"2026-01-02T03:04:05Z"}`).HasStatus(201)
	c.Send("POST /api/tickets", `{"price":1.5}`).HasStatus(201)
}

// change is a request that is not a GET, or that fails.
type change struct {
	request, body string
	status        int
	fields        []string
}

// changes are all sorts of them, of a museum.
var changes = []change{
	{"POST /api/keepers", `{"@context":"/api/contexts/Keeper","@type":"Keeper","Name":"Cy","Since":"2026-01-02T03:04:05Z"}`, 201, nil},
	{"PUT /api/keepers/1", `{"@id":"/api/keepers/1","Name":"Anne"}`, 200, nil},
	{"PATCH /api/exhibits/1", `{"@type":"Exhibit","keeper":"/api/keepers/1"}`, 200, nil},
	{"PUT /api/honours/medals/tin", `{"metal":"Sn"}`, 201, nil},
	{"POST /api/visits", `{"when":"2026-01-02T03:04:05Z"}`, 201, nil},
	{"POST /api/tickets", `{"price":2}`, 201, nil},
	{"POST /api/exhibits/1/reviews", `{"stars":5}`, 201, nil},
	{"POST /api/choose", "", 200, nil},
	{"DELETE /api/exhibits/5", "", 204, nil},

	{"GET /api/exhibits/99", "", 404, nil},
	{"DELETE /api/exhibits/99", "", 404, nil},
	{"GET /api/exhibits?colour=red&page=0&worth[gt]=x", "", 400, nil},
	{"GET /api/exhibits?fields=colour&expand=x", "", 400, nil},
	{"POST /api/exhibits", `{"title":"","pieces":-1,"colour":"red","keeper":"/api/keepers/99","halls":["x"],"body":{"parts":[{"name":1}]}}`, 400, nil},
	{"POST /api/exhibits", `{"title":`, 400, nil},
	{"POST /api/exhibits", `{"title":"a","title":"b"}`, 400, nil},
	{"POST /api/exhibits", `[]`, 400, nil},
	{"POST /api/exhibits", strings.Repeat(`{"x":`, 99), 413, nil},
	{"PUT /api/keepers/1", `{"@id":"/api/keepers/2"}`, 400, nil},
	{"PUT /api/keepers/1", `{"@type":"Hall"}`, 400, nil},
	{"POST /api/exhibits", `x`, 415, []string{"Content-Type", "text/plain"}},
	{"POST /api/halls", `{"name":"a/b.json"}`, 409, nil},
	{"DELETE /api/keepers/1", "", 409, nil},
	{"PUT /api/keepers/1", `{}`, 412, []string{"If-Match", `"x"`}},
	{"GET /api/keepers/1", "", 400, []string{"If-None-Match", "x"}},
}

// errorsOfArchive are kinds of errors that the museum cannot return.
var errorsOfArchive = []change{
	{"GET /api/secrets/1", "", 401, nil},
	{"POST /api/secrets", `{"text":"x"}`, 403, []string{"Authorization", "Bearer guest"}},
	{"POST /api/secrets", `{"text":"x","level":1}`, 403, []string{"Authorization", "Bearer clerk"}},
	{"POST /api/secrets", `{"text":" "}`, 422, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets", `{` + unknown(200) + `}`, 422, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets", `{"text":"x"}`, 201, []string{"Authorization", "Bearer chief"}},
	{"POST /api/shelves", `{"room":"a","place":1}`, 201, []string{"Authorization", "Bearer chief"}},
	{"PATCH /api/shelves/a;1", `{"under":"a;1"}`, 200, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets", `{"text":"x","shelf":"a;1","shelves":["a;1"],"like":[1]}`, 201, []string{"Authorization", "Bearer chief"}},
	{"GET /api/secrets/2?expand=shelf.under,shelves,like", "", 200, []string{"Authorization", "Bearer clerk"}},
	{"GET /api/secrets?expand=shelf,shelves,like", "", 200, []string{"Authorization", "Bearer chief"}},
	{"GET /api/secrets?pagination=false", "", 200, []string{"Authorization", "Bearer chief"}},
	{"GET /api/secrets/2?expand=x", "", 400, []string{"Authorization", "Bearer clerk"}},
	{"DELETE /api/secrets/1", "", 428, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets/fail", "", 500, []string{"Authorization", "Bearer chief"}},
	{"POST /api/secrets/refuse", "", 402, []string{"Authorization", "Bearer chief"}},
}

// unknown returns a number of unknown fields.
func unknown(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"x%d":1`, i)
	}
	return strings.Join(names, ",")
}

type Secret struct {
	ID    int64  `json:"id"`
	Text  string `json:"text" validate:"notblank"`
	Level int    `json:"level"`

	Shelf   *ShelfKey  `json:"shelf" api:"ref=Shelf,expand"`
	Shelves []ShelfKey `json:"shelves" validate:"max=3" api:"ref=Shelf,expand"`
	Like    []int64    `json:"like" validate:"max=3" api:"ref=Secret,expand"`
}

// Shelf is identified by two fields, and referred to by an object with them.
type Shelf struct {
	Room  string    `json:"room" api:"id"`
	Place int64     `json:"place" api:"id"`
	Under *ShelfKey `json:"under" api:"ref=Shelf,expand"`
}

type ShelfKey struct {
	Room  string `json:"room"`
	Place int64  `json:"place"`
}

type caller struct{ role string }

// newArchive returns an API that rejects most requests, and has identifiers instead of paths.
func newArchive(t *testing.T, f format.Format) spec.Client {
	t.Helper()
	is := func(role string) access.Rule {
		return access.If(role, func(c *caller) bool { return c.role == role })
	}
	staff := access.Any(is("clerk"), is("chief"))
	fail := func(context.Context, *Secret, struct{}) (struct{}, error) { return struct{}{}, errors.New("lost") }
	refuse := func(context.Context, *Secret, struct{}) (struct{}, error) {
		return struct{}{}, operation.Error{Status: 402, Type: "https://example.com/problems/unpaid", Title: "Unpaid", Detail: "There is a fee."}
	}
	api := spec.NewAPI(t, resource.Config{
		Formats: append(format.Standard(), f), Errors: validation.Problem, Logger: slog.New(slog.DiscardHandler),
		Authentication: []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (*caller, access.Scopes, error) {
			return &caller{token}, access.Unlimited, nil
		})},
		References: resource.Identifiers,
	}, resource.Of[Shelf]{Access: access.Rules{Read: is("chief"), Create: staff, Update: staff, Delete: staff}}, resource.Of[Secret]{
		RequirePrecondition: true,
		Pagination:          operation.Pagination{ClientEnabled: new(true)},
		Access:              access.Rules{Read: staff, Create: staff, Update: staff, Delete: staff, Fields: map[string]access.Field{"level": {Write: is("chief")}}},
		Operations: append(operation.Standard(),
			operation.Post{Name: "fail", URITemplate: "/secrets/fail", Handler: operation.Handle(fail)},
			operation.Post{Name: "refuse", URITemplate: "/secrets/refuse", Handler: operation.Handle(refuse)}),
	})
	return spec.Client{T: t, Handler: api, MediaType: f.MediaType}
}

// change sends changes, and follows the links in the responses.
func (w *walk) change(changes []change) {
	w.c.T.Helper()
	for i, of := range changes {
		answer := w.c.Send(of.request, of.body, append([]string{"Accept", w.mediaType, "Content-Type", w.mediaType}, of.fields...)...)
		if answer.Status != of.status || answer.Body != "" && answer.Header.Get("Content-Type") != w.mediaType {
			w.c.T.Errorf("%s %s is %d %s, want %d: %s", of.request, of.body, answer.Status, answer.Header.Get("Content-Type"), of.status, answer.Body)
			continue
		}
		if answer.Body == "" {
			continue
		}
		value, err := decodeStrictly(json.NewDecoder(strings.NewReader(answer.Body)))
		if err != nil {
			w.c.T.Errorf("%s: %v: %s", of.request, err, answer.Body)
			continue
		}
		w.answers[fmt.Sprintf("%s %d", of.request, i)] = value
		w.follow(value, of.request)
	}
}
