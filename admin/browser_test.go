package admin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Exhibit has a field of every kind.
type Exhibit struct {
	Code     string            `json:"code" api:"id" validate:"max=100"`
	Title    string            `json:"title" validate:"notblank,max=100" api:"title,filter=partial,sort"`
	Story    string            `json:"story" validate:"max=100000"`
	Count    int64             `json:"count" api:"filter=range,sort"`
	Huge     uint64            `json:"huge"`
	Ratio    float64           `json:"ratio"`
	Floor    *int32            `json:"floor" validate:"omitempty,gte=-3,lte=40"`
	Shown    bool              `json:"shown" api:"filter"`
	Fragile  *bool             `json:"fragile"`
	State    string            `json:"state" validate:"oneof=new worn broken" api:"filter,group"`
	Day      string            `json:"day" validate:"omitempty,datetime=2006-01-02"`
	Found    time.Time         `json:"found" api:"filter=range,sort,group"`
	Returned *time.Time        `json:"returned"`
	Email    string            `json:"email" validate:"omitempty,email"`
	Page     string            `json:"page" validate:"omitempty,url"`
	Data     []byte            `json:"data"`
	Secret   string            `json:"secret" api:"writeonly"`
	Place    Place             `json:"place"`
	Second   *Place            `json:"second"`
	Words    []string          `json:"words" validate:"max=5"`
	Colors   []string          `json:"colors" validate:"max=3,unique,dive,oneof=red green blue"`
	Places   []Place           `json:"places" validate:"max=5"`
	Labels   map[string]string `json:"labels"`
	Counts   map[string]int    `json:"counts"`
	Extra    json.RawMessage   `json:"extra"`
	Maker    *int64            `json:"maker" api:"ref=Maker,filter,ondelete=null"`
	Helpers  []int64           `json:"helpers" validate:"max=9" api:"ref=Maker,filter,ondelete=null"`
	Stamp    string            `json:"stamp" api:"createonly"`
	Price    int               `json:"price" api:"aggregate"`
}

// Place is a part of a piece.
type Place struct {
	Street string `json:"street" validate:"max=50"`
	City   string `json:"city" validate:"notblank,max=50"`
}

// Maker is what pieces refer to.
type Maker struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank" api:"title,filter=partial,sort"`
}

// Guest is a caller.
type Guest struct{ Name string }

const hostile = `"><img src=x onerror="complain('markup')"><script>complain('script')</script>{{constructor.constructor('complain(1)')()}}`

func exhibits() (all []Exhibit) {
	for i := range 25 {
		all = append(all, Exhibit{
			Code: fmt.Sprintf("P%02d", i), Title: fmt.Sprintf("Piece %d", i), Count: int64(i), State: "new", Found: time.Date(2026, 1, i+1, 9, 30, 0, 0, time.UTC),
			Place: Place{City: "Rome"},
		})
	}
	maker := int64(1)
	all = append(all, Exhibit{
		Code: "a/b c?#" + `%2e.."<é`, Title: hostile[:100], Story: hostile, State: "worn", Email: "x@example.com", Page: "javascript:complain('link')",
		Count: 1<<63 - 1, Huge: 1<<63 - 1, Ratio: 1e300, Place: Place{Street: hostile[:40], City: hostile[:40]}, Words: []string{hostile, "x@example.com?cc=y@example.com", "\u202eabc", ""}, Colors: []string{"red"},
		Places: []Place{{City: hostile[:40]}}, Labels: map[string]string{hostile: hostile, "__proto__": "x", "constructor": "y"}, Counts: map[string]int{"": 1},
		Extra: json.RawMessage(`{"__proto__":{"polluted":true},"n":12345678901234567890.10,"deep":[[[1]]]}`), Maker: &maker, Helpers: []int64{1, 2}, Data: []byte("<svg onload=complain(1)>"),
	})
	return append(all, Exhibit{Code: "new", Title: "The one with the id new", State: "broken", Place: Place{City: "Oslo"}}, Exhibit{
		Code: "long", Title: "Long", Day: "2026-02-29", Story: long(), State: "new", Place: Place{City: "Rome"},
	})
}

func long() string {
	text := make([]byte, 60000)
	for i := range text {
		text[i] = "long "[i%5]
	}
	return string(text)
}

func publish(_ context.Context, p *Exhibit, _ struct{}) (struct{}, error) {
	p.Shown = true
	return struct{}{}, nil
}

// Move is the body of a handler.
type Move struct {
	City  string `json:"city" validate:"notblank"`
	Until string `json:"until" validate:"omitempty,datetime=2006-01-02"`
}

func move(_ context.Context, p *Exhibit, in Move) (Place, error) {
	p.Place.City = in.City
	return p.Place, nil
}

func later(context.Context, *Exhibit, struct{}) (struct{}, error) {
	req := operation.Error{Status: http.StatusServiceUnavailable, Detail: "Later."}
	return struct{}{}, req
}

func everything(config admin.Config) (*resource.API, error) {
	known := func(_ context.Context, name, password string) (*Guest, access.Scopes, error) {
		if password != "secret" {
			return nil, nil, access.ErrCredentials
		}
		return &Guest{name}, access.Unlimited, nil
	}
	key := func(ctx context.Context, key string) (*Guest, access.Scopes, error) { return known(ctx, "key", key) }
	curator := access.If("curator", func(g *Guest) bool { return g.Name != "visitor" })
	api, err := resource.New(resource.Config{
		Logger: slog.New(slog.DiscardHandler), References: resource.Identifiers,
		Authentication: []access.Scheme{access.Basic("password", known), access.APIKey("key", "X-API-Key", key), access.OpenIDConnect("id", "https://id.example.com/.well-known/openid-configuration", key)},
	}, resource.Of[Exhibit]{
		ShortName: "Piece",
		Store:     memory.New(exhibits()...), Description: "A thing in the gallery.",
		Access: access.Rules{
			Read: access.Authenticated, Create: curator, Update: access.Authenticated, Delete: curator,
			Fields: map[string]access.Field{"price": {Write: access.Any(curator, access.Where("state", "broken"))}},
		},
		Operations: append(operation.Standard(), operation.Aggregate{URITemplate: "/pieces-total"},
			operation.Post{Name: "publish", URITemplate: "/pieces/{code}/publish", Summary: "Publish", Handler: operation.Handle(publish)},
			operation.Post{Name: "move", URITemplate: "/pieces/{code}/move", Summary: "Move", Handler: operation.Handle(move)},
			operation.Post{Name: "later", URITemplate: "/pieces/{code}/later", Summary: "Later", Handler: operation.Handle(later)},
		),
	}, resource.Of[Maker]{
		Store:  memory.New(Maker{Name: "Ann"}, Maker{Name: hostile[:60]}, Maker{Name: "Cleo"}),
		Access: access.Rules{Read: access.Authenticated, Create: curator, Update: curator, Delete: curator},
		Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{ExtraProperties: map[string]any{"standard_put": true}}, operation.Delete{},
		},
	})
	if err != nil {
		return nil, err
	}
	return api, admin.Mount(api, config)
}

// TestTheGalleryIsServed serves the API that .ci/admin-page opens in a browser, with TROVE_TEST_ADMIN=serve. It ends by itself.
func TestTheGalleryIsServed(t *testing.T) {
	t.Parallel()
	api, err := everything(admin.Config{Title: "The gallery", ClientID: "admin", Color: "#7c3aed", Texts: map[string]string{"record.save": "Keep"}})
	if err != nil {
		t.Fatal(err)
	}
	serveFor(t, "serve", api)
}

// serves reports whether the environment names an API.
func serves(name string) bool { return os.Getenv("TROVE_TEST_ADMIN") == name }

// serveFor serves an API for some minutes if the environment names it.
func serveFor(t *testing.T, name string, api http.Handler) {
	t.Helper()
	if !serves(name) {
		return
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	server := &http.Server{Handler: api, ReadHeaderTimeout: time.Minute}
	timer := time.AfterFunc(3*time.Minute, func() { _ = server.Close() })
	defer timer.Stop()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		t.Fatal(err)
	}
}

// config is the config of most tests.
var config = admin.Config{}

// Ticket is the result of a sign-in.
type Ticket struct {
	Token string `json:"token"`
}

// Credentials are the body of a sign-in.
type Credentials struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

// Visit is a sign-in. It has no path.
type Visit struct {
	ID int64 `json:"id"`
}

func ofVisit() resource.Of[Visit] {
	login := func(context.Context, *Visit, Credentials) (Ticket, error) { return Ticket{"ann"}, nil }
	logout := func(context.Context, *Visit, struct{}) (none struct{}, err error) { return none, nil }
	cookie := map[string]string{"Set-Cookie": "The session."}
	return resource.Of[Visit]{Operations: []operation.Operation{
		operation.Post{Name: "enter", URITemplate: "/enter", Handler: operation.Handle(login), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
		operation.Post{Name: "leave", URITemplate: "/leave", Handler: operation.Handle(logout), Access: access.Public, Anonymous: true, ResponseHeader: cookie},
	}}
}

// Polish is the body of a handler.
type Polish struct {
	Cloth string `json:"cloth" validate:"oneof=silk wool"`
}

// museum returns the declarations of a museum: pieces that are open or owned, below rooms, and what people do to them.
func museum() []resource.Declaration {
	own := access.Any(isOwner, isAdmin)
	polish := func(_ context.Context, _ *Piece, in Polish) (Ticket, error) { return Ticket{in.Cloth}, nil }
	return []resource.Declaration{
		resource.Of[Keeper]{
			Access: access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin},
			Store:  memory.New(*keepers["ann"], *keepers["bob"], *keepers["root"]),
		},
		resource.Of[Piece]{
			Store: memory.New(
				Piece{Owner: 1, Open: true, Alfa: "a", Bravo: "one"}, Piece{Owner: 2, Alfa: "b", Bravo: "two"},
				Piece{Owner: 2, Open: true, Alfa: "c", Bravo: "three"},
			),
			Access: access.Rules{
				Read: access.Any(access.Where("open", true), own), Create: own, Update: own, Delete: own,
				Fields: map[string]access.Field{"depth": {Read: isAdmin, Write: isAdmin}},
			},
			Operations: standard(
				operation.GetCollection{URITemplate: "/keepers/{owner}/pieces{._format}"},
				operation.Post{Name: "polish", URITemplate: "/pieces/{id}/polish", Handler: operation.Handle(polish)},
			),
		},
		ofVisit(),
	}
}

// newMuseum serves a museum.
func newMuseum(t testing.TB) *site {
	t.Helper()
	return serve(t, newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, museum()...), config)
}

func TestOnlyGetIsAllowed(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for _, path := range []string{"/admin", "/admin/", "/admin/model", "/admin/permissions", s.dir() + "/admin.css"} {
		status, _, header := s.exchange("", http.MethodPost, path, "{}")
		if status != http.StatusMethodNotAllowed || header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST %s: %d, Allow: %s", path, status, header.Get("Allow"))
		}
		status, _, header = s.exchange("", http.MethodOptions, path, "")
		if status != http.StatusNoContent || header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d, Allow: %s", path, status, header.Get("Allow"))
		}
	}
}
