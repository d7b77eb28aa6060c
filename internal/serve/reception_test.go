package serve_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/resource"
)

// front is the reception of an API with a bearer scheme, and a request with some credentials.
func front(t *testing.T, authorization string) (*serve.Reception, *compiled.API, *http.Request) {
	t.Helper()
	config, coins := guarded(resource.Of[Coin]{})
	config.Logger = slog.New(slog.DiscardHandler)
	api, err := resource.New(config, coins)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", http.NoBody)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	return serve.NewReception(compiled.Of(api), "/mcp"), compiled.Of(api), r
}

func TestAReceptionIdentifiesClients(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		authorization string
		status        int // of the error; 0 for none
		anonymous     bool
	}{
		"a good token":       {"Bearer Ada", 0, false},
		"no credentials":     {"", 0, true},
		"a bad token":        {"Bearer zzz", 401, false},
		"a scheme that ails": {"Bearer broken", 503, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reception, _, r := front(t, test.authorization)
			w := httptest.NewRecorder()
			client := reception.Identify(w, r)
			switch {
			case (client == nil) != (test.status != 0):
				t.Errorf("the client is %+v", client)
			case client == nil && w.Code != test.status:
				t.Errorf("the status is %d, want %d", w.Code, test.status)
			case client != nil && (w.Body.Len() > 0 || client.IsAnonymous(t.Context()) != test.anonymous):
				t.Errorf("the client is anonymous: %v; sent: %s", client.IsAnonymous(t.Context()), w.Body)
			}
		})
	}
}

func TestAReceptionTurnsClientsAway(t *testing.T) {
	t.Parallel()
	reception, _, r := front(t, "")
	w := httptest.NewRecorder()
	if reception.Challenge(w, r); w.Code != 401 || w.Header().Get("WWW-Authenticate") != `Bearer realm="token"` {
		t.Errorf("the challenge is %d %v", w.Code, w.Header())
	}
	checkError(t, w)
	w = httptest.NewRecorder()
	if reception.Reject(w, r, errors.New("a secret")); w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("the error is %d %s", w.Code, w.Body)
	}
	checkError(t, w)
	w = httptest.NewRecorder()
	if reception.Fail(w, r, nil, "a secret"); w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("the panic is %d %s", w.Code, w.Body)
	}
	checkError(t, w)
	reception.Fail(nil, r, nil, "a secret") // without a writer it only logs
}

func TestAnInnerRequestIsOfItsClient(t *testing.T) {
	t.Parallel()
	reception, api, outer := front(t, "Bearer Ada")
	client := reception.Identify(httptest.NewRecorder(), outer)
	var create *compiled.Operation
	for _, op := range api.Resources[0].Operations {
		if op.Creates {
			create = op
		}
	}
	server := create.Server.(*serve.Operation)
	for body, status := range map[string]int{
		`{"name":"Florin","owner":"Ada"}`: 201, `{"name":"Florin","owner":"Bob"}`: 403, `{"name":"","owner":"Ada"}`: 400, strings.Repeat("[", 100): 413,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/coins", http.NoBody)
		r.Header.Set("Authorization", "Bearer zzz") // has been read already, from the request around it
		w := httptest.NewRecorder()
		server.ServeInner(w, r, &serve.Inner{Client: client, Path: "/api/coins", Body: []byte(body), Format: create.DefaultFormat()})
		if w.Code != status {
			t.Errorf("%s: the status is %d, want %d: %s", body, w.Code, status, w.Body)
		}
	}
	nobody := reception.Identify(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", http.NoBody))
	if !server.MayServe(t.Context(), client) || server.MayServe(t.Context(), nobody) {
		t.Error("who may call the operation at all is not told apart")
	}
}
