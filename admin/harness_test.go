package admin_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Keeper is the principal, and a resource itself.
type Keeper struct {
	ID       int64  `json:"id"`
	Codename string `json:"codename" validate:"notblank" api:"filter,sort,unique"`
	Admin    bool   `json:"admin"`
}

var keepers = map[string]*Keeper{
	"ann": {ID: 1, Codename: "ann"}, "bob": {ID: 2, Codename: "bob"}, "root": {ID: 3, Codename: "root", Admin: true},
}

var (
	isAdmin = access.If("admin", func(k *Keeper) bool { return k.Admin })
	isOwner = access.Equal("owner", func(k *Keeper) int64 { return k.ID })
)

// bearer authenticates by the name of the keeper.
var bearer = access.Bearer("token", bearerOf)

func bearerOf(_ context.Context, token string) (*Keeper, access.Scopes, error) {
	if k := keepers[token]; k != nil {
		return k, nil, nil
	}
	return nil, nil, access.ErrCredentials
}

// site is a service with an admin.
type site struct {
	t    testing.TB
	base string
}

// serve serves an API with an admin.
func serve(t testing.TB, api *resource.API, config admin.Config) *site {
	t.Helper()
	if err := admin.Mount(api, config); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	return &site{t, server.URL}
}

// newAPI returns an API, whose log is discarded.
func newAPI(t testing.TB, config resource.Config, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	config.Logger = slog.New(slog.DiscardHandler)
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// exchange sends a request of a caller, "" for an anonymous one.
func (s *site) exchange(caller, method, path, body string, header ...string) (status int, got string, fields http.Header) {
	s.t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, content)
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if caller != "" {
		r.Header.Set("Authorization", "Bearer "+caller)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header
}

// get returns the body of a GET that must succeed.
func (s *site) get(caller, path string) string {
	s.t.Helper()
	status, body, _ := s.exchange(caller, http.MethodGet, path, "")
	if status != http.StatusOK {
		s.t.Fatalf("GET %s as %q: %d %s", path, caller, status, body)
	}
	return body
}

// The parts of the model that tests look at.
type (
	model struct {
		Title     string
		Docs      string
		Home      string
		SignedIn  bool
		SignIn    []map[string]any
		SignOut   *op
		Texts     map[string]string
		Schemas   map[string]json.RawMessage
		Resources []res
		Dashboard []map[string]any
	}
	res struct {
		Name, Singular, Plural, Path, Item, Title  string
		Help, Query                                string
		Identifier, Columns                        []string
		Composed                                   []map[string]string
		Groups                                     []map[string]any
		Fields                                     []field
		List, Get, Create, Update, Remove, History *op
		Aggregate                                  *op
		Custom                                     []*op
		Tabs                                       []tab
		Takes                                      []map[string]string
	}
	field struct {
		Name, Title, Description                                 string
		Widget, Currency                                         string
		Width                                                    int
		Values                                                   map[string]string
		Schema                                                   map[string]any
		Reference                                                map[string]any
		Readable, Create, Update, Required, WriteOnly, ShownOnce bool
	}
	op struct {
		ID, Title, Method, Path, ContentType, Tree, Effect string
		Item, IfMatch, Destructive, InputIsList            bool
		Merges                                             bool
		Input, Output                                      map[string]any
		Types                                              []string
		Parameters                                         []struct{ Name, Kind, Field, Operator string }
	}
	tab struct {
		Kind, Title, Resource, Field, Path string
		List, Create, Add, Remove          *op
	}
)

// model returns the model for a caller.
func (s *site) model(caller string) (m model) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.get(caller, "/admin/model")), &m); err != nil { //nolint:musttag // the names are alike
		s.t.Fatal(err)
	}
	return m
}

// resource returns a resource of the model, an empty one if it has none of that name.
func (m model) resource(name string) res {
	if i := slices.IndexFunc(m.Resources, func(r res) bool { return r.Name == name }); i >= 0 {
		return m.Resources[i]
	}
	return res{}
}

// many returns the operations on many records.
func (r res) many() []*op {
	return slices.DeleteFunc(slices.Clone(r.Custom), func(one *op) bool { return one.Effect == "" })
}

// field returns a field of a resource, an empty one if it has none of that name.
func (r res) field(name string) field {
	if i := slices.IndexFunc(r.Fields, func(f field) bool { return f.Name == name }); i >= 0 {
		return r.Fields[i]
	}
	return field{}
}

// names returns the names of the resources.
func (m model) names() (list []string) {
	for _, r := range m.Resources {
		list = append(list, r.Name)
	}
	return list
}

// standard returns the operations with others.
func standard(others ...operation.Operation) []operation.Operation {
	return append(operation.Standard(), others...)
}
