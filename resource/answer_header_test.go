package resource_test

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
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// asked returns the request that a function runs in.
func asked(ctx context.Context) *operation.Request {
	req, _ := operation.RequestFrom(ctx)
	return req
}

// doing is a Post at /api/do whose handler sets what it is told to, and answers 204.
func doing(set func(req *operation.Request) error) operation.Operation {
	return operation.Post{Name: "do", URITemplate: "/do", Handler: operation.Handle(
		func(ctx context.Context, _ *DragonTreasure, _ struct{}) (struct{}, error) {
			return struct{}{}, set(asked(ctx))
		})}
}

func TestAHandlerSetsFieldsOfItsAnswer(t *testing.T) {
	t.Parallel()
	c := custom(t, doing(func(req *operation.Request) error {
		req.Answer.Set("location", "/api/elsewhere")
		req.Answer.Set("Location", "/api/users/1")
		req.Answer.Add("Set-Cookie", "a=1; HttpOnly")
		req.Answer.Add("Set-Cookie", "b=2")
		req.Answer.Set("Cache-Control", "no-store")
		req.Answer.Set("Content-Disposition", "attachment")
		return nil
	}))
	did := c.send("POST /api/do", "").is(204, "").has("Location", "/api/users/1").has("Cache-Control", "no-store").
		has("Content-Disposition", "attachment").has("Content-Type", "")
	if got := did.header.Values("Set-Cookie"); !slices.Equal(got, []string{"a=1; HttpOnly", "b=2"}) {
		t.Errorf("the cookies are %q", got)
	}
	c.send("GET /api/dragon_treasures/1", "").has("Set-Cookie", "").has("Location", "") // another request has none of it
}

func TestFieldsOfFunctionsStandBesideThoseOfOthers(t *testing.T) {
	t.Parallel()
	outer := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Set-Cookie", "outer=1")
			w.Header().Set("X-Frame-Options", "DENY")
			w.Header().Set("Vary", "Origin")
			next.ServeHTTP(w, r)
		})
	}
	c := newClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{outer}}, resource.Of[DragonTreasure]{
		Computed: []operation.Computed{operation.Compute("seen", "", func(ctx context.Context, _ *DragonTreasure) (bool, error) {
			asked(ctx).Answer.Set("Set-Cookie", "inner=2")
			asked(ctx).Answer.Set("X-Frame-Options", "SAMEORIGIN")
			asked(ctx).Answer.Set("Vary", "DNT")
			asked(ctx).Answer.Set("Link", `</license>; rel="license"`)
			return true, nil
		})},
		Pagination: operation.Pagination{ItemsPerPage: 1},
		Store:      memory.New(DragonTreasure{Name: "Cup"}, DragonTreasure{Name: "Ring"}),
	})
	for _, request := range []string{"GET /api/dragon_treasures/1", "HEAD /api/dragon_treasures/1", "GET /api/dragon_treasures"} {
		got := c.send(request, "").hasStatus(200).has("X-Frame-Options", "SAMEORIGIN").header
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
	tag := c.send("GET /api/dragon_treasures/1", "").header.Get("ETag")
	c.send("GET /api/dragon_treasures/1", "", "If-None-Match", tag).is(304, "").has("X-Frame-Options", "SAMEORIGIN")
}

func TestARefusalHasNoFieldThatAFunctionHasSet(t *testing.T) {
	t.Parallel()
	declared := resource.Of[DragonTreasure]{
		Prepare: func(_ context.Context, req *operation.Request, _ *DragonTreasure) error {
			req.Answer.Set("Set-Cookie", "a=1")
			return nil
		},
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, record *DragonTreasure, save operation.Save[DragonTreasure]) error {
			if err := save(ctx, record); err != nil || record.Value == 0 {
				return err
			}
			return operation.Error{Status: record.Value}
		}),
	}
	c := newClient(t, resource.Config{}, declared)
	c.send("POST /api/dragon_treasures", `{"name":"Cup"}`).hasStatus(201).has("Set-Cookie", "a=1").has("Location", "/api/dragon_treasures/1")
	c.send("POST /api/dragon_treasures", `{"name":"C"}`).hasStatus(400).has("Set-Cookie", "")
	c.send("POST /api/dragon_treasures", `{"name":"Cup","value":409}`).isProblem(409).has("Set-Cookie", "")
	c.send("POST /api/dragon_treasures", `{"name":"Cup","value":503}`).isProblem(503).has("Set-Cookie", "")
	c.send("GET /api/dragon_treasures", "").has("X-Total-Count", "1")
}

func TestFieldsThatAreTrovesOwnAreFaultsAndNothingIsSaved(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	declared := resource.Of[DragonTreasure]{Prepare: func(_ context.Context, req *operation.Request, record *DragonTreasure) error {
		name, value, _ := strings.Cut(*record.Description, "=")
		req.Answer.Set(name, value)
		return nil
	}}
	c := newClient(t, resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, declared)
	for _, field := range []string{
		"content-type=text/html", "Content-Length=1", "Content-Encoding=gzip", "Content-Location=/", "ETag=x", "Last-Modified=x",
		"Location=/", "Transfer-Encoding=chunked", "Connection=close", "Idempotent-Replayed=true", "X-Total-Count=1",
		"Deprecation=@1", "Sunset=x", "X-Content-Type-Options=x", "=x", "a b=x", "a:b=x", `X-A=a\u007fb`, `X-A=a\r\nX-B: c`,
	} {
		log.Reset()
		c.send("POST /api/dragon_treasures", `{"name":"Cup","description":"`+field+`"}`).isProblem(500).has("X-A", "").has("X-B", "")
		if !strings.Contains(log.String(), "a function has set the field") {
			t.Errorf("%s: the log has %s", field, &log)
		}
	}
	c.send("GET /api/dragon_treasures", "").is(200, "[]")
	c.send("POST /api/dragon_treasures", `{"name":"Cup","description":"X-A=a\tb, ü"}`).hasStatus(201).has("X-A", "a\tb, ü")
}

func TestFieldsAreThoseOfTheRunThatIsSaved(t *testing.T) {
	t.Parallel()
	runs := 0
	treasures := &rerun[DragonTreasure]{Store: memory.New[DragonTreasure](), between: func() {}}
	c := newClient(t, resource.Config{}, resource.Of[DragonTreasure]{
		Store: treasures, Idempotency: time.Hour,
		Prepare: func(_ context.Context, req *operation.Request, _ *DragonTreasure) error {
			runs++
			req.Answer.Add("Set-Cookie", "run="+strings.Repeat("i", runs))
			if runs == 1 {
				req.Answer.Set("X-First", "yes")
			}
			return nil
		},
	})
	first := c.send("POST /api/dragon_treasures", `{"name":"Cup"}`, keyField, "k").hasStatus(201).has("Set-Cookie", "run=ii").has("X-First", "")
	treasures.between = nil
	c.send("POST /api/dragon_treasures", `{"name":"Cup"}`, keyField, "k").is(201, first.body).
		has("Idempotent-Replayed", "true").has("Set-Cookie", "run=ii").has("Location", first.header.Get("Location"))
}

func TestMistakesInAnswerHeaders(t *testing.T) {
	t.Parallel()
	none := doing(func(*operation.Request) error { return nil }).(operation.Post)
	none.AnswerHeader = map[string]string{"Set-Cookie": "", "set-cookie": "", "a b": "", "ETag": "", "Location": "Where."}
	_, err := resource.New(resource.Config{}, resource.Of[DragonTreasure]{Operations: []operation.Operation{
		operation.Get{AnswerHeader: map[string]string{"Set-Cookie": ""}}, none,
	}})
	for _, want := range []string{
		`no function of the operation could set a field`, `AnswerHeader has "set-cookie" twice`,
		`AnswerHeader has "a b", which is no name of a field`, `AnswerHeader has "ETag", which is Trove's own`,
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
func lobby(t *testing.T, rule access.Rule) client {
	t.Helper()
	sign := func(ctx context.Context, _ *Captain, _ struct{}) (struct{}, error) {
		if req := asked(ctx); req.Principal != nil || operation.PrincipalFrom(ctx) != nil || req.Scopes != nil {
			t.Errorf("the principal is %v, with the scopes %v", req.Principal, req.Scopes)
		}
		if asked(ctx).HTTP().Header.Get("X-Guess") != "" {
			return struct{}{}, operation.Error{Status: 401, Detail: "Invalid credentials."}
		}
		asked(ctx).Answer.Set("Set-Cookie", "sid=ann")
		return struct{}{}, nil
	}
	declared := resource.Of[Captain]{Operations: []operation.Operation{
		operation.Post{Name: "sign", URITemplate: "/sign", Handler: operation.Handle(sign), Access: rule, Anonymous: true},
		operation.Post{Name: "other", URITemplate: "/other", Access: access.Public, Handler: operation.Handle(
			func(context.Context, *Captain, struct{}) (struct{}, error) { return struct{}{}, nil })},
	}}
	session := access.Cookie("session", "sid", func(_ context.Context, secret string) (*Captain, access.Scopes, error) {
		if crew[secret] == nil {
			return nil, nil, access.ErrCredentials
		}
		return crew[secret], access.Scopes{"row"}, nil
	})
	return newClient(t, resource.Config{Authentication: []access.Scheme{bearer(), session}}, declared)
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
		c.send("POST /api/sign", "", header...).is(204, "").has("Set-Cookie", "sid=ann")
	}
	c.send("POST /api/other", "", "Cookie", "sid=long-ended").isProblem(401)
	c.send("POST /api/sign", "", "Origin", "https://elsewhere.example").isProblem(403).has("Set-Cookie", "")
	c.send("POST /api/sign", "", "Sec-Fetch-Site", "cross-site").isProblem(403)
	c.send("POST /api/sign", "", "Sec-Fetch-Site", "same-origin").is(204, "")
	lobby(t, access.Authenticated).send("POST /api/sign", "", "Cookie", "sid=ann").isProblem(401)
}

func TestA401OfAFunctionSaysHowToSignIn(t *testing.T) {
	t.Parallel()
	refused := lobby(t, access.Public).send("POST /api/sign", "", "X-Guess", "1").isProblem(401).mentions("Invalid credentials.")
	if got := refused.header.Values("WWW-Authenticate"); !slices.Equal(got, []string{`Bearer realm="token"`, `Cookie realm="session"`}) {
		t.Errorf("the challenges are %q", got)
	}
}

func TestFunctionsSeeTheScopesOfTheCaller(t *testing.T) {
	t.Parallel()
	var got access.Scopes
	note := func(ctx context.Context, _ *Captain, _ struct{}) (struct{}, error) {
		got = asked(ctx).Scopes
		return struct{}{}, nil
	}
	scheme := access.Bearer("token", func(_ context.Context, token string) (*Captain, access.Scopes, error) {
		if token == "root" {
			return crew["root"], access.Unlimited, nil
		}
		return crew["ann"], strings.Split(token, "."), nil
	})
	c := newClient(t, resource.Config{Authentication: []access.Scheme{scheme}}, resource.Of[Captain]{Operations: []operation.Operation{
		operation.Post{Name: "note", URITemplate: "/note", Handler: operation.Handle(note), Access: access.Public},
	}})
	if c.send("POST /api/note", "").is(204, ""); got != nil {
		t.Errorf("nobody has the scopes %v", got)
	}
	if c.send("POST /api/note", "", "Authorization", "Bearer row.steer").is(204, ""); !got.Grant("row") || !got.Grant("steer") || got.Grant("sail") {
		t.Errorf("Ann has the scopes %v", got)
	}
	if c.send("POST /api/note", "", "Authorization", "Bearer root").is(204, ""); !got.Grant("anything") {
		t.Errorf("root has the scopes %v", got)
	}
}
