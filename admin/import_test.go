package admin_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
	"github.com/trove-api/trove/validation"
)

// Package is what tests import. Each caller sees their own.
type Package struct {
	ID     int64  `json:"id"`
	Code   string `json:"code" validate:"notblank" api:"unique,filter"`
	Weight int    `json:"weight" validate:"min=1"`
	Within *int64 `json:"within" api:"ref=Package,filter"`
	Owner  int64  `json:"owner" api:"readonly"`
}

// Docket is what the Processor of packages saves.
type Docket struct {
	ID   int64  `json:"id"`
	Code string `json:"code"`
	Of   *int64 `json:"of" api:"ref=Package"`
}

// post is a service to which packages are imported.
type post struct {
	*site

	mu        sync.Mutex
	committed []int    // changes of each commit
	outcomes  []string // of requests
}

// stores are those of the resources of a post.
type stores struct {
	packages store.Store[Package]
	dockets  store.Store[Docket]
}

// kinds are the kinds of stores that imports are tested with.
var kinds = map[string]func(t *testing.T) stores{
	"memory": func(*testing.T) stores { return stores{memory.New[Package](), memory.New[Docket]()} },
	"SQLite": func(t *testing.T) stores {
		t.Helper()
		return inDatabase(t, ":memory:")
	},
	"PostgreSQL": func(t *testing.T) stores {
		t.Helper()
		if os.Getenv("TROVE_TEST_POSTGRES") == "" {
			t.Skip("set TROVE_TEST_POSTGRES to run the test on PostgreSQL")
		}
		return inDatabase(t, newSchema(t))
	},
}

func inDatabase(t *testing.T, dsn string) stores {
	t.Helper()
	db := openDatabase(t, dsn)
	packages, dockets := sqlstore.Table[Package](db), sqlstore.Table[Docket](db)
	if err := db.Create(t.Context(), packages, dockets, db.Log()); err != nil {
		t.Fatal(err)
	}
	return stores{packages, dockets}
}

func openDatabase(t *testing.T, name string) *sqlstore.DB {
	t.Helper()
	db, err := database.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// newSchema returns the URL of a schema of its own.
func newSchema(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	server, name := openDatabase(t, dsn), "admin_"+strings.ToLower(rand.Text())
	if _, err := server.Exec(t.Context(), "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = server.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA "+name+" CASCADE") })
	return dsn + "&search_path=" + name
}

// Begin and End are those of an observer.
func (*post) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	return ctx
}

func (p *post) End(_ context.Context, outcome *observe.Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if outcome.Operation.ID == "createPackage" {
		p.outcomes = append(p.outcomes, fmt.Sprint(outcome.Status, " ", outcome.Err != nil))
	}
}

// newPost returns a service. Change changes the declaration of packages.
func newPost(t *testing.T, s stores, change ...func(*resource.Config, *resource.Of[Package])) *post {
	t.Helper()
	p := &post{}
	packages := resource.Of[Package]{
		Store: s.packages, History: true,
		Access: access.Rules{Read: isOwner, Create: access.Any(isAdmin, access.If("ann", func(k *Keeper) bool { return k.Codename == "ann" })), Update: isOwner, Delete: isOwner},
		Prepare: func(ctx context.Context, req *operation.Request, parcel *Package) error {
			switch parcel.Owner = req.Principal.(*Keeper).ID; parcel.Code {
			case "odd":
				return validation.Fail("weight", "must be even for odd packages")
			case "panic":
				panic("the parcel has burst")
			case "slow":
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		},
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, parcel *Package, save operation.Save[Package]) error {
			docket := Docket{Code: parcel.Code}
			if parcel.Code == "lost" {
				docket.Of = new(int64(99))
			}
			if err := store.Insert(ctx, s.dockets, &docket); err != nil {
				return err
			}
			err := save(ctx, parcel)
			if errors.Is(err, store.ErrConflict) { // reads why, after the failure
				if _, failed := s.dockets.List(ctx, store.Query{}); failed != nil {
					return failed
				}
			}
			return err
		}),
	}
	config := resource.Config{
		Authentication: []access.Scheme{bearer, access.Cookie("session", "session", bearerOf)},
		Observers:      []observe.Observer{p},
		Committed: func(_ context.Context, changes []store.Change) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.committed = append(p.committed, len(changes))
		},
	}
	for _, each := range change {
		each(&config, &packages)
	}
	dockets := resource.Of[Docket]{Store: s.dockets, Access: access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: isAdmin}}
	p.site = serve(t, newAPI(t, config, packages, dockets), admin.Config{})
	return p
}

// line is the response to a line.
type line struct {
	Status   int             `json:"status"`
	Location string          `json:"location"`
	Problem  json.RawMessage `json:"problem"`
}

// send imports lines, and returns the response, "" for what is not a success.
func (p *post) send(caller, mode string, lines ...string) (saved bool, all []line, status int) {
	p.t.Helper()
	status, body, _ := p.exchange(caller, http.MethodPost, "/admin/import/createPackage?mode="+mode, strings.Join(lines, "\n"), "Content-Type", "application/x-ndjson")
	var made struct {
		Saved bool   `json:"saved"`
		Lines []line `json:"lines"`
	}
	if status == http.StatusOK {
		if err := json.Unmarshal([]byte(body), &made); err != nil {
			p.t.Fatal(err)
		}
	}
	return made.Saved, made.Lines, status
}

// count returns how many records a caller sees.
func (p *post) count(caller, path string) int {
	p.t.Helper()
	var list []any
	if err := json.Unmarshal([]byte(p.get(caller, path)), &list); err != nil {
		p.t.Fatal(err)
	}
	return len(list)
}

func statuses(lines []line) (list []int) {
	for _, l := range lines {
		list = append(list, l.Status)
	}
	return list
}

// mixed are good lines and lines with one error each: a rule, a type, a duplicate of another line, a duplicate of a
// hidden record, a missing reference, what Prepare rejects, an unknown field, and no JSON.
var mixed = []string{
	`{"code":"a","weight":1}`, `{"code":"b","weight":0}`, `{"code":"c","weight":"1"}`, `{"code":"a","weight":2}`, `{"code":"taken","weight":2}`,
	`{"code":"d","weight":1,"within":99}`, `{"code":"odd","weight":1}`, `{"code":"e","weight":1,"colour":1}`, `{"code":`, `{"code":"f","weight":9007199254740993}`,
}

var mixedStatuses = []int{201, 400, 400, 409, 409, 400, 400, 400, 400, 201}

func TestAnImportIsCheckedWithoutSavingAnything(t *testing.T) {
	t.Parallel()
	for kind, open := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newPost(t, open(t))
			if status, body, _ := p.exchange("root", http.MethodPost, "/api/packages", `{"code":"taken","weight":1}`); status != http.StatusCreated {
				t.Fatal(status, body)
			}
			p.outcomes, p.committed = nil, nil
			for range 2 {
				saved, lines, _ := p.send("ann", "check", mixed...)
				if got := statuses(lines); saved || !slices.Equal(got, mixedStatuses) || lines[0].Location != "" {
					t.Fatalf("the lines got %v, saved %v", got, saved)
				}
				if got := string(lines[1].Problem); !strings.Contains(got, "weight must be at least 1") {
					t.Errorf("the error of a line is %s", got)
				}
			}
			if p.count("ann", "/api/packages") != 0 || p.count("", "/api/dockets") != 1 || len(p.committed) != 0 {
				t.Errorf("a check has saved something; commits %v", p.committed)
			}
			if want := []string{"201 true", "400 true"}; !slices.Equal(p.outcomes[:2], want) || len(p.outcomes) != 2*len(mixed) {
				t.Errorf("observers saw %v", p.outcomes)
			}
		})
	}
}

func TestAnImportIsSavedAsAWhole(t *testing.T) {
	t.Parallel()
	for kind, open := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newPost(t, open(t))
			good := []string{`{"code":"a","weight":1}`, `{"code":"b","weight":2}`, `{"code":"c","weight":3}`}
			if saved, lines, _ := p.send("ann", "all", append(slices.Clone(good), `{"code":"a","weight":1}`)...); saved || !slices.Equal(statuses(lines), []int{201, 201, 201, 409}) {
				t.Fatalf("the lines got %v, saved %v", statuses(lines), saved)
			}
			if p.count("ann", "/api/packages") != 0 || p.count("", "/api/dockets") != 0 || len(p.committed) != 0 {
				t.Errorf("a part of the import is saved; commits %v", p.committed)
			}
			saved, lines, _ := p.send("ann", "all", good...)
			if !saved || !slices.Equal(statuses(lines), []int{201, 201, 201}) {
				t.Fatalf("the lines got %v, saved %v", statuses(lines), saved)
			}
			if p.count("ann", "/api/packages") != 3 || p.count("", "/api/dockets") != 3 || !slices.Equal(p.committed, []int{6}) {
				t.Errorf("the import is not saved once; commits %v", p.committed)
			}
			if got := p.get("ann", lines[2].Location); !strings.Contains(got, `"code":"c"`) {
				t.Errorf("the third record is %s", got)
			}
			if got := p.get("ann", lines[0].Location+"/history"); !strings.Contains(got, `"operation":"createPackage"`) || !strings.Contains(got, `"by":"ann"`) {
				t.Errorf("the history is %s", got)
			}
		})
	}
}

// String names the keeper in histories.
func (k *Keeper) String() string { return k.Codename }

// An import is what requests of the same lines are, in one world and in another, whose hidden records differ.
func TestAnImportOfTheGoodLinesIsALoopOfPosts(t *testing.T) {
	t.Parallel()
	for kind, open := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			worlds := []*post{newPost(t, open(t)), newPost(t, open(t)), newPost(t, open(t))}
			for i, p := range worlds {
				for _, hidden := range []string{`{"code":"taken","weight":1}`, fmt.Sprintf(`{"code":"hidden %d","weight":%d}`, i/2, 1+i/2)} {
					p.exchange("root", http.MethodPost, "/api/packages", hidden)
				}
				p.outcomes = nil
			}
			first, posts, other := worlds[0], worlds[1], worlds[2]
			saved, lines, _ := first.send("ann", "good", mixed...)
			if !saved || first.count("ann", "/api/packages") != 2 || first.count("", "/api/dockets") != 4 {
				t.Errorf("saved %v: %s", saved, first.get("ann", "/api/packages"))
			}
			for i, text := range mixed {
				status, body, _ := posts.exchange("ann", http.MethodPost, "/api/packages", text)
				if status != lines[i].Status || status != http.StatusCreated && body != string(lines[i].Problem) {
					t.Errorf("the import of %s returns %d %s, the Post %d %s", text, lines[i].Status, lines[i].Problem, status, body)
				}
			}
			if !slices.Equal(first.outcomes, posts.outcomes) {
				t.Errorf("observers of the import saw %v, of the Posts %v", first.outcomes, posts.outcomes)
			}
			for _, mode := range []string{"check", "all", "good"} {
				_, a, _ := first.send("bob", mode, mixed...)
				_, b, _ := other.send("bob", mode, mixed...)
				status, body, _ := posts.exchange("bob", http.MethodPost, "/api/packages", mixed[1])
				for i := range mixed {
					if a[i].Status != http.StatusForbidden || a[i].Status != status || string(a[i].Problem) != body || string(b[i].Problem) != body {
						t.Errorf("a caller without permission gets %d %s for %s, the Post returns %d %s", a[i].Status, a[i].Problem, mixed[i], status, body)
					}
				}
			}
			_, a, _ := other.send("ann", "check", mixed...)
			for i := range mixed {
				if a[i].Status != mixedStatuses[i] || string(a[i].Problem) != string(lines[i].Problem) {
					t.Errorf("hidden records change the response to %s: %d %s, %s", mixed[i], a[i].Status, a[i].Problem, lines[i].Problem)
				}
			}
		})
	}
}

// A reference to no record in what a hook saves is an error of its line, as a Post has it.
func TestADanglingReferenceIsAnErrorOfItsLine(t *testing.T) {
	t.Parallel()
	for kind, open := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newPost(t, open(t))
			status, body, _ := p.exchange("ann", http.MethodPost, "/api/packages", `{"code":"lost","weight":1}`)
			for _, mode := range []string{"check", "all", "good"} {
				saved, lines, got := p.send("ann", mode, `{"code":"a","weight":1}`, `{"code":"lost","weight":1}`, `{"code":"b","weight":1}`)
				if want := []int{201, status, 201}; got != http.StatusOK || saved != (mode == "good") || !slices.Equal(statuses(lines), want) || string(lines[1].Problem) != body {
					t.Errorf("mode %s: status %d, saved %v, lines %v, want %v and %s", mode, got, saved, lines, want, body)
				}
			}
			if p.count("ann", "/api/packages") != 2 || p.count("", "/api/dockets") != 2 {
				t.Error("not the two good lines are saved")
			}
		})
	}
}

func TestImportsRejectWhatPostsReject(t *testing.T) {
	t.Parallel()
	p := newPost(t, stores{memory.New[Package](), memory.New[Docket]()})
	const path, good = "/admin/import/createPackage?mode=check", `{"code":"a","weight":1}`
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for name, test := range map[string]struct {
		method, path, caller, body string
		header                     []string
		want                       int
	}{
		"anonymous":          {"POST", path, "", good, nil, 401},
		"invalid token":      {"POST", path, "eve", good, nil, 401},
		"GET":                {"GET", path, "ann", "", nil, 405},
		"unknown operation":  {"POST", "/admin/import/createNothing?mode=check", "ann", good, nil, 404},
		"another kind":       {"POST", "/admin/import/updatePackage?mode=check", "ann", good, nil, 404},
		"no mode":            {"POST", "/admin/import/createPackage", "ann", good, nil, 400},
		"unknown mode":       {"POST", "/admin/import/createPackage?mode=some", "ann", good, nil, 400},
		"form":               {"POST", path, "ann", good, []string{"Content-Type", "text/plain"}, 415},
		"cookie":             {"POST", path, "", good, []string{"Cookie", "session=ann"}, 200},
		"cookie, cross-site": {"POST", path, "", good, []string{"Cookie", "session=ann", "Sec-Fetch-Site", "cross-site"}, 403},
		"cookie, origin":     {"POST", path, "", good, []string{"Cookie", "session=ann", "Origin", "https://evil.example"}, 403},
		"too many lines":     {"POST", path, "ann", strings.Repeat("\n", 1000) + good, nil, 413},
		"too many bytes":     {"POST", path, "ann", strings.Repeat("x", 2<<20), nil, 413},
		"most lines":         {"POST", path, "ann", strings.Repeat("\n", 999) + good, nil, 200},
		"deep":               {"POST", path, "ann", deep, nil, 200},
		"panic":              {"POST", path, "ann", `{"code":"panic","weight":1}` + "\n" + good, nil, 200},
		"not UTF-8":          {"POST", path, "ann", "{\"code\":\"\xff\"}", nil, 200},
	} {
		header := append([]string{"Content-Type", "application/x-ndjson"}, test.header...)
		status, body, _ := p.exchange(test.caller, test.method, test.path, test.body, header...)
		if status != test.want {
			t.Errorf("%s: %d %.200s, want %d", name, status, body, test.want)
		}
		if status == http.StatusOK && strings.Contains(body, `"saved":true`) {
			t.Errorf("%s: saved", name)
		}
	}
	if _, lines, _ := p.send("ann", "check", `{"code":"panic","weight":1}`, good); !slices.Equal(statuses(lines), []int{500, 201}) {
		t.Errorf("after a panic: %v", statuses(lines))
	}
	if p.count("ann", "/api/packages") != 0 {
		t.Error("something is saved")
	}
}

func TestALimitOfRequestsCountsEachLine(t *testing.T) {
	t.Parallel()
	limit := func(c *resource.Config, _ *resource.Of[Package]) {
		c.Around = []resource.Around{{Operations: []string{"createPackage"}, Middleware: middleware.Rate(3)}}
	}
	p := newPost(t, stores{memory.New[Package](), memory.New[Docket]()}, limit)
	lines := []string{`{"code":"a","weight":1}`, `{"code":"b","weight":1}`, `{"code":"c","weight":1}`, `{"code":"d","weight":1}`}
	status, _, header := p.exchange("ann", http.MethodPost, "/admin/import/createPackage?mode=good", strings.Join(lines, "\n"), "Content-Type", "application/x-ndjson")
	if status != http.StatusTooManyRequests || header.Get("Retry-After") == "" {
		t.Errorf("the fourth line gives %d %v", status, header)
	}
	if p.count("ann", "/api/packages") != 0 {
		t.Error("a part of the import is saved")
	}
}

func TestALineThatTakesTooLongEndsTheImport(t *testing.T) {
	t.Parallel()
	for kind, open := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newPost(t, open(t), func(_ *resource.Config, of *resource.Of[Package]) { of.Timeout = 200 * time.Millisecond })
			if _, _, status := p.send("ann", "good", `{"code":"a","weight":1}`, `{"code":"slow","weight":1}`, `{"code":"b","weight":1}`); status != http.StatusServiceUnavailable {
				t.Errorf("status %d", status)
			}
			if p.count("ann", "/api/packages") != 0 || len(p.committed) != 0 {
				t.Error("a part of the import is saved")
			}
			if saved, lines, _ := p.send("ann", "all", `{"code":"a","weight":1}`); !saved {
				t.Errorf("the next import fails: %v", lines)
			}
		})
	}
}

// wrapped is a store of the program's own.
type wrapped struct{ store.Store[Package] }

func TestImportsAreOfferedWhereTheyCanBeUndone(t *testing.T) {
	t.Parallel()
	offers := func(caller string, change ...func(*resource.Config, *resource.Of[Package])) bool {
		p := newPost(t, stores{memory.New[Package](), memory.New[Docket]()}, change...)
		status, body, _ := p.exchange(caller, http.MethodPost, "/admin/import/createPackage?mode=check", `{}`, "Content-Type", "application/x-ndjson")
		isOffered := strings.Contains(p.get(caller, "/admin/model"), `"import":{"lines":1000,"bytes":1114112}`)
		if served := status == http.StatusOK; isOffered && !served || caller == "ann" && served != isOffered {
			t.Errorf("%q: offered %v, status %d %s", caller, isOffered, status, body)
		}
		return isOffered
	}
	if !offers("ann") || offers("") || offers("bob") {
		t.Error("imports are not offered to those who may create packages")
	}
	if offers("ann", func(_ *resource.Config, of *resource.Of[Package]) {
		of.History, of.Store = false, wrapped{memory.New[Package]()}
	},
		func(c *resource.Config, _ *resource.Of[Package]) { c.Committed = nil }) {
		t.Error("imports are offered for a store of which nothing is known")
	}
	slow := func(context.Context, *operation.Request, *Package) error { return nil }
	if offers("ann", func(_ *resource.Config, of *resource.Of[Package]) { of.BeforeTransaction = slow }) {
		t.Error("imports are offered although a function runs before the transaction")
	}
}
