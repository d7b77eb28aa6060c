package sqlstore_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// Users with a seat in a team see its tasks.
type (
	team struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
		Plan string `json:"plan"`
	}
	seat struct {
		ID   int64 `json:"id"`
		Team int64 `json:"team" api:"ref=Team"`
		User int64 `json:"user" api:"filter"`
	}
	task struct {
		ID   int64  `json:"id"`
		Team int64  `json:"team" api:"ref=Team,expand"`
		Note string `json:"note"`
		Cost int64  `json:"cost"`
	}
)

// A page costs one query for its records, one for each path behind them and one for each reference that it embeds,
// however many records it has.
func TestAPageCostsOneQueryForEachPathOfARule(t *testing.T) {
	t.Parallel()
	db, r := recorded(open(t))
	teams, seats, tasks := sqlstore.Table[team](db), sqlstore.Table[seat](db), sqlstore.Table[task](db)
	if err := db.Create(t.Context(), teams, seats, tasks); err != nil {
		t.Fatal(err)
	}
	member := access.Related("Seat.team", access.Equal("user", func(user int64) int64 { return user }))
	public, ofMembers := access.Only(access.Public), access.Through("team", member)
	guarded, ofTeams := public, public
	ofTeams.Read, ofTeams.Fields = access.Any(member, access.Where("name", "open")), map[string]access.Field{"plan": {Read: member}}
	guarded.Fields = map[string]access.Field{"note": {Read: ofMembers}, "cost": {Read: ofMembers}}
	api, err := resource.New(resource.Config{Logger: slog.New(slog.DiscardHandler), Authentication: []access.Scheme{
		access.Bearer("token", func(context.Context, string) (int64, access.Scopes, error) { return 7, nil, nil }),
	}}, resource.Of[team]{Store: teams, Access: ofTeams}, resource.Of[seat]{Store: seats, Access: public}, resource.Of[task]{Store: tasks, Access: guarded})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		insert(t, teams, &team{Name: []string{"open", "shut"}[i%2]})
		insert(t, seats, &seat{Team: int64(i + 1), User: int64(7 + i%3)})
		insert(t, tasks, &task{Team: int64(i + 1), Note: fmt.Sprint(i)})
	}
	send := func(path string) string {
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		request.Header.Set("Authorization", "Bearer x")
		w := httptest.NewRecorder()
		r.statements = nil
		api.ServeHTTP(w, request)
		if w.Code != http.StatusOK {
			t.Fatalf("%s returns %d: %s", path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	for path, want := range map[string]int{
		// The records, their total, their teams, and who has a seat in these.
		"/api/tasks":                4,
		"/api/tasks?itemsPerPage=2": 4,
		// The records, and the same.
		"/api/tasks.ndjson": 3,
		// The teams to embed, who may see them, and who may see their plans.
		"/api/tasks?expand=team": 6,
		// The records, their total, and who may see their plans.
		"/api/teams": 3,
		// The record, its team, and a seat in that.
		"/api/tasks/1": 3,
		// The record, and a seat in it.
		"/api/teams/1": 2,
	} {
		body := send(path)
		if len(r.statements) > want {
			t.Errorf("%s runs %d statements, want %d:", path, len(r.statements), want)
			for _, s := range r.statements {
				t.Log(s.text)
			}
		}
		if strings.HasPrefix(path, "/api/tasks") && !strings.Contains(body, `"note":"0"`) || strings.Contains(body, `"note":"1"`) {
			t.Errorf("%s shows %s", path, body)
		}
	}
}

// Rules through references, and trees of conditions with them, read the few rows that they are about.
func TestIndexesServeRulesThroughReferences(t *testing.T) {
	t.Parallel()
	rows := 1_000_000
	if testing.Short() {
		rows = 40_000
	}
	seated := store.Condition{Through: "Seat.team", Any: [][]store.Condition{{is("user", store.Equal, int64(7))}}}
	member := store.Condition{Through: "team", Any: [][]store.Condition{{seated}}}
	dear, ninth := is("cost", store.Greater, int64(5)), is("team", store.Equal, int64(9))
	rules := map[string][]store.Condition{
		"members":                {member},
		"members, and a filter":  {is("note", store.NotEqual, "x"), member},
		"members, and a tree":    {member, anyOf([]store.Condition{dear, anyOf([]store.Condition{ninth}, []store.Condition{is("note", store.Equal, "a")})}, []store.Condition{ninth})},
		"members, and two rules": {member, anyOf([]store.Condition{member, dear}, []store.Condition{member})},
		"members or others":      {anyOf([]store.Condition{member}, []store.Condition{ninth})},
		"members or in a tree":   {anyOf([]store.Condition{anyOf([]store.Condition{member}, []store.Condition{ninth}), dear})},
	}
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			numbers := fmt.Sprintf("generate_series(1, %d) AS g(n)", rows)
			if database == "SQLite" {
				numbers = fmt.Sprintf("(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %d) SELECT n FROM c)", rows)
			}
			watched, r := recorded(db)
			teams, seats, tasks := sqlstore.Table[team](watched), sqlstore.Table[seat](watched), sqlstore.Table[task](watched)
			if err := watched.Create(t.Context(), teams, seats, tasks); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{
				"INSERT INTO teams (id, name, plan) SELECT n, 'a', 'b' FROM " + numbers + " WHERE n <= 2000",
				`INSERT INTO seats (id, team, "user") SELECT n, 1 + n % 2000, n % 5000 FROM ` + numbers + " WHERE n <= 20000",
				"INSERT INTO tasks (id, team, note, cost) SELECT n, 1 + n % 2000, 'a', n % 10 FROM " + numbers,
				"ANALYZE teams", "ANALYZE seats", "ANALYZE tasks",
			} {
				if _, err := db.Exec(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			for rule, where := range rules {
				if database == "PostgreSQL" && strings.Contains(rule, " or ") {
					continue // it joins outside of OR alone, else it hashes what the rule finds, and reads the whole table
				}
				page, err := tasks.List(t.Context(), store.Query{Where: where, Limit: 30, Count: true})
				if err != nil || page.Total == 0 || page.Total > rows/100 {
					t.Errorf("%s: finds %d (%v)", rule, page.Total, err)
					continue
				}
				for _, statement := range []statement{r.last(t, "SELECT COUNT"), r.last(t, `SELECT "id"`)} {
					steps := explained(t, db, statement)
					scans := strings.Contains(steps, "Seq Scan on tasks") || strings.Contains(steps, "SCAN tasks")
					if scans || !strings.Contains(steps, "tasks_team_idx") || !strings.Contains(steps, "seats_user_idx") {
						t.Errorf("%s: runs as\n%s\n%s", rule, steps, statement.text)
					}
				}
			}
		})
	}
}

// stock is how many of something are left.
type stock struct {
	ID   int64 `json:"id"`
	Left int64 `json:"left" api:"filter=range"`
}

func TestConcurrentUpdatesTakeNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	const writers, rounds, kinds, each = 16, 4, 3, 50 // less than writers * rounds
	for database, made := range map[string]func(testing.TB) *sqlstore.DB{
		"SQLite":     func(t testing.TB) *sqlstore.DB { t.Helper(); return open(t) },
		"PostgreSQL": server,
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			db := made(t)
			s := sqlstore.Table[stock](db)
			if err := db.Create(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			for range kinds {
				insert(t, s, &stock{Left: each})
			}
			var taken atomic.Int64
			var all sync.WaitGroup
			for range writers {
				all.Go(func() {
					for range rounds {
						n, err := store.UpdateWhere(t.Context(), s, func(r *stock) error { r.Left--; return nil }, store.Gt("left", int64(0)))
						if taken.Add(int64(n)); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			page, err := s.List(t.Context(), store.Query{})
			if err != nil || taken.Load() != kinds*each {
				t.Errorf("%d were taken of %d (%v)", taken.Load(), kinds*each, err)
			}
			for _, r := range page.Items {
				if r.Left != 0 {
					t.Errorf("%d are left of number %d", r.Left, r.ID)
				}
			}
		})
	}
}
