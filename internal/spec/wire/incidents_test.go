package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type lamp struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"notblank"`
}

// cause is in the error of a hook. No response has it.
const cause = "the wire is broken"

// newAPI returns an API whose lamps cannot be saved. The token of a caller is part of the error.
func newAPI(t *testing.T, log io.Writer) *resource.API {
	t.Helper()
	config := resource.Config{Logger: slog.New(slog.NewTextHandler(log, nil))}
	config.Authentication = []access.Scheme{access.Bearer("token", func(_ context.Context, token string) (string, access.Scopes, error) {
		if token == "panics" {
			panic(cause)
		}
		return token, nil, nil
	})}
	api, err := resource.New(config, resource.Of[lamp]{
		ShortName: "Lamp", Access: access.Only(access.Public),
		Prepare: func(_ context.Context, req *operation.Request, l *lamp) error {
			switch l.Name {
			case "panics":
				panic(cause)
			case "unavailable":
				return operation.Error{Status: 502, Detail: cause}
			case "refused":
				return operation.Error{Status: 409, Detail: "Another lamp burns."}
			}
			return fmt.Errorf("prepare: %w", errors.Join(errors.New(cause), fmt.Errorf("as %v", req.Principal)))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestTheCauseIsInTheLogWithTheIncidentOfTheResponse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body, token, logged string
		status              int
	}{
		"an error":          {`{"name":"x"}`, "s3cret", cause + `\nas …`, 500},
		"a panic":           {`{"name":"panics"}`, "", cause, 500},
		"a 5xx of a hook":   {`{"name":"unavailable"}`, "", cause, 502},
		"a panic of scheme": {`{"name":"x"}`, "panics", cause, 500},
		"an error of a 4xx": {`{"name":"refused"}`, "", "", 409},
		"an invalid body":   {`{"nam":"x"}`, "", "", 400},
	} {
		var log bytes.Buffer
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/lamps", strings.NewReader(test.body))
		r.Host, r.RemoteAddr = "localhost:8000", "127.0.0.1:50000"
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000}))
		r.Header.Set("Content-Type", "application/json")
		if test.token != "" {
			r.Header.Set("Authorization", "Bearer "+test.token)
		}
		w := httptest.NewRecorder()
		newAPI(t, &log).ServeHTTP(w, r)
		if w.Code != test.status || strings.Contains(w.Body.String(), cause) || strings.Contains(log.String(), "s3cret") {
			t.Errorf("%s: %d %s\nlogs %s", name, w.Code, w.Body, &log)
		}
		incident := incidentOf(w.Body.String())
		if (incident != "") != (test.logged != "") || !strings.Contains(log.String(), test.logged) || !strings.Contains(log.String(), incident) {
			t.Errorf("%s: the incident is %q, and the log %s", name, incident, &log)
		}
	}
}

// incidentOf returns the id of the incident in a response, "" for none.
func incidentOf(body string) string {
	return regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).FindString(body)
}
