package evolve_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/examples/howto/evolve"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// send sends a request, checks the status and that the body has all parts, and returns the response.
func send(t *testing.T, api http.Handler, request, body string, want int, parts ...string) *httptest.ResponseRecorder {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if r.Header.Set("Content-Type", "application/json"); method == http.MethodPost {
		r.Header.Set("Idempotency-Key", base64.StdEncoding.EncodeToString([]byte(body)))
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if w.Code != want {
		t.Fatalf("%s %s: %d, want %d: %s", request, body, w.Code, want, w.Body)
	}
	for _, part := range parts {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("%s %s: %s is not in %s", request, body, part, w.Body)
		}
	}
	return w
}

// onEach runs a test on SQLite and, if TROVE_TEST_POSTGRES has the URL of a server, in a schema of its own on PostgreSQL.
func onEach(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, filepath.Join(t.TempDir(), "test.db"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		dsn := os.Getenv("TROVE_TEST_POSTGRES")
		if dsn == "" {
			t.Skip("TROVE_TEST_POSTGRES is not set")
		}
		schema := "howto_" + strings.ToLower(rand.Text())
		admin := open(t, dsn)
		run(t, admin, "CREATE SCHEMA "+schema)
		t.Cleanup(func() { _, _ = admin.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA "+schema+" CASCADE") })
		test(t, dsn+"&search_path="+schema)
	})
}

// open opens a database.
func open(t *testing.T, dsn string) *sqlstore.DB {
	t.Helper()
	db, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// run runs statements, one after the other.
func run(t *testing.T, db *sqlstore.DB, statements string) {
	t.Helper()
	for statement := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(statements), ";"), ";") {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// serve makes an API of resources, with documentation.
func serve(t *testing.T, config resource.Config, declarations ...resource.Declaration) *resource.API {
	t.Helper()
	api, err := resource.New(config, declarations...)
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// OldArticle is the struct of the old program.
type OldArticle struct {
	ID    int64  `json:"id"`
	Title string `json:"title" validate:"notblank,max=200" api:"filter=partial,sort"`
}

func TestBothNamesOfAFieldWork(t *testing.T) { t.Parallel(); onEach(t, bothNamesWork) }

func bothNamesWork(t *testing.T, dsn string) {
	t.Helper()
	db := open(t, dsn)
	olds := sqlstore.Table[OldArticle](db, sqlstore.Named("articles"))
	if err := db.Create(t.Context(), olds); err != nil {
		t.Fatal(err)
	}
	before := serve(t, resource.Config{}, resource.Of[OldArticle]{ShortName: "Article", Store: olds})
	send(t, before, "POST /api/articles", `{"title":"Gold found"}`, 201)
	config := resource.Config{Middleware: []func(http.Handler) http.Handler{evolve.OldParameters}}
	after := serve(t, config, evolve.Articles(sqlstore.Table[evolve.Article](db)))
	both := func(name string) []string { return []string{`"headline":"` + name + `"`, `"title":"` + name + `"`} }

	send(t, after, "GET /api/articles/1", "", 200, both("Gold found")...)
	send(t, after, "PATCH /api/articles/1", `{"title":"Gold lost"}`, 200, both("Gold lost")...)
	send(t, after, "PATCH /api/articles/1", `{"headline":"Gold found again"}`, 200, both("Gold found again")...)
	send(t, after, "PUT /api/articles/1", `{"headline":"A","title":"A"}`, 200, both("A")...)
	send(t, after, "PATCH /api/articles/1", `{"headline":"B","title":"C"}`, 400, "title must equal headline")
	send(t, after, "POST /api/articles", `{"title":"By the old name"}`, 201, both("By the old name")...)
	send(t, after, "POST /api/articles", `{"headline":"By the new name"}`, 201, both("By the new name")...)
	send(t, after, "POST /api/articles", `{}`, 400, "headline is required")
	for _, name := range []string{"title", "headline"} {
		if body := send(t, after, "GET /api/articles?"+name+"=old", "", 200, "By the old name").Body.String(); strings.Contains(body, "new") {
			t.Errorf("filtered by %s: %s", name, body)
		}
	}
	send(t, before, "GET /api/articles/3", "", 200, `"title":"By the new name"`) // the old program still runs
	send(t, before, "POST /api/articles", `{"title":"Of the old program"}`, 201)
	send(t, after, "GET /api/articles/4", "", 200, both("Of the old program")...)
	openapitest.Conform(t, after, openapitest.Requests(20))
}

func TestAColumnIsAddedWhileTheOldProgramRuns(t *testing.T) { t.Parallel(); onEach(t, columnIsAdded) }

func columnIsAdded(t *testing.T, dsn string) {
	t.Helper()
	db := open(t, dsn)
	if err := db.Create(t.Context(), sqlstore.Table[evolve.Note](db)); err != nil {
		t.Fatal(err)
	}
	before := serve(t, resource.Config{}, evolve.Notes(db))
	send(t, before, "POST /api/notes", `{"text":"Buy rope."}`, 201)
	if _, err := resource.New(resource.Config{}, evolve.NotesWithColor(db)); err == nil || !strings.Contains(err.Error(), "the table notes has no column color TEXT") {
		t.Errorf("without the migration: %v", err)
	}
	name := "add_color_sqlite.sql"
	if strings.HasPrefix(dsn, "postgres:") {
		name = "add_color_postgres.sql"
	}
	migration, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	run(t, db, string(migration))
	after := serve(t, resource.Config{}, evolve.NotesWithColor(db))
	send(t, after, "POST /api/notes", `{"text":"Sell rope.","color":"red"}`, 201, `"color":"red"`)
	send(t, before, "POST /api/notes", `{"text":"Of the old program."}`, 201)
	send(t, before, "PATCH /api/notes/2", `{"text":"Changed by the old program."}`, 200)
	send(t, after, "GET /api/notes/2", "", 200, `"color":"red"`, "Changed by the old program.")
	send(t, after, "GET /api/notes?color=white", "", 200, "Buy rope.", "Of the old program.")
}

func TestInstancesReturnTheSameResponses(t *testing.T) { t.Parallel(); onEach(t, instancesServeAlike) }

func instancesServeAlike(t *testing.T, dsn string) {
	t.Helper()
	var instances []*evolve.Instance
	for range 2 {
		instance, err := evolve.NewInstance(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = instance.Close() }()
		instances = append(instances, instance)
	}
	one, other := instances[0], instances[1]
	created := send(t, one, "POST /api/tickets", `{"title":"Lamp is broken"}`, 201)
	again := send(t, other, "POST /api/tickets", `{"title":"Lamp is broken"}`, 201)
	if again.Body.String() != created.Body.String() || again.Header().Get("Idempotent-Replayed") != "true" {
		t.Errorf("the other instance creates the ticket again: %s", again.Body)
	}
	send(t, one, "POST /api/tickets", `{"title":"Door is open"}`, 201)
	links := send(t, one, "GET /api/tickets?itemsPerPage=1", "", 200).Header().Get("Link")
	next := regexp.MustCompile(`<(/api/tickets\?[^>]*cursor=[^>]+)>; rel="next"`).FindStringSubmatch(links)
	if next == nil {
		t.Fatalf("the links are %s", links)
	}
	send(t, other, "GET "+next[1], "", 200, "Door is open")
	tag := send(t, one, "GET /api/tickets/1", "", 200).Header().Get("ETag")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "/api/tickets/1", http.NoBody)
	r.Header.Set("If-Match", tag)
	w := httptest.NewRecorder()
	if other.ServeHTTP(w, r); w.Code != 204 {
		t.Errorf("the other instance does not know the entity tag: %d %s", w.Code, w.Body)
	}
	send(t, other, "GET /readyz", "", 200)
	send(t, one, "GET /api/tickets/1", "", 404)
}
