package admin_test

import (
	"context"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAModelIsOfItsCallerAndNotStored(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for who, want := range map[string][]string{"": {"Keeper", "Piece"}, "ann": {"Keeper", "Piece"}, "root": {"Keeper", "Piece"}} {
		m := s.model(who)
		if got := m.names(); !slices.Equal(got, want) || m.SignedIn != (who != "") {
			t.Errorf("%q: resources %v, signed in: %v", who, got, m.SignedIn)
		}
		if got := m.resource("Keeper").Create != nil; got != (who == "root") {
			t.Errorf("%q may create a keeper: %v", who, got)
		}
		if got := m.resource("Piece").Create != nil; got != (who != "") {
			t.Errorf("%q may create a piece: %v", who, got)
		}
	}
	for _, path := range []string{"/admin/model", "/admin/permissions?path=/api/pieces/1"} {
		status, _, header := s.exchange("ann", http.MethodGet, path, "", "Accept-Encoding", "gzip")
		if status != http.StatusOK || header.Get("Cache-Control") != "no-store" || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %v", path, status, header)
		}
		status, body, header := s.exchange("mallory", http.MethodGet, path, "")
		if status != http.StatusUnauthorized || header.Get("Content-Type") != "application/problem+json" || header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s with bad credentials: %d %s", path, status, body)
		}
	}
	_, zipped, _ := s.exchange("ann", http.MethodGet, "/admin/model", "", "Accept-Encoding", "gzip")
	if unzip(t, zipped) != s.get("ann", "/admin/model") {
		t.Error("the compressed model differs")
	}
}

func TestAModelNamesItsSchemas(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	for _, who := range callers {
		body := s.get(who, "/admin/model")
		used := map[string]bool{}
		for _, found := range regexp.MustCompile(`"\$ref":"#/schemas/([^"]+)"`).FindAllStringSubmatch(body, -1) {
			used[found[1]] = true
		}
		schemas := s.model(who).Schemas
		for name := range used {
			if schemas[name] == nil {
				t.Errorf("%q: the schema %s is missing", who, name)
			}
		}
		if len(schemas) != len(used) {
			t.Errorf("%q: %d schemas, but %d are used", who, len(schemas), len(used))
		}
	}
}

func TestPeopleSignInWithTheDeclaredOperationOrAToken(t *testing.T) {
	t.Parallel()
	s := newMuseum(t)
	m := s.model("")
	if len(m.SignIn) != 2 || m.SignIn[0]["kind"] != "form" || m.SignOut == nil || m.SignOut.ID != "leaveVisit" {
		t.Fatalf("%v, out: %v", m.SignIn, m.SignOut)
	}
	form, _ := m.SignIn[0]["operation"].(map[string]any)
	if form["id"] != "enterVisit" || form["path"] != "/api/enter" || m.SignIn[0]["token"] != "token" || m.Schemas["Credentials"] == nil {
		t.Errorf("the form: %v", m.SignIn[0])
	}
	if want := map[string]any{"kind": "token", "title": "token", "of": "bearer", "header": "Authorization", "word": "Bearer"}; !reflect.DeepEqual(m.SignIn[1], want) {
		t.Errorf("got %v, want %v", m.SignIn[1], want)
	}
	if got := m.resource("Visit"); got.Name != "" {
		t.Errorf("the resource of the sign-in is listed: %v", got)
	}
	schemes := []access.Scheme{
		access.Basic("password", func(_ context.Context, name, _ string) (*Keeper, access.Scopes, error) {
			return bearerOf(t.Context(), name)
		}),
		access.APIKey("key", "X-API-Key", bearerOf), access.Token("word", "Token", bearerOf), access.Cookie("session", "session", bearerOf),
	}
	s = serve(t, newAPI(t, resource.Config{Authentication: schemes}, museum()...), admin.Config{SignIn: "leaveVisit", SignOut: "enterVisit"})
	if ways := s.model("").SignIn[1:]; !isJSON(t, ways, `[{"kind":"basic","title":"password"},{"kind":"token","title":"key","of":"apikey","header":"X-API-Key"},
		{"kind":"token","title":"word","of":"token","header":"Authorization","word":"Token"}]`) {
		t.Errorf("the ways to sign in: %v", ways)
	}
	if m := s.model(""); m.SignOut.ID != "enterVisit" {
		t.Errorf("the config names another operation: %v", m.SignOut)
	}
}

func TestTheConfigNamesOrdersAndHidesResources(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, museum()...)
	s := serve(t, api, admin.Config{
		Resources: []admin.Resource{{Name: "Piece", Title: "Exhibits", Columns: []string{"depth", "coral"}}, {Name: "Keeper", Hidden: true}},
		Texts:     map[string]string{"lang": "de", "list.search": "Suchen"},
	})
	m := s.model("root")
	piece := m.resource("Piece")
	if got := m.names(); !slices.Equal(got, []string{"Piece"}) || piece.Plural != "Exhibits" || piece.Singular != "Piece" {
		t.Errorf("%v %s %s", got, piece.Plural, piece.Singular)
	}
	if !slices.Equal(piece.Columns, []string{"depth", "coral"}) || piece.field("owner").Reference != nil {
		t.Errorf("columns %v, owner refers to %v", piece.Columns, piece.field("owner").Reference)
	}
	if got := s.model("ann").resource("Piece").Columns; !slices.Equal(got, []string{"coral"}) {
		t.Errorf("columns of ann: %v", got)
	}
	if m.Texts["list.search"] != "Suchen" || !strings.Contains(s.get("", "/admin"), `<html lang="de">`) {
		t.Errorf("texts: %v", m.Texts)
	}
	if got := s.permissions("root", "/api/keepers/1"); len(got) != 0 {
		t.Errorf("permissions of a resource that is left out: %v", got)
	}
}

func TestAResourceHasWhatPeopleNeed(t *testing.T) {
	t.Parallel()
	m := newMuseum(t).model("root")
	piece, keeper := m.resource("Piece"), m.resource("Keeper")
	if piece.Path != "/api/pieces" || piece.Item != "/api/pieces/{id}" || !slices.Equal(piece.Identifier, []string{"id"}) || keeper.Title != "codename" {
		t.Errorf("%s %s %v %s", piece.Path, piece.Item, piece.Identifier, keeper.Title)
	}
	if got := keeper.Columns; !slices.Equal(got, []string{"codename", "admin"}) {
		t.Errorf("columns: %v", got)
	}
	if u := piece.Update; u == nil || u.Method != http.MethodPatch || u.ContentType != "application/merge-patch+json" || !u.IfMatch {
		t.Errorf("update: %v", u)
	}
	if len(piece.Custom) != 1 || piece.Custom[0].ID != "polishPiece" || !piece.Custom[0].Item || piece.Custom[0].Input["$ref"] != "#/schemas/Polish" ||
		piece.Custom[0].Output["$ref"] != "#/schemas/Ticket" {
		t.Errorf("custom operations: %v", piece.Custom)
	}
	var tabs []string
	for _, tab := range keeper.Tabs {
		tabs = append(tabs, tab.Kind+" "+tab.Title+" "+tab.Resource+"."+tab.Field+" "+tab.List.ID)
	}
	if want := []string{"subresource Pieces (owner) Piece.owner listKeeperPieces", "inverse Pieces (quartz) Piece.quartz listPieces", "inverse Pieces (haven) Piece.haven listPieces"}; !slices.Equal(tabs, want) {
		t.Errorf("tabs: %q, want %q", tabs, want)
	}
	if !isJSON(t, keeper.Takes, `[{"resource":"Piece","field":"owner","effect":"restrict"},{"resource":"Piece","field":"quartz","effect":"clear"},
		{"resource":"Piece","field":"haven","effect":"clear"}]`) {
		t.Errorf("takes: %v", keeper.Takes)
	}
	if got := piece.field("alfa"); !got.Readable || !got.Create || !got.Update || !got.Required || got.Description != "The first." || got.Title != "Alfa" {
		t.Errorf("alfa: %+v", got)
	}
	if got := piece.field("id"); !got.Readable || got.Create || got.Update || got.Title != "ID" {
		t.Errorf("id: %+v", got)
	}
	if want := map[string]any{"resource": "Keeper", "many": false, "inverse": false, "identifiers": false}; !reflect.DeepEqual(piece.field("quartz").Reference, want) {
		t.Errorf("quartz refers to %v", piece.field("quartz").Reference)
	}
}

// Receipt has a field that only the response of a Post shows.
type Receipt struct {
	ID     int64  `json:"id"`
	Number string `json:"number" api:"createonly"`
	Secret string `json:"secret" api:"readonly"`
	Pin    string `json:"pin" api:"writeonly"`
}

func TestFieldsSayWhenTheyAreShownAndSet(t *testing.T) {
	t.Parallel()
	kept := &operation.View{Name: "ReceiptKept", Fields: []string{"id", "number"}}
	s := serve(t, newAPI(t, resource.Config{}, resource.Of[Receipt]{Operations: []operation.Operation{
		operation.Get{View: kept}, operation.GetCollection{View: kept}, operation.Post{}, operation.Patch{},
	}}), admin.Config{})
	r := s.model("").resource("Receipt")
	if got := r.field("secret"); got.Readable || !got.ShownOnce || got.Create {
		t.Errorf("secret: %+v", got)
	}
	if got := r.field("number"); !got.Readable || !got.Create || got.Update {
		t.Errorf("number: %+v", got)
	}
	if got := r.field("pin"); got.Readable || got.ShownOnce || !got.Create || !got.Update || !got.WriteOnly {
		t.Errorf("pin: %+v", got)
	}
	if s.model("").SignedIn || len(s.model("").SignIn) != 0 {
		t.Error("an API without schemes has ways to sign in")
	}
}

// Vault has a hidden field that its rules look at.
type Vault struct {
	ID     int64  `json:"id"`
	Buried bool   `json:"buried" api:"hidden"`
	Name   string `json:"name"`
}

func TestNoModelNamesHiddenFieldsAndRules(t *testing.T) {
	t.Parallel()
	rule := access.Any(access.Where("buried", false), access.Named("the secret circle", isAdmin))
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, resource.Of[Vault]{Access: access.Rules{
		Read: rule, Create: rule, Update: rule, Delete: rule, Fields: map[string]access.Field{"name": {Read: rule, Write: rule}},
	}}, resource.Of[Keeper]{Access: access.Only(isAdmin)})
	s := serve(t, api, admin.Config{})
	for _, who := range callers {
		body := s.get(who, "/admin/model")
		if !strings.Contains(body, `"Vault"`) || strings.Contains(body, "buried") || strings.Contains(body, "circle") {
			t.Errorf("the model of %q: %s", who, body)
		}
	}
}

func TestThePrincipalOfAMiddlewareIsTheCaller(t *testing.T) {
	t.Parallel()
	principal := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if k := keepers[r.Header.Get("X-Keeper")]; k != nil {
				r = r.WithContext(operation.WithPrincipal(r.Context(), k))
			}
			next.ServeHTTP(w, r)
		})
	}
	s := serve(t, newAPI(t, resource.Config{Middleware: []func(http.Handler) http.Handler{principal}}, museum()...), admin.Config{})
	if m := s.model(""); m.SignedIn || m.resource("Piece").field("depth").Name != "" {
		t.Errorf("an anonymous caller: %+v", m)
	}
	_, body, _ := s.exchange("", http.MethodGet, "/admin/model", "", "X-Keeper", "root")
	if !strings.Contains(body, `"signedIn":true`) || !strings.Contains(body, `"depth"`) {
		t.Errorf("root: %s", body)
	}
	_, body, _ = s.exchange("", http.MethodGet, "/admin/permissions?path=/api/pieces/2", "", "X-Keeper", "root")
	if !strings.Contains(body, "patchPiece") {
		t.Errorf("permissions of root: %s", body)
	}
}

// Room, Shelf and Jar are below one another. A Drawer has two fields as its identifier.
type Room struct {
	ID int64 `json:"id"`
}

type Shelf struct {
	ID   int64 `json:"id"`
	Room int64 `json:"room" api:"ref=Room"`
}

type Jar struct {
	ID     int64     `json:"id"`
	Shelf  int64     `json:"shelf" api:"ref=Shelf"`
	Drawer DrawerKey `json:"drawer" api:"ref=Drawer"`
}

type Drawer struct {
	Side  string `json:"side" api:"id"`
	Level int64  `json:"level" api:"id"`
}

type DrawerKey struct {
	Side  string `json:"side"`
	Level int64  `json:"level"`
}

func TestPathsOfTabsHaveTheVariablesOfTheRecord(t *testing.T) {
	t.Parallel()
	s := serve(t, newAPI(t, resource.Config{}, resource.Of[Room]{}, resource.Of[Drawer]{}, resource.Of[Shelf]{Operations: standard(operation.GetCollection{URITemplate: "/rooms/{room}/shelves"})},
		resource.Of[Jar]{Operations: standard(
			operation.GetCollection{URITemplate: "/rooms/{room}/shelves/{shelf}/jars"}, operation.Post{URITemplate: "/rooms/{room}/shelves/{shelf}/jars"},
			operation.GetCollection{URITemplate: "/shelves/{shelf}/jars"}, operation.Post{URITemplate: "/shelves/{shelf}/jars"}, operation.GetCollection{URITemplate: "/drawers/{drawer}/jars"},
		)}), admin.Config{})
	m := s.model("")
	for name, want := range map[string]string{
		"Room":   "/api/rooms/{id}/shelves of /api/rooms/{id}",
		"Shelf":  "/api/shelves/{id}/jars of /api/shelves/{id}",
		"Drawer": "/api/drawers/{side};{level}/jars of /api/drawers/{side};{level}",
	} {
		r := m.resource(name)
		if len(r.Tabs) != 1 || r.Tabs[0].Path+" of "+r.Item != want {
			t.Errorf("%s: %v of %s, want %s", name, r.Tabs, r.Item, want)
		}
	}
	if got := m.resource("Shelf").Tabs; len(got) != 1 || got[0].Create == nil {
		t.Errorf("shelves: %v", got)
	}
}

// Fare has other types in bodies and responses.
type Fare struct {
	ID    int64 `json:"id"`
	Cents int64 `json:"cents" api:"filter"`
}

type FareCard struct {
	ID    int64   `json:"id"`
	Price float64 `json:"price" doc:"In euros."`
	Lines []Flint `json:"lines"`
}

type FareForm struct {
	Price float64 `json:"price" validate:"gte=0"`
	Note  string  `json:"note" validate:"notblank"`
}

func TestFieldsOfOtherTypesAreThoseOfBodiesAndResponses(t *testing.T) {
	t.Parallel()
	api := newAPI(t, resource.Config{}, resource.Of[Fare]{
		Output: operation.Output(func(_ context.Context, f *Fare) (FareCard, error) {
			return FareCard{f.ID, float64(f.Cents) / 100, nil}, nil
		}),
		Input: operation.InputOf(func(f *Fare) FareForm { return FareForm{Price: float64(f.Cents) / 100, Note: "x"} },
			func(_ context.Context, in FareForm, f *Fare) error { f.Cents = int64(in.Price * 100); return nil }),
	})
	s := serve(t, api, admin.Config{Resources: []admin.Resource{{Name: "Fare", Columns: []string{"price"}}}})
	r := s.model("").resource("Fare")
	if got := r.field("price"); !got.Readable || !got.Create || !got.Update || got.Title != "Price" || got.Schema["type"] != "number" {
		t.Errorf("price: %+v", got)
	}
	if got := r.field("note"); got.Readable || !got.Create || !got.Required {
		t.Errorf("note: %+v", got)
	}
	if got := r.field("cents"); got.Name != "" || !slices.Equal(r.Columns, []string{"price"}) {
		t.Errorf("cents: %+v, columns %v", got, r.Columns)
	}
	if got := s.model("").Schemas; got["Flint"] == nil {
		t.Errorf("schemas: %v", got)
	}
	if got := s.permissions("", "/api/fares/1"); len(got) != 0 {
		t.Errorf("a missing record: %v", got)
	}
	s.exchange("", http.MethodPost, "/api/fares", `{"price":1,"note":"x"}`)
	if got := s.permissions("", "/api/fares/1")["/api/fares/1"]; !slices.Contains(got.Operations, "patchFare") || len(got.Locked) != 0 {
		t.Errorf("permissions: %v", got)
	}
}

func TestARuleThatPanicsHidesWhatItGuards(t *testing.T) {
	t.Parallel()
	broken := access.If("broken", func(*Keeper) bool { panic("no") })
	s := serve(t, newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}},
		resource.Of[Keeper]{Access: access.Rules{Read: access.Public, Create: broken, Update: broken, Delete: broken, Fields: map[string]access.Field{"admin": {Read: broken, Write: broken}}}}), admin.Config{})
	if r := s.model("ann").resource("Keeper"); r.List == nil || r.Create != nil || r.Update != nil || r.field("admin").Name != "" {
		t.Errorf("%+v", r)
	}
}
