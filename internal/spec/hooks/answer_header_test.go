package hooks_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// asked returns the request that a function runs in.
func asked(ctx context.Context) *operation.Request {
	req, _ := operation.RequestFrom(ctx)
	return req
}

// doing is a Post at /api/do whose handler calls set and returns 204.
func doing(set func(req *operation.Request) error) operation.Operation {
	return operation.Post{Name: "do", URITemplate: "/do", Handler: operation.Handle(
		func(ctx context.Context, _ *spec.DragonTreasure, _ struct{}) (struct{}, error) {
			return struct{}{}, set(asked(ctx))
		})}
}

func TestAHandlerSetsHeadersOfItsResponse(t *testing.T) {
	t.Parallel()
	c := custom(t, doing(func(req *operation.Request) error {
		req.ResponseHeader.Set("location", "/api/elsewhere")
		req.ResponseHeader.Set("Location", "/api/users/1")
		req.ResponseHeader.Add("Set-Cookie", "a=1; HttpOnly")
		req.ResponseHeader.Add("Set-Cookie", "b=2")
		req.ResponseHeader.Set("Cache-Control", "no-store")
		req.ResponseHeader.Set("Content-Disposition", "attachment")
		return nil
	}))
	did := c.Send("POST /api/do", "").Is(204, "").Has("Location", "/api/users/1").Has("Cache-Control", "no-store").
		Has("Content-Disposition", "attachment").Has("Content-Type", "")
	if got := did.Header.Values("Set-Cookie"); !slices.Equal(got, []string{"a=1; HttpOnly", "b=2"}) {
		t.Errorf("the cookies are %q", got)
	}
	c.Send("GET /api/dragon_treasures/1", "").Has("Set-Cookie", "").Has("Location", "") // another request has none of it
}

func TestHeaderFieldsOfFunctionsAreAdded(t *testing.T) {
	t.Parallel()
	outer := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", "outer=1")
			w.Header().Set("X-Frame-Options", "DENY")
			w.Header().Set("Vary", "Origin")
			next.ServeHTTP(w, r)
		})
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{outer}}, resource.Of[spec.DragonTreasure]{
		Computed: []operation.Computed{operation.Compute("seen", "", func(ctx context.Context, _ *spec.DragonTreasure) (bool, error) {
			asked(ctx).ResponseHeader.Set("Set-Cookie", "inner=2")
			asked(ctx).ResponseHeader.Set("X-Frame-Options", "SAMEORIGIN")
			asked(ctx).ResponseHeader.Set("Vary", "DNT")
			asked(ctx).ResponseHeader.Set("Link", `</license>; rel="license"`)
			return true, nil
		})},
		Pagination: operation.Pagination{ItemsPerPage: 1},
		Store:      memory.New(spec.DragonTreasure{Name: "Cup"}, spec.DragonTreasure{Name: "Ring"}),
	})
	for _, request := range []string{"GET /api/dragon_treasures/1", "HEAD /api/dragon_treasures/1", "GET /api/dragon_treasures"} {
		got := c.Send(request, "").HasStatus(200).Has("X-Frame-Options", "SAMEORIGIN").Header
		if cookies := got.Values("Set-Cookie"); !slices.Equal(cookies, []string{"outer=1", "inner=2"}) {
			t.Errorf("%s: the cookies are %q", request, cookies)
		}
		if vary := strings.Join(got.Values("Vary"), ", "); vary != "Origin, Accept, DNT" {
			t.Errorf("%s: Vary is %s", request, vary)
		}
		if links := strings.Join(got.Values("Link"), ", "); !strings.HasSuffix(links, `</license>; rel="license"`) ||
			strings.HasSuffix(request, "treasures") && !strings.Contains(links, `rel="next"`) {
			t.Errorf("%s: Link is %s", request, links)
		}
	}
	tag := c.Send("GET /api/dragon_treasures/1", "").Header.Get("ETag")
	c.Send("GET /api/dragon_treasures/1", "", "If-None-Match", tag).Is(304, "").Has("X-Frame-Options", "SAMEORIGIN")
}

func TestAnErrorResponseHasNoHeaderThatAFunctionHasSet(t *testing.T) {
	t.Parallel()
	declared := resource.Of[spec.DragonTreasure]{
		Prepare: func(_ context.Context, req *operation.Request, _ *spec.DragonTreasure) error {
			req.ResponseHeader.Set("Set-Cookie", "a=1")
			return nil
		},
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, record *spec.DragonTreasure, save operation.Save[spec.DragonTreasure]) error {
			if err := save(ctx, record); err != nil || record.Value == 0 {
				return err
			}
			return operation.Error{Status: record.Value}
		}),
	}
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("POST /api/dragon_treasures", `{"name":"Cup"}`).HasStatus(201).Has("Set-Cookie", "a=1").Has("Location", "/api/dragon_treasures/1")
	c.Send("POST /api/dragon_treasures", `{"name":"C"}`).HasStatus(400).Has("Set-Cookie", "")
	c.Send("POST /api/dragon_treasures", `{"name":"Cup","value":409}`).IsProblem(409).Has("Set-Cookie", "")
	c.Send("POST /api/dragon_treasures", `{"name":"Cup","value":503}`).IsProblem(503).Has("Set-Cookie", "")
	c.Send("GET /api/dragon_treasures", "").Has("X-Total-Count", "1")
}

func TestFieldsThatAreTrovesOwnAreFaultsAndNothingIsSaved(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	declared := resource.Of[spec.DragonTreasure]{Prepare: func(_ context.Context, req *operation.Request, record *spec.DragonTreasure) error {
		name, value, _ := strings.Cut(*record.Description, "=")
		req.ResponseHeader.Set(name, value)
		return nil
	}}
	c := spec.NewClient(t, resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, declared)
	for _, field := range []string{
		"content-type=text/html", "Content-Length=1", "Content-Encoding=gzip", "Content-Location=/", "ETag=x", "Last-Modified=x",
		"Location=/", "Transfer-Encoding=chunked", "Connection=close", "Idempotent-Replayed=true", "X-Total-Count=1",
		"Deprecation=@1", "Sunset=x", "X-Content-Type-Options=x", "=x", "a b=x", "a:b=x", `X-A=a\u007fb`, `X-A=a\r\nX-B: c`,
	} {
		log.Reset()
		c.Send("POST /api/dragon_treasures", `{"name":"Cup","description":"`+field+`"}`).IsProblem(500).Has("X-A", "").Has("X-B", "")
		if !strings.Contains(log.String(), "a function has set the response header field") {
			t.Errorf("%s: the log has %s", field, &log)
		}
	}
	c.Send("GET /api/dragon_treasures", "").Is(200, "[]")
	c.Send("POST /api/dragon_treasures", `{"name":"Cup","description":"X-A=a\tb, ü"}`).HasStatus(201).Has("X-A", "a\tb, ü")
}

func TestFieldsAreThoseOfTheRunThatIsSaved(t *testing.T) {
	t.Parallel()
	runs := 0
	treasures := &rerun[spec.DragonTreasure]{Store: memory.New[spec.DragonTreasure](), between: func() {}}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Store: treasures, Idempotency: time.Hour,
		Prepare: func(_ context.Context, req *operation.Request, _ *spec.DragonTreasure) error {
			runs++
			req.ResponseHeader.Add("Set-Cookie", "run="+strings.Repeat("i", runs))
			if runs == 1 {
				req.ResponseHeader.Set("X-First", "yes")
			}
			return nil
		},
	})
	first := c.Send("POST /api/dragon_treasures", `{"name":"Cup"}`, spec.KeyField, "k").HasStatus(201).Has("Set-Cookie", "run=ii").Has("X-First", "")
	treasures.between = nil
	c.Send("POST /api/dragon_treasures", `{"name":"Cup"}`, spec.KeyField, "k").Is(201, first.Body).
		Has("Idempotent-Replayed", "true").Has("Set-Cookie", "run=ii").Has("Location", first.Header.Get("Location"))
}

func TestMistakesInResponseHeaders(t *testing.T) {
	t.Parallel()
	none := doing(func(*operation.Request) error { return nil }).(operation.Post)
	none.ResponseHeader = map[string]string{"Set-Cookie": "", "set-cookie": "", "a b": "", "ETag": "", "Location": "Where."}
	_, err := resource.New(resource.Config{}, resource.Of[spec.DragonTreasure]{Operations: []operation.Operation{
		operation.Get{ResponseHeader: map[string]string{"Set-Cookie": ""}}, none,
	}})
	for _, want := range []string{
		`ResponseHeader needs a hook or Handler that sets the fields`, `ResponseHeader has "set-cookie" twice`,
		`ResponseHeader has "a b", which is not the name of a header field; use letters, digits and -, such as "Set-Cookie"`, `ResponseHeader has "ETag", which only Trove sets; remove it`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the mistakes are %v, want %s among them", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "Location") {
		t.Errorf("Location of a handler is a mistake: %v", err)
	}
}

// lobby signs its visitors in and out.
func lobby(t *testing.T, rule access.Rule) spec.Client {
	t.Helper()
	sign := func(ctx context.Context, _ *spec.Captain, _ struct{}) (struct{}, error) {
		if req := asked(ctx); req.Principal != nil || operation.PrincipalFrom(ctx) != nil || req.Scopes != nil {
			t.Errorf("the principal is %v, with the scopes %v", req.Principal, req.Scopes)
		}
		if asked(ctx).HTTP().Header.Get("X-Guess") != "" {
			return struct{}{}, operation.Error{Status: 401, Detail: "Invalid credentials."}
		}
		asked(ctx).ResponseHeader.Set("Set-Cookie", "sid=ann")
		return struct{}{}, nil
	}
	declared := resource.Of[spec.Captain]{Operations: []operation.Operation{
		operation.Post{Name: "sign", URITemplate: "/sign", Handler: operation.Handle(sign), Access: rule, Anonymous: true},
		operation.Post{Name: "other", URITemplate: "/other", Access: access.Public, Handler: operation.Handle(
			func(context.Context, *spec.Captain, struct{}) (struct{}, error) { return struct{}{}, nil })},
	}}
	session := access.Cookie("session", "sid", func(_ context.Context, secret string) (*spec.Captain, access.Scopes, error) {
		if spec.Captains[secret] == nil {
			return nil, nil, access.ErrCredentials
		}
		return spec.Captains[secret], access.Scopes{"row"}, nil
	})
	return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer(), session}}, declared)
}

func TestAnAnonymousOperationLooksAtNoCredentials(t *testing.T) {
	t.Parallel()
	c := lobby(t, access.Public)
	for _, header := range [][]string{
		nil,
		{"Cookie", "sid=ann"},
		{"Cookie", "sid=long-ended"},
		{"Authorization", "Bearer nobody's"},
		{"Authorization", ""},
		{"Cookie", "sid=a; sid=b"},
	} {
		c.Send("POST /api/sign", "", header...).Is(204, "").Has("Set-Cookie", "sid=ann")
	}
	c.Send("POST /api/other", "", "Cookie", "sid=long-ended").IsProblem(401)
	c.Send("POST /api/sign", "", "Origin", "https://elsewhere.example").IsProblem(403).Has("Set-Cookie", "")
	c.Send("POST /api/sign", "", "Sec-Fetch-Site", "cross-site").IsProblem(403)
	c.Send("POST /api/sign", "", "Sec-Fetch-Site", "same-origin").Is(204, "")
	lobby(t, access.Authenticated).Send("POST /api/sign", "", "Cookie", "sid=ann").IsProblem(401)
}

func TestA401OfAFunctionSaysHowToSignIn(t *testing.T) {
	t.Parallel()
	refused := lobby(t, access.Public).Send("POST /api/sign", "", "X-Guess", "1").IsProblem(401).Mentions("Invalid credentials.")
	if got := refused.Header.Values("WWW-Authenticate"); !slices.Equal(got, []string{`Bearer realm="token"`, `Cookie realm="session"`}) {
		t.Errorf("the challenges are %q", got)
	}
}

func TestFunctionsSeeTheScopesOfTheCaller(t *testing.T) {
	t.Parallel()
	var got access.Scopes
	note := func(ctx context.Context, _ *spec.Captain, _ struct{}) (struct{}, error) {
		got = asked(ctx).Scopes
		return struct{}{}, nil
	}
	scheme := access.Bearer("token", func(_ context.Context, token string) (*spec.Captain, access.Scopes, error) {
		if token == "root" {
			return spec.Captains["root"], access.Unlimited, nil
		}
		return spec.Captains["ann"], strings.Split(token, "."), nil
	})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{scheme}}, resource.Of[spec.Captain]{Operations: []operation.Operation{
		operation.Post{Name: "note", URITemplate: "/note", Handler: operation.Handle(note), Access: access.Public},
	}})
	if c.Send("POST /api/note", "").Is(204, ""); got != nil {
		t.Errorf("nobody has the scopes %v", got)
	}
	if c.Send("POST /api/note", "", "Authorization", "Bearer row.steer").Is(204, ""); !got.Grant("row") || !got.Grant("steer") || got.Grant("sail") {
		t.Errorf("Ann has the scopes %v", got)
	}
	if c.Send("POST /api/note", "", "Authorization", "Bearer root").Is(204, ""); !got.Grant("anything") {
		t.Errorf("root has the scopes %v", got)
	}
}
