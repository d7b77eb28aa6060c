package jsonld_test

import (
	"context"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

var update = flag.Bool("update", false, "write the golden files anew")

type team struct {
	Name string `json:"name" api:"id"`
}

type pirate struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name" validate:"notblank,max=50" api:"filter=partial,sort" doc:"As it is feared."`
	Team  *string  `json:"team" api:"ref=Team,expand"`
	Songs []string `json:"songs" validate:"max=5"`
}

type hull struct {
	Wood string            `json:"wood"`
	Size int               `json:"size"`
	Tags map[string]string `json:"tags"`
}

// ship has a field of each kind, some with names that Hydra has too.
type ship struct {
	ID      int64   `json:"id"`
	Member  string  `json:"member" validate:"max=100"`
	View    bool    `json:"view"`
	Price   float64 `json:"price"`
	Captain int64   `json:"captain" api:"ref=Pirate,expand,filter"`
	Crew    []int64 `json:"crew" validate:"max=9" api:"ref=Pirate,expand"`
	Hull    hull    `json:"hull"`
	Masts   []hull  `json:"masts" validate:"max=4"`
	Any     any     `json:"any"`
	Note    *string `json:"note"`
	Secret  string  `json:"secret" api:"writeonly"`
}

type order struct {
	Text string `json:"text" validate:"notblank"`
}

type told struct {
	Heard string `json:"heard"`
	By    int    `json:"by"`
}

func shout(_ context.Context, s *ship, in order) (told, error) { return told{in.Text, int(s.ID)}, nil }

func count(context.Context, *ship, struct{}) ([]int, error) { return []int{1, 2}, nil }

func newest(context.Context, *ship, struct{}) ([]*ship, error) {
	return []*ship{{ID: 1, Member: "Gull", Captain: 1}}, nil
}

func ships() resource.Of[ship] {
	return resource.Of[ship]{
		Description: "A ship at sea.",
		Operations: append(operation.Standard(),
			operation.Post{Name: "shout", URITemplate: "/ships/{id}/shout", Handler: operation.Handle(shout)},
			operation.Get{Name: "count", URITemplate: "/count", Handler: operation.Handle(count)},
			operation.Get{Name: "newest", URITemplate: "/newest", Handler: operation.Handle(newest)},
			operation.GetCollection{URITemplate: "/pirates/{captain}/ships"},
			operation.Post{Name: "renew", URITemplate: "/renew", Handler: operation.Handle(newest)},
		),
	}
}

func newAPI(t testing.TB, config resource.Config) *resource.API {
	t.Helper()
	if config.Formats == nil {
		config.Formats = append(format.Standard(), jsonld.Format)
	}
	config.Logger = slog.New(slog.DiscardHandler)
	api := spec.NewAPI(t, config, ships(), resource.Of[pirate]{Inverse: map[string]string{"ships": "Ship.captain"}}, resource.Of[team]{})
	return api
}

// newFleet returns an API with two pirates of a team and one of none, and a ship.
func newFleet(t testing.TB) *resource.API {
	t.Helper()
	api := newAPI(t, resource.Config{Pagination: operation.Pagination{ItemsPerPage: 2}})
	for _, made := range [][2]string{
		{"/api/teams", `{"name":"Reds"}`},
		{"/api/pirates", `{"@type":"Pirate","name":"Ann","team":"/api/teams/Reds","songs":["b","a"]}`},
		{"/api/pirates", `{"@context":"/api/contexts/Pirate","name":"Bob","songs":[]}`},
		{"/api/pirates", `{"name":"Eve","team":"/api/teams/Reds"}`},
		{"/api/ships", `{"member":"Gull","view":true,"price":1.5,"captain":"/api/pirates/1","crew":["/api/pirates/2","/api/pirates/3"],` +
			`"hull":{"wood":"oak","size":3,"tags":{"a:b":"c"}},"masts":[{"wood":"fir","size":1,"tags":{}}],"any":{"x":[1]},"secret":"s"}`},
	} {
		send(t, api, "POST "+made[0], made[1]).hasStatus(http.StatusCreated)
	}
	return api
}

type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

func send(t testing.TB, api http.Handler, request, body string, fields ...string) answer {
	t.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", jsonld.MediaType)
	}
	r.Header.Set("Accept", jsonld.MediaType)
	for i := 0; i+1 < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return answer{t, w.Code, w.Header(), w.Body.String()}
}

func (a answer) hasStatus(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("the status is %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

func (a answer) is(status int, body string) {
	a.t.Helper()
	if a.status != status || a.body != body {
		a.t.Errorf("the answer is %d\n%s\nwant %d\n%s", a.status, a.body, status, body)
	}
}

func (a answer) has(field, value string) answer {
	a.t.Helper()
	if got := strings.Join(a.header.Values(field), ", "); got != value {
		a.t.Errorf("%s is %q, want %q", field, got, value)
	}
	return a
}

func (a answer) mentions(text string) answer {
	a.t.Helper()
	if !strings.Contains(a.body, text) {
		a.t.Errorf("the body does not mention %s: %s", text, a.body)
	}
	return a
}

// isGolden compares the body with a file.
func (a answer) isGolden(name string) {
	a.t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(a.body+"\n"), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		a.t.Fatal(err)
	}
	if got := a.body + "\n"; got != string(want) {
		a.t.Errorf("%s differs; look at it and run the test with -update:\n%s\nwant\n%s", path, got, want)
	}
}
