package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Keeper is the principal, and a resource itself.
type Keeper struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank" api:"filter,sort,unique"`
	Email string `json:"email" validate:"omitempty,email"`
	Admin bool   `json:"admin"`
}

// Gem has an owner, and others see it once it is published.
type Gem struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name" validate:"notblank,max=40" api:"filter=partial,sort,search" doc:"What it is called."`
	Value     int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Published bool     `json:"published" api:"filter"`
	Note      *string  `json:"note"`
	Tags      []string `json:"tags" validate:"max=3,dive,notblank"`
	Owner     int64    `json:"owner" api:"ref=Keeper,expand,filter"`
}

// Shelf is keyed by a text of the client's, and changed by who knows its state.
type Shelf struct {
	Code  string `json:"code" api:"id" validate:"max=20"`
	Title string `json:"title" validate:"notblank"`
}

// Appraisal is the result of a handler.
type Appraisal struct {
	Worth int    `json:"worth"`
	By    string `json:"by"`
}

// Factor is what a handler takes.
type Factor struct {
	Factor int `json:"factor" validate:"gte=1,lte=10"`
}

var (
	isAdmin = access.If("admin", func(k *Keeper) bool { return k.Admin })
	isSelf  = access.Equal("id", func(k *Keeper) int64 { return k.ID })
	isOwner = access.Equal("owner", func(k *Keeper) int64 { return k.ID })
	isOpen  = access.Where("published", true)
)

var keepers = map[string]*Keeper{
	"ann": {ID: 1, Name: "ann"}, "bob": {ID: 2, Name: "bob"}, "root": {ID: 3, Name: "root", Admin: true},
}

func authenticate(_ context.Context, token string) (*Keeper, access.Scopes, error) {
	switch {
	case token == "outage":
		return nil, nil, errors.New("the directory is away")
	case keepers[token] != nil:
		return keepers[token], access.Unlimited, nil
	}
	return nil, nil, access.ErrCredentials
}

func appraise(ctx context.Context, gem *Gem, in Factor) (Appraisal, error) {
	if gem.Name == "cursed" {
		panic("the secret of the curse")
	}
	if gem.Name == "broken" {
		return Appraisal{}, errors.New("secret of the database")
	}
	by := "nobody"
	if request, ok := operation.RequestFrom(ctx); ok {
		by = request.Principal.(*Keeper).Name
	}
	return Appraisal{gem.Value * in.Factor, by}, nil
}

var gems = resource.Of[Gem]{
	Description: "A stone.",
	Access: access.Rules{
		Read: access.Any(isOpen, isOwner, isAdmin), Create: isOwner, Update: access.Any(isOwner, isAdmin), Delete: isAdmin,
		Fields: map[string]access.Field{"note": {Read: access.Any(isOwner, isAdmin)}},
	},
	Pagination:   operation.Pagination{ItemsPerPage: 3, MaxItemsPerPage: 50},
	SparseFields: true,
	Operations: append(operation.Standard(),
		operation.Post{Name: "appraise", URITemplate: "/gems/{id}/appraise", Handler: operation.Handle(appraise), Status: 200},
		operation.Get{Name: "names", URITemplate: "/gem-names", Access: access.Public, Handler: operation.Handle(
			func(context.Context, *Gem, struct{}) ([]string, error) { return []string{"ruby", "opal"}, nil })},
		operation.Get{Name: "count", URITemplate: "/gem-count", Access: access.Public, Handler: operation.Handle(
			func(context.Context, *Gem, struct{}) (int, error) { return 7, nil })},
		operation.Post{Name: "login", URITemplate: "/login", Access: access.Public, Handler: operation.Handle(
			func(context.Context, *Gem, Factor) (struct{}, error) { return struct{}{}, nil })},
		operation.Post{Name: "secret", URITemplate: "/secret", Hidden: true, Access: access.Public, Handler: operation.Handle(
			func(context.Context, *Gem, Factor) (struct{}, error) { return struct{}{}, nil })},
	),
	Idempotency: time.Hour,
}

var shelves = resource.Of[Shelf]{
	Access:              access.Rules{Read: access.Public, Create: access.Authenticated, Update: access.Authenticated, Delete: isAdmin},
	RequirePrecondition: true,
	Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Put{AllowCreate: true, ExtraProperties: map[string]any{"standard_put": true}},
		operation.Patch{},
		operation.Delete{},
	},
}

// service is an API served over MCP and HTTP by one server.
type service struct {
	t   testing.TB
	url string
	log *lines
}

// lines is a log that many goroutines write.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// declare compiles declarations.
func declare(t testing.TB, config resource.Config, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	api, err := resource.New(config, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func newAPI(t testing.TB, log io.Writer) *resource.API {
	t.Helper()
	api := declare(t, resource.Config{
		Logger:         slog.New(slog.NewTextHandler(log, nil)),
		MaxBodyBytes:   4 << 10,
		Authentication: []access.Scheme{access.Bearer("token", authenticate), access.Cookie("session", "sid", authenticate)},
	}, gems, shelves, resource.Of[Keeper]{Access: access.Rules{
		Read: access.Public, Create: access.Public, Update: access.Any(isSelf, isAdmin), Delete: isAdmin,
		Fields: map[string]access.Field{"email": {Read: access.Any(isSelf, isAdmin)}},
	}})
	return api
}

// newService serves the sample with three keepers and eight gems: the odd ones are ann's, the even
// ones bob's, and two are not published.
func newService(t testing.TB, config mcp.Config) *service {
	t.Helper()
	s := &service{t: t, log: &lines{}}
	api := newAPI(t, s.log)
	config.Without = append(config.Without, "loginGem")
	if err := mcp.Mount(api, config); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	s.url = server.URL
	for _, name := range []string{"ann", "bob", "root"} {
		s.send("root", "POST /api/keepers", `{"name":"`+name+`","email":"`+name+`@x.example"}`, 201)
	}
	for i, name := range []string{"ruby", "opal", "jade", "onyx", "pearl", "topaz", "beryl", "agate"} {
		who, owner := "ann", "/api/keepers/1"
		if i%2 == 1 {
			who, owner = "bob", "/api/keepers/2"
		}
		s.send(who, "POST /api/gems", fmt.Sprintf(`{"name":%q,"value":%d,"published":%v,"note":"of %[1]s","owner":%[4]q}`, name, 10*i, i < 6, owner), 201)
	}
	s.send("ann", "POST /api/shelves", `{"code":"a.json","title":"First"}`, 201)
	return s
}

// send sends an HTTP request as a user, "" for anonymous, and returns the body of the response.
func (s *service) send(who, request, body string, status int) string {
	s.t.Helper()
	got, text, _ := s.exchange(who, request, body)
	if got != status {
		s.t.Fatalf("%s as %q: %d, want %d: %s", request, who, got, status, text)
	}
	return text
}

func (s *service) exchange(who, request, body string, header ...string) (status int, text string, fields http.Header) {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+who)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(read), response.Header
}

// signed adds the credentials of a user to each request.
type signed struct{ who string }

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if s.who != "" {
		r.Header.Set("Authorization", "Bearer "+s.who)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// agent is a client of the SDK's.
type agent struct {
	t testing.TB
	*sdk.ClientSession
}

// agent connects as a user, "" for anonymous.
func (s *service) agent(who string) agent {
	s.t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(s.t.Context(), &sdk.StreamableClientTransport{
		Endpoint: s.url + "/mcp", HTTPClient: &http.Client{Transport: signed{who}}, MaxRetries: -1,
	}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return agent{s.t, session}
}

// output compiles the output schema of a tool, nil for none.
func (a agent) output(name string) *jsonschema.Schema {
	a.t.Helper()
	for tool, err := range a.Tools(a.t.Context(), nil) {
		if err != nil {
			a.t.Fatal(err)
		}
		if tool.Name != name || tool.OutputSchema == nil {
			continue
		}
		text, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			a.t.Fatal(err)
		}
		return compile(a.t, text)
	}
	return nil
}

// tools lists the names of tools.
func (a agent) tools() []string {
	a.t.Helper()
	var names []string
	for tool, err := range a.Tools(a.t.Context(), nil) {
		if err != nil {
			a.t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

// call calls a tool with arguments as JSON.
func (a agent) call(name, arguments string) *sdk.CallToolResult {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		a.t.Fatalf("%s(%s): %v", name, arguments, err)
	}
	return result
}

// text returns the text of a result.
func text(result *sdk.CallToolResult) string {
	var all []string
	for _, content := range result.Content {
		if one, ok := content.(*sdk.TextContent); ok {
			all = append(all, one.Text)
		}
	}
	return strings.Join(all, "\n")
}

// does calls a tool that must succeed, and returns its structured content, which is as the tool's schema says.
func (a agent) does(name, arguments string) map[string]any {
	a.t.Helper()
	result := a.call(name, arguments)
	if result.IsError {
		a.t.Fatalf("%s(%s) failed: %s", name, arguments, text(result))
	}
	switch output := a.output(name); {
	case output == nil && result.StructuredContent != nil:
		a.t.Errorf("%s(%s) has no schema of its content: %s", name, arguments, text(result))
	case output != nil:
		if err := output.Validate(result.StructuredContent); err != nil {
			a.t.Errorf("%s(%s): %s: %v", name, arguments, text(result), err)
		}
	}
	object, _ := result.StructuredContent.(map[string]any)
	return object
}

// fails calls a tool that must return an error, and returns its text.
func (a agent) fails(name, arguments string) string {
	a.t.Helper()
	result := a.call(name, arguments)
	if !result.IsError {
		a.t.Fatalf("%s(%s) succeeded: %s", name, arguments, text(result))
	}
	return text(result)
}
