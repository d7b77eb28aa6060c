package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
)

// endless is a driver whose transactions always commit with a statement of its own.
type endless struct{ sqlstore.Driver }

func (d endless) Begin(ctx context.Context) (sqlstore.Transaction, error) {
	tx, err := d.Driver.Begin(ctx)
	return struct{ sqlstore.Transaction }{tx}, err
}

// scrollsOn returns an API as scrolls does, on a driver, after the statements.
func scrollsOn(t *testing.T, d sqlstore.Driver, statements ...string) service {
	t.Helper()
	db := sqlstore.New(d)
	shelves, table := sqlstore.Table[shelf](db), sqlstore.Table[scroll](db)
	if err := db.Create(t.Context(), shelves, table); err != nil {
		t.Fatal(err)
	}
	api, err := resource.New(resource.Config{}, resource.Of[shelf]{Store: shelves}, resource.Of[scroll]{Store: table})
	if err != nil {
		t.Fatal(err)
	}
	s := service{t, api}
	s.must("POST /api/shelves", `{"name":"first"}`)
	s.must("POST /api/scrolls", `{"title":"first","code":"one","shelf":"/api/shelves/1"}`)
	for _, statement := range statements {
		exec(t.Context(), t, d, statement)
	}
	return s
}

// raises are statements that make the commit of some changes fail.
var raises = []string{
	`CREATE FUNCTION check_scroll() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF TG_OP <> 'DELETE' AND NEW.title = 'late' THEN RAISE 'too late'; END IF;
		IF TG_OP <> 'DELETE' AND NEW.title = 'wrong' THEN RAISE 'wrong' USING ERRCODE = '23514'; END IF;
		IF TG_OP = 'DELETE' AND OLD.title = 'kept' THEN RAISE 'kept' USING ERRCODE = '23503'; END IF;
		RETURN NULL; END $$`,
	`CREATE CONSTRAINT TRIGGER checked AFTER INSERT OR UPDATE OR DELETE ON scrolls DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_scroll()`,
	`ALTER TABLE scrolls ADD CHECK (title <> 'checked')`,
}

func TestErrorsOfALastStatementAreThoseOfATransaction(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		var services []service
		for i := range 2 {
			dsn := set(t, schema(t), "default_transaction_isolation", level)
			d := connectTo(t, dsn)
			if i == 1 {
				d = endless{d}
			}
			services = append(services, scrollsOn(t, d, raises...))
		}
		for _, each := range [][2]string{
			{"POST /api/scrolls", `{"title":"second","code":"one"}`},
			{"POST /api/scrolls", `{"title":"second","code":"two","shelf":"/api/shelves/9"}`},
			{"POST /api/scrolls", `{"title":"late","code":"two"}`},
			{"POST /api/scrolls", `{"title":"wrong","code":"two"}`},
			{"POST /api/scrolls", `{"title":"checked","code":"two"}`},
			{"POST /api/scrolls", `{"title":"second","code":"two","shelf":"/api/shelves/1"}`},
			{"PATCH /api/scrolls/1", `{"code":"two"}`},
			{"PATCH /api/scrolls/1", `{"shelf":"/api/shelves/9"}`},
			{"PATCH /api/scrolls/1", `{"title":"late"}`},
			{"PATCH /api/scrolls/1", `{"title":"checked"}`},
			{"PATCH /api/scrolls/1", `{"title":"other"}`},
			{"PATCH /api/scrolls/1", `{}`},
			{"PATCH /api/scrolls/99", `{"title":"other"}`},
			{"PUT /api/scrolls/1", `{"title":"wrong","code":"one"}`},
			{"PUT /api/scrolls/1", `{"title":"kept","code":"one"}`},
			{"DELETE /api/scrolls/1", ""},
			{"DELETE /api/shelves/1", ""},
			{"PATCH /api/scrolls/1", `{"title":"free"}`},
			{"DELETE /api/scrolls/1", ""},
			{"DELETE /api/scrolls/1", ""},
			{"GET /api/scrolls", ""},
		} {
			status, got := services[0].send(each[0], each[1])
			wantStatus, want := services[1].send(each[0], each[1])
			if at := strings.Index(want, `"instance"`); at >= 0 { // differs
				got, want = got[:min(at, len(got))], want[:at]
			}
			if status != wantStatus || got != want {
				t.Errorf("%s: %s %s returns %d %s, want %d %s", level, each[0], each[1], status, got, wantStatus, want)
			}
		}
	}
}

func TestConcurrentChangesAreAllSaved(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		s := scrollsOn(t, connectTo(t, set(t, schema(t), "default_transaction_isolation", level)))
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for n := range 5 {
					s.must("PATCH /api/scrolls/1", fmt.Sprintf(`{"title":"change %d of %d"}`, n, i))
					s.must("POST /api/scrolls", fmt.Sprintf(`{"title":"new","code":"%d of %d","shelf":"/api/shelves/1"}`, n, i))
				}
			})
		}
		all.Wait()
		if got := s.must("GET /api/scrolls/1", ""); !strings.Contains(got, `"version":41`) {
			t.Errorf("%s: after 40 changes: %s", level, got)
		}
		if got := s.must("GET /api/scrolls?itemsPerPage=100", ""); strings.Count(got, `"title"`) != 41 {
			t.Errorf("%s: after 40 creations there are %d scrolls", level, strings.Count(got, `"title"`))
		}
	}
}

func TestALastStatementWithoutAResponseIsNotRunAgain(t *testing.T) {
	t.Parallel()
	m, dsn := metered(t)
	s := scrollsOn(t, connectTo(t, dsn))
	m.cuts.Store(true)
	if status, got := s.send("POST /api/scrolls", `{"title":"second","code":"two"}`); status != http.StatusServiceUnavailable {
		t.Errorf("the request returns %d %s", status, got)
	}
	m.cuts.Store(false)
	var titles string
	err := eventually(func() (err error) {
		status, got := s.send("GET /api/scrolls", "")
		if titles = got; status != http.StatusOK {
			err = errors.New(got)
		}
		return err
	})
	if err != nil || strings.Count(titles, "second") != 1 {
		t.Errorf("the scrolls: %s, %v", titles, err)
	}
}

// request sends a request with a context, in another goroutine, and returns a channel for its response.
func (s service) request(ctx context.Context, method, target, body string) <-chan *httptest.ResponseRecorder {
	done := make(chan *httptest.ResponseRecorder, 1)
	go func() {
		r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		done <- w
	}()
	return done
}

func TestAClientThatGoesAwayEndsALastStatementThatWaits(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	dsn := schema(t)
	d := connectTo(t, dsn)
	s := scrollsOn(t, d)
	other := begin(ctx, t, d)
	exec(ctx, t, other, "INSERT INTO scrolls (title, code, version) VALUES ('t', 'two', 1)")
	gone, goes := context.WithCancel(ctx)
	done := s.request(gone, http.MethodPost, "/api/scrolls", `{"title":"second","code":"two"}`)
	pid := one[int32](ctx, t, other, "SELECT pg_backend_pid()")
	for one[int64](ctx, t, d, "SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))", pid) == 0 {
		time.Sleep(time.Millisecond)
	}
	goes()
	if w := <-done; w.Code < http.StatusBadRequest {
		t.Errorf("the request returns %d %s", w.Code, w.Body)
	}
	if err := other.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	s.must("POST /api/scrolls", `{"title":"third","code":"two"}`)
}

func TestAClientThatGoesAwayTooLateLeavesWhatIsSaved(t *testing.T) {
	t.Parallel()
	ctx := impatient(t)
	m, dsn := metered(t)
	s := scrollsOn(t, connectTo(t, dsn))
	gone, goes := context.WithCancel(ctx)
	defer goes()
	m.holds.Lock()
	done := s.request(gone, http.MethodPost, "/api/scrolls", `{"title":"second","code":"two"}`)
	watcher := connectTo(t, m.direct)
	for one[int64](ctx, t, watcher, "SELECT count(*) FROM scrolls") < 2 {
		time.Sleep(time.Millisecond)
	}
	goes()
	m.holds.Unlock()
	if w := <-done; w.Code != http.StatusCreated {
		t.Errorf("the request returns %d %s", w.Code, w.Body)
	}
}

// The server then reports that the change is saved, with a warning: after a failover it may be missing.
func TestAChangeThatNoStandbyHasIsNotAcknowledgedIfItsClientGoesAway(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx := impatient(t)
	dsn := schema(t)
	d := connectTo(t, dsn)
	if one[string](ctx, t, d, "SHOW synchronous_commit") != "off" {
		t.Skip("other tests would wait for standbys too")
	}
	scrollsOn(t, d)
	s := scrollsAt(t, with(dsn, "synchronous_commit", "on"))
	const reload = "SELECT pg_reload_conf()"
	t.Cleanup(func() { administer(t, server(t), "ALTER SYSTEM RESET synchronous_standby_names", reload) })
	administer(t, server(t), "ALTER SYSTEM SET synchronous_standby_names = 'missing'", reload)
	for n := range 100 { // until the server knows the setting
		gone, goes := context.WithCancel(ctx)
		done := s.request(gone, http.MethodPost, "/api/scrolls", fmt.Sprintf(`{"title":"second","code":"code %d"}`, n))
		for len(done) == 0 && one[int64](ctx, t, d, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 0 {
			time.Sleep(time.Millisecond)
		}
		isSaved := len(done) > 0
		goes()
		if w := <-done; !isSaved {
			if w.Code < http.StatusInternalServerError {
				t.Errorf("the request returns %d %s", w.Code, w.Body)
			}
			return
		}
	}
	t.Error("no commit has waited for a standby")
}

func TestALastStatementThatCannotRunIsUnavailable(t *testing.T) {
	t.Parallel()
	direct(t)
	ctx := impatient(t)
	dsn := schema(t)
	s := scrollsOn(t, connectTo(t, dsn))
	blocked := scrollsAt(t, with(dsn, "pool_max_conns", "1"), "SET statement_timeout = 50") // of its only connection
	other := begin(ctx, t, connectTo(t, dsn))
	exec(ctx, t, other, "INSERT INTO scrolls (title, code, version) VALUES ('t', 'two', 1)")
	exec(ctx, t, other, "SELECT FROM scrolls WHERE id = 1 FOR UPDATE")
	frozen := scrollsAt(t, with(dsn, "default_transaction_read_only", "on"))
	for _, each := range []struct {
		of            service
		request, body string
	}{
		{blocked, "POST /api/scrolls", `{"title":"second","code":"two"}`},
		{blocked, "PATCH /api/scrolls/1", `{"title":"second"}`},
		{frozen, "POST /api/scrolls", `{"title":"second","code":"three"}`},
		{frozen, "DELETE /api/scrolls/1", ""},
	} {
		if status, got := each.of.send(each.request, each.body); status != http.StatusServiceUnavailable {
			t.Errorf("%s returns %d %s", each.request, status, got)
		}
	}
	if err := other.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	s.must("POST /api/scrolls", `{"title":"second","code":"two"}`)
	s.must("PATCH /api/scrolls/1", `{"title":"other"}`)
}

// scrollsAt returns an API on existing tables, after the statements.
func scrollsAt(t *testing.T, dsn string, statements ...string) service {
	t.Helper()
	db := open(t, dsn)
	api, err := resource.New(resource.Config{}, resource.Of[shelf]{Store: sqlstore.Table[shelf](db)}, resource.Of[scroll]{Store: sqlstore.Table[scroll](db)})
	for _, statement := range statements {
		if err == nil {
			_, err = db.Exec(t.Context(), statement)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return service{t, api}
}

func TestNothingFollowsALastStatement(t *testing.T) {
	t.Parallel()
	ctx, d := impatient(t), connected(t, counters)
	for i, before := range []string{"", "SELECT 1"} {
		for _, statement := range []string{"INSERT INTO counters VALUES (%d, 10) RETURNING id", "INSERT INTO counters VALUES (%d, 'x') RETURNING id"} {
			tx := begin(ctx, t, d)
			if before != "" {
				exec(ctx, t, tx, before)
			}
			rows, err := tx.(sqlstore.Finisher).Last(ctx, fmt.Sprintf(statement, i))
			if err == nil {
				for rows.Next() {
				}
				err = rows.Close()
			}
			if wrong := strings.Contains(statement, "x"); (err != nil) != wrong {
				t.Errorf("%s: %v", statement, err)
			}
			for _, call := range []func() error{
				func() error { _, err := tx.Exec(ctx, "DELETE FROM counters"); return err },
				func() error { _, err := tx.Query(ctx, "DELETE FROM counters"); return err },
				func() error { _, err := tx.(sqlstore.Finisher).Last(ctx, "DELETE FROM counters"); return err },
			} {
				if call() == nil {
					t.Error("a statement runs after the last one")
				}
			}
			if err := tx.Rollback(ctx); err != nil {
				t.Error(err)
			}
		}
	}
	if n := one[int64](ctx, t, d, "SELECT count(*) FROM counters"); n != 2 {
		t.Errorf("%d rows are saved, want 2", n)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := begin(ctx, t, d).(sqlstore.Finisher).Last(cancelled, "DELETE FROM counters"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}
