package sqlstore_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
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
		User int64 `json:"user"`
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
