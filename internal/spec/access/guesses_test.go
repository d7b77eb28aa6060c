package access_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// signIn is the body of a sign-in operation.
type signIn struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

// A client that must wait learns how long in the fields of middleware.Rate, and the log has what happened: without the
// name and the password.
func TestTheLimitOfGuessesIsToldToClientsAndLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	members := memory.New[Sailor]()
	accounts := &password.Accounts[Sailor]{
		Store: members, Name: "name", Password: func(s *Sailor) *string { return &s.Password }, Hasher: &password.Hasher{Memory: 8, Passes: 1},
	}
	login := operation.Post{Name: "login", URITemplate: "/login", Access: access.Public, Anonymous: true, Handler: operation.Handle(
		func(ctx context.Context, _ *Sailor, in signIn) (int, error) {
			_, err := accounts.Verify(ctx, in.Name, in.Password)
			return 0, err
		})}
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{accounts.Basic("login")}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Middleware: []func(http.Handler) http.Handler{middleware.Rate(1000)},
	}, resource.Of[Sailor]{Store: members, BeforeTransaction: accounts.Hash, Access: access.Only(access.Public), Operations: append(operation.Standard(), login)})
	if err == nil {
		err = mcp.Mount(api, mcp.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := spec.Client{T: t, Handler: api}
	credentials := []string{"Authorization", "Basic YW5uOndyb25nIGhvcnNl", "Accept", "application/json, text/event-stream"} // ann:wrong horse
	for range 10 {
		c.Send("GET /api/sailors", "", credentials...).IsProblem(http.StatusUnauthorized)
	}
	for request, body := range map[string]string{
		"GET /api/sailors": "", "POST /mcp": `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "POST /api/login": `{"name":"ann","password":"wrong horse"}`,
	} {
		log.Reset()
		header := credentials
		if strings.HasSuffix(request, "login") {
			header = nil
		}
		before := time.Now()
		got := c.Send(request, body, header...).IsProblem(http.StatusTooManyRequests).Has("X-RateLimit-Remaining", "0")
		wait, err := strconv.ParseInt(got.Header.Get("Retry-After"), 10, 64)
		if err != nil || wait < 1 || wait > 300 {
			t.Errorf("%s: Retry-After is %q", request, got.Header.Get("Retry-After"))
		}
		if reset, err := strconv.ParseInt(got.Header.Get("X-Ratelimit-Reset"), 10, 64); err != nil || reset < before.Unix()+wait || reset > time.Now().Unix()+wait+1 {
			t.Errorf("%s: X-RateLimit-Reset is %q at %d", request, got.Header.Get("X-Ratelimit-Reset"), before.Unix())
		}
		if text := log.String(); !strings.Contains(text, "level=INFO") || !strings.Contains(text, `msg="access denied"`) ||
			!strings.Contains(text, `because="Too many wrong user names or passwords. Try again later."`) || strings.Contains(text, "ann") || strings.Contains(text, "horse") {
			t.Errorf("%s: the log has %s", request, text)
		}
	}
}
