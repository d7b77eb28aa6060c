package access_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
)

// newGuarded returns an API with own routes: one for everyone, one for callers, one for captains named root.
func newGuarded(t *testing.T, log io.Writer) (spec.Client, *resource.API) {
	t.Helper()
	cookie := access.Cookie("session", "sid", func(_ context.Context, secret string) (*spec.Captain, access.Scopes, error) {
		if secret == "broken" {
			return nil, nil, errors.New("the database is away")
		}
		if spec.Captains[secret] == nil {
			return nil, nil, access.ErrCredentials
		}
		return spec.Captains[secret], access.Unlimited, nil
	})
	config := resource.Config{Authentication: []access.Scheme{spec.Bearer(), cookie}, Logger: slog.New(slog.NewTextHandler(log, nil))}
	c := spec.NewClient(t, config, resource.Of[spec.Captain]{Access: spec.Open()})
	name := func(w http.ResponseWriter, r *http.Request) {
		captain, ok := operation.PrincipalAs[*spec.Captain](r.Context())
		if !ok {
			_, _ = io.WriteString(w, "anonymous")
			return
		}
		_, _ = io.WriteString(w, captain.Name)
	}
	isRoot := access.If("is root", func(captain *spec.Captain) bool { return captain.Name == "root" })
	api, _ := c.Handler.(*resource.API)
	router := api.Router()
	router.With(api.Guard(access.Public)).Get("/open", name)
	router.With(api.Guard(access.Authenticated)).Post("/known", name)
	router.With(middleware.Rate(3), api.Guard(isRoot)).Get("/root", name)
	if err := api.Check(); err != nil {
		t.Fatal(err)
	}
	return c, api
}

func TestAGuardAuthenticatesAsOperationsDo(t *testing.T) {
	t.Parallel()
	c, _ := newGuarded(t, io.Discard)
	for name, test := range map[string]struct {
		request string
		status  int
		body    string // of a success
		header  []string
	}{
		"anonymous where everyone may":            {"GET /open", 200, "anonymous", nil},
		"a caller where everyone may":             {"GET /open", 200, "ann", []string{"Authorization", "Bearer ann"}},
		"a forged token where everyone may":       {"GET /open", 401, "", []string{"Authorization", "Bearer forged"}},
		"anonymous where callers may":             {"POST /known", 401, "", nil},
		"a caller where callers may":              {"POST /known", 200, "bob", []string{"Authorization", "Bearer bob"}},
		"a cookie":                                {"POST /known", 200, "ann", []string{"Cookie", "sid=ann"}},
		"a cookie that a foreign page sends":      {"POST /known", 403, "", []string{"Cookie", "sid=ann", "Sec-Fetch-Site", "cross-site"}},
		"credentials that cannot be checked":      {"POST /known", 503, "", []string{"Cookie", "sid=broken"}},
		"a caller whom the rule denies":           {"GET /root", 403, "", []string{"Authorization", "Bearer ann"}},
		"a caller for whom the rule holds":        {"GET /root", 200, "root", []string{"Authorization", "Bearer root"}},
		"anonymous where signing in could matter": {"GET /root", 401, "", nil},
	} {
		t.Run(name, func(*testing.T) {
			response := c.Send(test.request, "", test.header...).HasStatus(test.status)
			response.Has("Vary", "Accept, Authorization, Cookie")
			if test.status == 200 {
				response.Mentions(test.body).Has("Cache-Control", "private, no-cache")
				return
			}
			response.IsProblem(test.status).Has("Cache-Control", "no-store")
			if isChallenged := response.Header.Get("WWW-Authenticate") != ""; isChallenged != (test.status == 401) {
				t.Errorf("%d has the challenge %q", test.status, response.Header.Get("WWW-Authenticate"))
			}
		})
	}
	c.Send("GET /root", "").HasStatus(429)
}

func TestAGuardLogsWhyItDeniesWithThePatternOfTheRoute(t *testing.T) {
	t.Parallel()
	log := &bytes.Buffer{}
	c, _ := newGuarded(t, log)
	c.Send("GET /root", "", "Authorization", "Bearer ann").HasStatus(403)
	if !strings.Contains(log.String(), `path=/root`) || !strings.Contains(log.String(), `rule="is root"`) {
		t.Errorf("the log is %s", log)
	}
}

func TestCheckReportsRulesThatNoGuardCanCheck(t *testing.T) {
	t.Parallel()
	type guest struct{ Name string }
	for name, test := range map[string]struct {
		rule access.Rule
		want string
	}{
		"a rule about records":                {access.Where("name", "ann"), `rule "name is ann" needs a record, which a route of your own does not have`},
		"a principal that no scheme provides": {access.If("is a guest", func(*guest) bool { return true }), `the rule "is a guest" is`},
		"nil":                                 {nil, "the rule is nil; access.Public allows everyone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := &bytes.Buffer{}
			c, api := newGuarded(t, log)
			served := func(http.ResponseWriter, *http.Request) { t.Error("the handler was called") }
			api.Router().With(api.Guard(test.rule)).Get("/wrong", served)
			for _, err := range []error{api.Check(), openapi.Mount(api, openapi.Config{Title: "A", Version: "1"})} {
				if err == nil || !strings.Contains(err.Error(), "resource: Guard: "+test.want) {
					t.Errorf("the error is %v", err)
				}
			}
			c.Send("GET /wrong", "", "Authorization", "Bearer ann").HasStatus(500).IsProblem(500)
			if !strings.Contains(log.String(), "resource: Guard: ") {
				t.Errorf("the log is %s", log)
			}
		})
	}
}

// outcomes is an observer that notes what it is called for.
type outcomes struct{ lines []string }

func (o *outcomes) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return ctx
}

func (o *outcomes) End(_ context.Context, outcome *observe.Outcome) {
	o.lines = append(o.lines, fmt.Sprint(outcome.Operation.Route, " ", outcome.Status, " ", outcome.Bytes))
}

func TestObserversAreCalledForGuardedRoutesWhichMayStream(t *testing.T) {
	t.Parallel()
	seen := new(outcomes)
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Observers: []observe.Observer{seen}},
		resource.Of[spec.Captain]{Access: spec.Open()})
	api, _ := c.Handler.(*resource.API)
	api.Router().With(api.Guard(access.Authenticated)).Get("/events/{of}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		if flusher, ok := w.(http.Flusher); !ok {
			t.Error("the writer is no http.Flusher")
		} else {
			flusher.Flush()
		}
	})
	c.Send("GET /events/ships", "", "Authorization", "Bearer ann").Reads(200, "data: 1\n\n")
	c.Send("GET /events/ships", "").HasStatus(401)
	if len(seen.lines) != 2 || seen.lines[0] != "/events/{of} 200 9" || !strings.HasPrefix(seen.lines[1], "/events/{of} 401 ") {
		t.Errorf("observers see %q", seen.lines)
	}
}
