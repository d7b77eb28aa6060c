package main

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/store/sqlstore/postgres"
)

func TestRecordsSurviveARestart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "treasures.db")
	t.Run("the first run fills the database", func(t *testing.T) {
		s := startWith(t, file)
		s.send("DELETE "+treasuresPath+"/1", "").is(204)
		s.send("POST "+treasuresPath, `{"name":"Mirror"}`).is(201, "id", "13")
		s.send("POST /api/programmers", `{"nickname":"grace","tagLine":"kept"}`).is(201)
	})
	t.Run("the second finds what the first has left", func(t *testing.T) {
		s := startWith(t, file)
		s.send("GET "+treasuresPath+"/1", "").is(404)
		s.send("GET "+treasuresPath+"/13", "").is(200, "name", `"Mirror"`)
		s.send("GET /api/programmers/grace", "").is(200, "tagLine", `"kept"`)
		s.send("POST "+treasuresPath, `{"name":"Mirror"}`).is(201, "id", "14")
		s.send("POST /api/programmers", `{"nickname":"grace"}`).is(409, "field", `"nickname"`)
	})
	t.Run("the hoard does not come back", func(t *testing.T) {
		s := startWith(t, file)
		for id := 2; id <= 14; id++ {
			s.send("DELETE "+treasuresPath+"/"+strconv.Itoa(id), "").is(204)
		}
		s.send("POST "+treasuresPath, `{"name":"The only one"}`).is(201, "id", "15")
	})
	t.Run("as long as there is one treasure", func(t *testing.T) {
		if total := startWith(t, file).send("GET "+treasuresPath, "").header.Get("X-Total-Count"); total != "1" {
			t.Errorf("there are %s treasures", total)
		}
	})
}

func TestDatabasesThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		filepath.Join(t.TempDir(), "no", "folder", "x.db"): "cannot open",
		"postgres://nobody:secret@127.0.0.1:1/none":        "cannot connect",
		"": "the path is empty",
	} {
		_, err := open(t.Context(), name)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestTheServiceRunsOnPostgreSQL(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the tests on PostgreSQL")
	}
	server, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := "treasures_" + strings.ToLower(rand.Text())
	create, drop, option := "CREATE SCHEMA "+name, "DROP SCHEMA "+name+" CASCADE", "search_path="+name
	if os.Getenv("TROVE_TEST_POOLER") != "" { // takes no settings of the server
		create, drop, option = "CREATE DATABASE "+name, "DROP DATABASE "+name+" WITH (FORCE)", "dbname="+name
	}
	if _, err := server.Exec(t.Context(), create); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := server.Exec(t.Context(), drop); err != nil {
			t.Error(err)
		}
		_ = server.Close()
	}()
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	t.Run("from outside", func(t *testing.T) {
		s := startWith(t, dsn+separator+option)
		s.send("POST "+treasuresPath, `{"name":"Mirror","value":7}`).is(201, "id", "13", "value", "7")
		s.send("PATCH "+treasuresPath+"/13", `{"coolFactor":3}`).is(200, "coolFactor", "3", "value", "7")
		s.send("PUT "+treasuresPath+"/13", `{"value":-1}`).is(400)
		if found := s.send("GET "+treasuresPath+"?name=éLAN&sort=-value", "").is(200).header.Get("X-Total-Count"); found != "1" {
			t.Errorf("the lantern is found %s times", found)
		}
		s.send("DELETE "+treasuresPath+"/13", "").is(204)
		s.send("POST /api/programmers", `{"nickname":"grace"}`).is(201)
		s.send("POST /api/programmers", `{"nickname":"grace"}`).is(409)
	})
}

// program is the example as a process of its own, which can be killed.
type program struct {
	command *exec.Cmd
	base    string
}

// launch starts the program and waits until it says where it serves.
func launch(t *testing.T, binary, db string) program {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, "-addr", "127.0.0.1:0", "-rate", "0", "-db", db)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, docs, ok := strings.Cut(lines.Text(), "Documentation: "); ok {
			return program{command, strings.TrimSuffix(docs, "/api/docs")}
		}
	}
	t.Fatal("the program does not say where its documentation is")
	return program{}
}

func TestAcceptedWritesSurviveAKilledProgram(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	folder := t.TempDir()
	binary, file := filepath.Join(folder, "treasure"), filepath.Join(folder, "treasures.db")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	answered := sync.Map{} // the nicknames of 201s
	for round := range 3 {
		p := launch(t, binary, file)
		var clients sync.WaitGroup
		var writes atomic.Int32
		for client := range 4 {
			clients.Go(func() {
				for i := 0; create(p.base, fmt.Sprintf("p%d-%d-%d", round, client, i), &answered); i++ {
					writes.Add(1)
				}
			})
		}
		for deadline := time.Now().Add(20 * time.Second); writes.Load() < 40 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if err := p.command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.command.Wait()
		clients.Wait()
	}
	p, kept := launch(t, binary, file), 0
	answered.Range(func(nickname, _ any) bool {
		response, err := http.Get(p.base + "/api/programmers/" + nickname.(string)) //nolint:noctx // the test ends the program
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s was answered 201, and is %d after the program was killed", nickname, response.StatusCode)
		}
		kept++
		return true
	})
	if kept < 100 {
		t.Errorf("only %d records were written", kept)
	}
}

// create posts a programmer and records it after a 201. It reports false when the program no longer responds.
func create(base, nickname string, answered *sync.Map) bool {
	response, err := http.Post(base+"/api/programmers", "application/json", strings.NewReader(`{"nickname":"`+nickname+`"}`)) //nolint:noctx // the test ends the program
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusCreated {
		answered.Store(nickname, true)
	}
	return true
}
