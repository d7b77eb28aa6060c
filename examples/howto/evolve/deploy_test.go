package evolve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/examples/howto/evolve"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// deployment is the programs that run, and the field that clients send.
type deployment struct {
	apis  []http.Handler
	field string
}

// clients send requests to the programs of a deployment until they stop.
type clients struct {
	path     string // of the collection
	current  atomic.Pointer[deployment]
	progress chan struct{} // has a value if requests have succeeded since it was read
	stop     chan struct{}
	group    sync.WaitGroup

	mu    sync.Mutex
	saved []string // paths of the records
}

// start starts clients of a program.
func start(t *testing.T, path, field string, api http.Handler) *clients {
	t.Helper()
	c := &clients{path: path, stop: make(chan struct{}), progress: make(chan struct{}, 1)}
	c.current.Store(&deployment{[]http.Handler{api}, field})
	for n := range 3 {
		c.group.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-c.stop:
					return
				default:
					c.use(t, fmt.Sprintf("record %d of %d", i, n), i)
				}
			}
		})
	}
	c.wait(t)
	return c
}

// serve sets the programs that run, and the field that clients send. It waits until each program has had some more requests.
func (c *clients) serve(t *testing.T, field string, apis ...http.Handler) {
	t.Helper()
	c.current.Store(&deployment{apis, field})
	c.wait(t)
}

// wait waits until each program has had some more requests.
func (c *clients) wait(t *testing.T) {
	t.Helper()
	for range 60 {
		if <-c.progress; t.Failed() {
			t.FailNow()
		}
	}
}

// use saves a record, changes it and reads it, each with another program.
func (c *clients) use(t *testing.T, text string, i int) {
	t.Helper()
	path, now := c.path, c.current.Load()
	for n, method := range []string{http.MethodPost, http.MethodPatch, http.MethodGet} {
		body := fmt.Sprintf(`{%q: %q}`, now.field, text)
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if method == http.MethodPatch {
			r.Header.Set("Content-Type", "application/merge-patch+json")
		}
		w := httptest.NewRecorder()
		now.apis[(i+n)%len(now.apis)].ServeHTTP(w, r)
		var record map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &record); w.Code >= 300 || err != nil || record[now.field] != text {
			t.Errorf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
		}
		if method == http.MethodPost {
			path = fmt.Sprintf("%s/%v", path, record["id"])
			c.mu.Lock()
			c.saved = append(c.saved, path)
			c.mu.Unlock()
		}
		select {
		case c.progress <- struct{}{}:
		default:
		}
	}
}

// end stops the clients, and checks that a program has all records.
func (c *clients) end(t *testing.T, api http.Handler) {
	t.Helper()
	close(c.stop)
	c.group.Wait()
	for _, path := range c.saved {
		send(t, api, "GET "+path, "", http.StatusOK)
	}
}

// This is the order of "Add a field to a table", and then of "Drop a field", while clients use the programs.
func TestNoRequestFailsWhileProgramsAreReplaced(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, dsn string) {
		t.Helper()
		if !strings.Contains(dsn, "://") {
			t.Skip("two programs share a server")
		}
		first := open(t, dsn)
		if err := first.Create(t.Context(), sqlstore.Table[evolve.Note](first)); err != nil {
			t.Fatal(err)
		}
		plain := serve(t, resource.Config{}, evolve.Notes(first))
		load := start(t, "/api/notes", "text", plain)

		second := open(t, dsn)
		if left, err := second.Migrate(t.Context(), sqlstore.Table[evolve.NoteWithColor](second, sqlstore.Named("notes"))); err != nil || len(left.Steps) > 0 {
			t.Fatalf("%v, %v", left, err)
		}
		colored := serve(t, resource.Config{}, evolve.NotesWithColor(second))
		load.serve(t, "text", plain, colored)
		load.serve(t, "text", colored)

		// The program of now is the old one, and the next one has no color.
		third := open(t, dsn)
		notes := sqlstore.Table[evolve.Note](third)
		if err := evolve.Migrate(t.Context(), third, notes); err != nil {
			t.Fatal(err)
		}
		again := serve(t, resource.Config{}, evolve.Notes(third))
		load.serve(t, "text", colored, again)
		load.serve(t, "text", again)
		left, err := third.Plan(t.Context(), notes)
		if err != nil || len(left.Steps) != 2 {
			t.Fatalf("%v, %v", left, err)
		}
		for _, step := range left.Steps {
			if step.Phase != "contract" || step.Safe {
				t.Errorf("%+v", step)
			}
		}
		run(t, third, "DROP INDEX notes_color_idx; ALTER TABLE notes DROP COLUMN color")
		load.wait(t)
		load.end(t, again)
		if left, err := third.Migrate(t.Context(), notes); err != nil || len(left.Steps) > 0 {
			t.Errorf("%v, %v", left, err)
		}
	})
}

// ArticleOfNow is the struct of the program after the rename.
type ArticleOfNow struct {
	ID       int64  `json:"id"`
	Headline string `json:"headline" db:"title" validate:"notblank,max=200" api:"filter=partial,sort"`
}

// This is the order of "Rename a field without downtime": a program with both names, then one with the new name.
func TestNoRequestFailsWhileAFieldIsRenamed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, dsn string) {
		t.Helper()
		if !strings.Contains(dsn, "://") {
			t.Skip("two programs share a server")
		}
		first := open(t, dsn)
		titles := sqlstore.Table[OldArticle](first, sqlstore.Named("articles"))
		if err := first.Create(t.Context(), titles); err != nil {
			t.Fatal(err)
		}
		before := serve(t, resource.Config{}, resource.Of[OldArticle]{ShortName: "Article", Store: titles})
		load := start(t, "/api/articles", "title", before)

		second := open(t, dsn)
		articles := sqlstore.Table[evolve.Article](second)
		if left, err := second.Migrate(t.Context(), articles); err != nil || len(left.Steps) > 0 {
			t.Fatalf("%v, %v", left, err)
		}
		both := serve(t, resource.Config{}, evolve.Articles(articles))
		load.serve(t, "title", before, both)
		load.serve(t, "title", both)
		load.serve(t, "headline", both) // the clients change, each when it likes

		third := open(t, dsn)
		headlines := sqlstore.Table[ArticleOfNow](third, sqlstore.Named("articles"))
		if left, err := third.Migrate(t.Context(), headlines); err != nil || len(left.Steps) > 0 {
			t.Fatalf("%v, %v", left, err)
		}
		after := serve(t, resource.Config{}, resource.Of[ArticleOfNow]{ShortName: "Article", Store: headlines})
		load.serve(t, "headline", both, after)
		load.serve(t, "headline", after)
		load.end(t, after)
	})
}
