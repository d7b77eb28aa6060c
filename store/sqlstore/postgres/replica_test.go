package postgres_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// note is a record. Its server is that from which it was read, once the servers are marked.
type note struct {
	ID     int64  `json:"id"`
	Text   string `json:"text" api:"unique"`
	Server string `json:"server" api:"readonly"`
}

// notes is a service whose database has replicas.
type notes struct {
	*testing.T
	*resource.API

	db      *sqlstore.DB
	table   *sqlstore.Store[note]
	primary string // the DSN
}

// standbys returns the DSNs of the standbys of the server, or skips the test. Tests with standbys do not run in parallel,
// because they stop the replay.
func standbys(t testing.TB) (first, second string) {
	t.Helper()
	first, second, _ = strings.Cut(os.Getenv("TROVE_TEST_REPLICAS"), " ")
	if second == "" {
		t.Skip("run it with .ci/replicas")
	}
	return first, second
}

// within returns a DSN whose statements find the tables of another one.
func within(t testing.TB, dsn, primary string) string {
	t.Helper()
	config, err := pgx.ParseConfig(primary)
	if err != nil {
		t.Fatal(err)
	}
	return with(dsn, "search_path", config.RuntimeParams["search_path"])
}

func passwordOf(t testing.TB, dsn string) string {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return config.Password
}

func portOf(t testing.TB, dsn string) int {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return int(config.Port)
}

// notesIn returns a schema with notes.
func notesIn(t *testing.T) (dsn string) {
	t.Helper()
	if dsn = with(server(t), "search_path", "notes"); os.Getenv(own) == "" {
		dsn = schema(t)
	} else {
		administer(t, dsn, "CREATE SCHEMA notes")
	}
	db := open(t, dsn)
	if err := db.Create(t.Context(), sqlstore.Table[note](db)); err != nil {
		t.Fatal(err)
	}
	return dsn
}

// mark writes a note, and makes each server have another version of it, which names the server. The standbys replay nothing more
// until resume is called, or the test ends.
func (n notes) mark(standbys ...string) (path string, resume func()) {
	n.Helper()
	path, _ = n.write(fmt.Sprintf("marked %d", time.Now().UnixNano()))
	var resumes []func()
	for i, standby := range standbys {
		name := []string{"first", "second"}[i]
		administer(n, n.primary, "UPDATE notes SET server = '"+name+"'")
		soon(n, func() bool {
			return value(n, within(n, standby, n.primary), "SELECT coalesce(max(server), '') FROM notes") == name
		})
		resumes = append(resumes, pause(n, standby))
	}
	administer(n, n.primary, "UPDATE notes SET server = 'primary'")
	return path, func() {
		for _, each := range resumes {
			each()
		}
	}
}

// notesOn opens the notes of a schema with replicas, and waits until a number of them is usable. Their data may be an hour old.
func notesOn(t *testing.T, primary string, usable int, options []postgres.Option, configure ...func(*resource.Config, *resource.Of[note])) notes {
	t.Helper()
	db, err := postgres.Open(t.Context(), primary, append([]postgres.Option{postgres.Staleness(time.Hour)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	n := notes{T: t, db: db, table: sqlstore.Table[note](db), primary: primary}
	config, of := resource.Config{}, resource.Of[note]{Store: n.table}
	for _, change := range configure {
		change(&config, &of)
	}
	if n.API, err = resource.New(config, of); err != nil {
		t.Fatal(err)
	}
	n.waitFor(usable)
	return n
}

// waitFor waits until a number of replicas is usable.
func (n notes) waitFor(usable int) {
	n.Helper()
	soon(n, func() bool { return n.db.Stats().Replicas == usable })
}

// soon waits until something holds.
func soon(t testing.TB, holds func() bool) {
	t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not happen within 10 seconds")
}

// send sends a request with header fields, given as name, value.
func (n notes) send(request, body string, fields ...string) *httptest.ResponseRecorder {
	n.Helper()
	method, target, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(n.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	n.ServeHTTP(w, r)
	return w
}

// write writes a note, and returns its path and the position of the response.
func (n notes) write(text string) (path, position string) {
	n.Helper()
	w := n.send("POST /api/notes", fmt.Sprintf(`{"text":%q}`, text))
	if w.Code != http.StatusCreated {
		n.Fatalf("writing returns %d: %s", w.Code, w.Body)
	}
	position = w.Header().Get("Trove-Position")
	if position == "" {
		n.Error("the response to a write has no position")
	}
	return w.Header().Get("Location"), position
}

// readsFrom returns the server from which a request reads a marked note, "" if it does not find the note.
func (n notes) readsFrom(path string, fields ...string) string {
	n.Helper()
	w := n.send("GET "+path, "", fields...)
	var found note
	if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil || w.Code != http.StatusOK && w.Code != http.StatusNotFound {
		n.Fatalf("GET %s returns %d: %s", path, w.Code, w.Body)
	}
	return found.Server
}

// pause stops the replay of a standby until resume is called, or the test ends.
func pause(t testing.TB, standby string) (resume func()) {
	t.Helper()
	administer(t, standby, "SELECT pg_wal_replay_pause()")
	soon(t, func() bool { return value(t, standby, "SELECT pg_get_wal_replay_pause_state()") == "paused" })
	resume = sync.OnceFunc(func() { administer(t, standby, "SELECT pg_wal_replay_resume()") })
	t.Cleanup(resume)
	return resume
}

// value returns the only value of a query, as text.
func value(t testing.TB, dsn, query string) (text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := conn.QueryRow(ctx, query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReplicasServeRequestsThatRead(t *testing.T) { //nolint:paralleltest // see standbys
	first, second := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 2, []postgres.Option{postgres.Replicas(within(t, first, dsn), within(t, second, dsn))})
	path, _ := n.mark(first, second)
	from := map[string]int{}
	for range 10 {
		from[n.readsFrom(path)]++
		var page []note
		w := n.send("GET /api/notes?id=1", "") // the total is a statement of its own
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(page) != 1 || w.Header().Get("X-Total-Count") != "1" {
			t.Fatalf("a page returns %d: %s", w.Code, w.Body)
		}
		from[page[0].Server]++
	}
	if from["first"] != 10 || from["second"] != 10 {
		t.Errorf("20 reads came from %v, want 10 from each replica", from)
	}
	if vary := n.send("GET "+path, "").Header().Values("Vary"); !strings.Contains(strings.Join(vary, ","), "Trove-Position") {
		t.Errorf("caches see %q", vary)
	}
}

func TestOnlyReadsOfOperationsUseReplicas(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	var n notes
	servers := map[string]string{}
	see := func(ctx context.Context, what string) error {
		found, err := n.table.Get(ctx, int64(1))
		if err == nil {
			servers[what] = found.Server
		}
		return err
	}
	get := func(name string, do func(ctx context.Context) error) operation.Operation {
		return operation.Get{Name: name, URITemplate: "/" + name, Handler: operation.Handle(
			func(ctx context.Context, _ *note, _ struct{}) (note, error) { return note{}, do(ctx) },
		)}
	}
	n = notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))}, func(config *resource.Config, of *resource.Of[note]) {
		config.Authentication = []access.Scheme{access.Bearer("token", func(ctx context.Context, _ string) (*int, access.Scopes, error) {
			return new(int), nil, see(ctx, "authentication")
		})}
		of.Access = access.Rules{Read: access.Public, Create: access.Public}
		of.Operations = []operation.Operation{
			operation.Get{},
			operation.Post{},
			get("transaction", func(ctx context.Context) error {
				return errors.Join(
					see(ctx, "a handler of a Get"), see(t.Context(), "a job"),
					n.table.Transact(ctx, func(ctx context.Context, _ store.Tx[note]) error { return see(ctx, "a transaction") }),
					see(ctx, "after a transaction"),
				)
			}),
			get("own", func(ctx context.Context) error {
				rows, err := n.db.Query(ctx, "SELECT server FROM notes")
				if err != nil {
					return err
				}
				var server string
				for rows.Next() {
					err = errors.Join(err, rows.Scan(&server))
				}
				servers["a statement of the program"] = server
				return errors.Join(err, rows.Close(), see(ctx, "after a statement of the program"))
			}),
			operation.Post{Name: "post", URITemplate: "/post", Handler: operation.Handle(
				func(ctx context.Context, _ *note, _ struct{}) (struct{}, error) {
					return struct{}{}, see(ctx, "a Post")
				},
			)},
		}
	})
	n.mark(first)
	for _, request := range []string{"GET /api/transaction", "GET /api/own", "POST /api/post"} {
		if w := n.send(request, "", "Authorization", "Bearer x"); w.Code >= http.StatusMultipleChoices {
			t.Fatalf("%s returns %d: %s", request, w.Code, w.Body)
		}
	}
	for what, server := range servers {
		if (server == "first") != (what == "a handler of a Get") || server == "" {
			t.Errorf("%s reads from %s", what, server)
		}
	}
	if len(servers) != 8 {
		t.Errorf("%v is not all that reads", servers)
	}
}

func TestAClientSeesItsOwnWrites(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	replicas := []postgres.Option{postgres.Replicas(within(t, first, dsn))}
	n, other := notesOn(t, dsn, 1, replicas), notesOn(t, dsn, 1, replicas) // as on another machine
	old, before := n.write("before")
	soon(t, func() bool { return value(t, within(t, first, dsn), "SELECT count(*)::text FROM notes") == "1" })
	time.Sleep(time.Second) // until it is known
	_, resume := n.mark(first)
	w := n.send("POST /api/notes", `{"text":"after"}`)
	path, position := w.Header().Get("Location"), w.Header().Get("Trove-Position")
	administer(t, dsn, "UPDATE notes SET server = 'primary'")
	cookie, err := http.ParseSetCookie(w.Header().Get("Set-Cookie"))
	if err != nil || cookie.Name != "trove_position" || cookie.Value != position || !cookie.HttpOnly || cookie.Secure ||
		cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.MaxAge != 3600 {
		t.Errorf("the cookie is %v, %v", cookie, err)
	}
	time.Sleep(time.Second) // the primary has been examined since
	for _, one := range []notes{n, other} {
		for _, test := range []struct {
			name   string
			path   string
			fields []string
			want   string
		}{
			{"without a position", path, nil, ""},
			{"with that of an earlier write", path, []string{"Trove-Position", before}, ""},
			{"with the header", path, []string{"Trove-Position", position}, "primary"},
			{"with the cookie", path, []string{"Cookie", "trove_position=" + position}, "primary"},
			{"with an old header and the cookie", path, []string{"Trove-Position", before, "Cookie", "trove_position=" + position}, "primary"},
			{"with several", path, []string{"Trove-Position", position, "Trove-Position", before}, "primary"},
			{"with a forged one", old, []string{"Trove-Position", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"}, "primary"},
			{"with one of another database", old, []string{"Trove-Position", "00000000" + before[8:]}, "primary"},
			{"with garbage", old, []string{"Trove-Position", "\x7f\xff, ;"}, "primary"},
			{"with garbage in the cookie", old, []string{"Cookie", "trove_position=!; trove_position=~~"}, "primary"},
			{"of what the replica has", old, []string{"Trove-Position", before}, "first"},
		} {
			if got := one.readsFrom(test.path, test.fields...); got != test.want {
				t.Errorf("a read %s comes from %q, want %q", test.name, got, test.want)
			}
		}
	}
	resume()
	other.waitFor(1) // it may have been lost meanwhile, on a slow machine
	n.mark(first)
	soon(t, func() bool { return other.readsFrom(path, "Trove-Position", position) == "first" })
}

func TestTheCookieIsSecureOverTLS(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn))})
	w := n.send("POST https://example.com/api/notes", `{"text":"here"}`)
	if cookie := w.Header().Get("Set-Cookie"); !strings.Contains(cookie, "; Secure") {
		t.Errorf("the cookie is %q", cookie)
	}
}

func TestAReplicaThatIsTooOldIsNotUsed(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	n := notesOn(t, dsn, 1, []postgres.Option{postgres.Replicas(within(t, first, dsn)), postgres.Staleness(2 * time.Second)})
	path, resume := n.mark(first)
	began := time.Now()
	if got := n.readsFrom(path); got != "first" {
		t.Errorf("the first read comes from %s", got)
	}
	soon(t, func() bool { return n.readsFrom(path) == "primary" })
	if waited := time.Since(began); waited > 3*time.Second {
		t.Errorf("the replica was used for %s", waited)
	}
	resume()
	n.waitFor(1)
}

func TestServersThatAreNoStandbysAreNotUsed(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	defer slog.SetDefault(before)
	for name, replica := range map[string]string{
		"the primary":                   dsn,
		"a standby of another database": with(within(t, first, dsn), "dbname", "template1"),
		"a standby with another schema": first,
		"a port without a server":       "postgres://x:secret@127.0.0.1:1/x?search_path=x",
	} {
		n := notesOn(t, dsn, 0, []postgres.Option{postgres.Replicas(replica)})
		n.write(name)
		for range 10 {
			if n.db.Stats().Replicas != 0 {
				t.Fatalf("%s is used", name)
			}
			time.Sleep(100 * time.Millisecond)
		}
		if err := n.db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := logged.String(); strings.Count(got, "a replica or its primary fails") != 1 || strings.Contains(got, "secret") {
			t.Errorf("the log of %s is %s", name, got)
		}
		logged.Reset()
	}
}

func TestAnInvalidDSNOfAReplicaIsAnError(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), schema(t), postgres.Replicas("postgres://x:secret@127.0.0.1:1/x", "postgres://x:secret@host:port/x"))
	if err == nil || !strings.Contains(err.Error(), "[1]") || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error is %v", err)
	}
}

func TestCloseLeavesNoConnectionToAServer(t *testing.T) { //nolint:paralleltest // see standbys
	first, _ := standbys(t)
	dsn := notesIn(t)
	named := func(dsn string) string { return with(dsn, "application_name", "closes") }
	n := notesOn(t, named(dsn), 1, []postgres.Option{postgres.Replicas(named(within(t, first, dsn)))})
	if err := n.db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, server := range []string{dsn, within(t, first, dsn)} {
		soon(t, func() bool {
			return value(t, server, "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'closes'") == "0"
		})
	}
}
