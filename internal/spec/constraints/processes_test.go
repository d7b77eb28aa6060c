package constraints_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/database"
)

// Court is what one can book.
type Court struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	Deleted *time.Time `json:"deleted" api:"deleted"`
}

// Match takes a court from one hour to another.
type Match struct {
	ID     int64  `json:"id"`
	Court  int64  `json:"court" api:"ref=Court,filter,ondelete=restrict"`
	From   int    `json:"from"`
	To     int    `json:"to" validate:"gtfield=From"`
	Season string `json:"season"`
	Number int    `json:"number"`
	Status string `json:"status" validate:"oneof=planned played" default:"planned" api:"readonly"`
}

// Constraints keeps two matches apart.
func (Match) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("from", "to", "court"), store.Unique("season", "number")}
}

// Goal is a part of a match.
type Goal struct {
	ID     int64  `json:"id"`
	Match  int64  `json:"match" api:"ref=Match,filter,ondelete=cascade"`
	Player string `json:"player"`
}

// databaseOf passes the name of the database to a process of the service.
const databaseOf = "TROVE_SPEC_DATABASE"

// TestServe is a process of the service. It ends when its input does.
func TestServe(t *testing.T) {
	t.Parallel()
	name := os.Getenv(databaseOf)
	if name == "" {
		t.Skip("is run by TestTwoProcessesOnOneDatabase")
	}
	db, err := database.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	courts, matches, goals := sqlstore.Table[Court](db), sqlstore.Table[Match](db), sqlstore.Table[Goal](db)
	if err := db.Create(t.Context(), courts, matches, goals); err != nil {
		t.Fatal(err)
	}
	play := operation.Post{
		Name: "play", URITemplate: "/matches/{id}/play", When: access.Where("status", "planned"), Handler: operation.Set("status", "played"),
	}
	put := operation.Put{Nested: []string{"goals"}}
	api, err := resource.New(resource.Config{},
		resource.Of[Court]{Store: courts},
		resource.Of[Match]{Store: matches, Inverse: map[string]string{"goals": "Goal.match"}, Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{}, put, play}},
		resource.Of[Goal]{Store: goals, Operations: append(operation.Standard(), operation.GetCollection{URITemplate: "/matches/{match}/goals"})})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	defer server.Close()
	fmt.Println(prefix + server.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// prefix begins the line with the URL of a process.
const prefix = "serves "

// service is the two processes.
type service struct {
	t   *testing.T
	url [2]string
}

// start starts the processes. The second begins when the first has created the tables.
func start(t *testing.T, name string) *service {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &service{t: t}
	for i := range s.url {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		command := exec.CommandContext(ctx, program, "-test.run=^TestServe$", "-test.v")
		command.Env = append(os.Environ(), databaseOf+"="+name)
		input, errInput := command.StdinPipe()
		output, errOutput := command.StdoutPipe()
		if err := errors.Join(errInput, errOutput, command.Start()); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(output)
		t.Cleanup(func() {
			_ = input.Close()
			for lines.Scan() { // until the process ends
			}
			if err := command.Wait(); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
			cancel()
		})
		for s.url[i] == "" && lines.Scan() {
			if url, ok := strings.CutPrefix(lines.Text(), prefix); ok {
				s.url[i] = url
			} else {
				t.Log(lines.Text())
			}
		}
		if s.url[i] == "" {
			t.Fatalf("process %d serves nothing", i)
		}
	}
	return s
}

// send sends a request to one of the processes.
func (s *service) send(process int, request, body string) (status int, text string) {
	method, path, _ := strings.Cut(request, " ")
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url[process%2]+"/api"+path, strings.NewReader(body))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
		var response *http.Response
		if response, err = http.DefaultClient.Do(r); err == nil {
			defer response.Body.Close()
			var content []byte
			content, err = io.ReadAll(response.Body)
			status, text = response.StatusCode, string(content)
		}
	}
	if err != nil {
		s.t.Errorf("%s: %v", request, err)
	}
	return status, text
}

// race sends a request from each of 16 writers at once, and returns how many succeed. The others get a conflict, or the
// database is busy.
func (s *service) race(request func(writer int) (request, body string)) (succeeded int) {
	s.t.Helper()
	var all sync.WaitGroup
	var good atomic.Int32
	for writer := range 16 {
		all.Go(func() {
			line, body := request(writer)
			switch status, text := s.send(writer, line, body); status {
			case http.StatusOK, http.StatusCreated, http.StatusNoContent:
				good.Add(1)
			case http.StatusConflict, http.StatusServiceUnavailable:
			case http.StatusNotFound, http.StatusBadRequest: // the court is in the trash
				if !strings.Contains(line, "/courts/") && !strings.Contains(text, `"court"`) {
					s.t.Errorf("%s: %d %s", line, status, text)
				}
			default:
				s.t.Errorf("%s: %d %s", line, status, text)
			}
		})
	}
	all.Wait()
	return int(good.Load())
}

// id creates a record and returns its identifier.
func (s *service) id(path, body string) (id int) {
	s.t.Helper()
	status, text := s.send(0, "POST "+path, body)
	if _, err := fmt.Sscanf(text, `{"id":%d`, &id); err != nil || status != http.StatusCreated {
		s.t.Fatalf("POST %s: %d %s", path, status, text)
	}
	return id
}

func TestTwoProcessesOnOneDatabase(t *testing.T) {
	t.Parallel()
	names := map[string]func(t *testing.T) string{
		"SQLite": func(t *testing.T) string {
			t.Helper()
			return filepath.Join(t.TempDir(), "matches.db")
		},
	}
	if dsn := os.Getenv("TROVE_TEST_POSTGRES"); dsn != "" {
		names["PostgreSQL"] = func(t *testing.T) string {
			t.Helper()
			_, inSchema := spec.OpenSchema(t, dsn, 1)
			return inSchema
		}
	}
	for database, name := range names {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := start(t, name(t))
			for round := range 3 {
				s.periods(round)
				s.numbers(round)
				s.transition(round)
				s.trash(round)
				s.lists(round)
			}
		})
	}
}

// match is the body of a match.
func match(court, hour int, season string, number int) string {
	return fmt.Sprintf(`{"court":"/api/courts/%d","from":%d,"to":%d,"season":%q,"number":%d}`, court, hour, hour+2, season, number)
}

func (s *service) periods(round int) {
	s.t.Helper()
	court := s.id("/courts", `{"name":"periods"}`)
	n := s.race(func(writer int) (string, string) {
		return "POST /matches", match(court, writer%2, fmt.Sprint("periods ", round), writer)
	})
	if n != 1 {
		s.t.Errorf("%d of 16 matches that overlap are saved, want 1", n)
	}
}

func (s *service) numbers(round int) {
	s.t.Helper()
	court := s.id("/courts", `{"name":"numbers"}`)
	n := s.race(func(writer int) (string, string) {
		return "POST /matches", match(court, 10*writer, fmt.Sprint("numbers ", round), 7)
	})
	if n != 1 {
		s.t.Errorf("%d of 16 matches with one number are saved, want 1", n)
	}
}

func (s *service) transition(round int) {
	s.t.Helper()
	id := s.id("/matches", match(s.id("/courts", `{"name":"transition"}`), 0, fmt.Sprint("transition ", round), 1))
	if n := s.race(func(int) (string, string) { return fmt.Sprintf("POST /matches/%d/play", id), "" }); n != 1 {
		s.t.Errorf("%d of 16 writers have played a match, want 1", n)
	}
}

// trash deletes a court while matches are planned on it. In the end it is in the trash, or has matches.
func (s *service) trash(round int) {
	s.t.Helper()
	court := s.id("/courts", `{"name":"trash"}`)
	s.race(func(writer int) (string, string) {
		if writer%4 == 0 {
			return fmt.Sprintf("DELETE /courts/%d", court), ""
		}
		return "POST /matches", match(court, 10*writer, fmt.Sprint("trash ", round), writer)
	})
	status, _ := s.send(0, fmt.Sprintf("GET /courts/%d", court), "")
	_, list := s.send(1, fmt.Sprintf("GET /matches?court=/api/courts/%d", court), "")
	if hasMatches := strings.Contains(list, `"id"`); hasMatches != (status == http.StatusOK) {
		s.t.Errorf("the court has the status %d, and its matches are %s", status, list)
	}
}

// lists replaces the goals of a match. In the end it has those of one writer.
func (s *service) lists(round int) {
	s.t.Helper()
	body := match(s.id("/courts", `{"name":"lists"}`), 0, fmt.Sprint("lists ", round), 1)
	id := s.id("/matches", body)
	n := s.race(func(writer int) (string, string) {
		goal := fmt.Sprintf(`{"player":"p%d"}`, writer)
		return fmt.Sprintf("PUT /matches/%d", id), strings.TrimSuffix(body, "}") + `,"goals":[` + goal + "," + goal + "," + goal + "]}"
	})
	_, list := s.send(1, fmt.Sprintf("GET /matches/%d/goals", id), "")
	_, first, _ := strings.Cut(list, `"player":"`)
	player, _, _ := strings.Cut(first, `"`)
	if n == 0 || strings.Count(list, `"player"`) != 3 || strings.Count(list, `"`+player+`"`) != 3 {
		s.t.Errorf("%d writers have replaced the goals, which are %s", n, list)
	}
}
