package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestTwoInstancesOfOneDatabaseReturnTheSameResponses asks one of two instances for what the other one has given.
func TestTwoInstancesOfOneDatabaseReturnTheSameResponses(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, name string) {
		t.Helper()
		here, there := serveHoard(t, newHoard(t, name)), serveHoard(t, newHoard(t, name))
		for _, path := range []string{"/api/users/1", treasures, treasures + "/5?expand=owner,tags", "/api/quests", "/api/cards", "/api/api_tokens", treasures + ".csv"} {
			for _, token := range []string{"demo-ann", "demo-root"} {
				a, b := here.as(token).send("GET "+path, "").is(200), there.as(token).send("GET "+path, "").is(200)
				if tag := a.header.Get("ETag"); a.body != b.body || tag != b.header.Get("ETag") {
					t.Errorf("%s as %s: one answers %s %s, the other %s %s", path, token, tag, a.body, b.header.Get("ETag"), b.body)
				}
				if tag := a.header.Get("ETag"); tag != "" {
					there.as(token).send("GET "+path, "", "If-None-Match", tag).is(304)
				}
			}
		}
		ann, annThere := here.as("demo-ann"), there.as("demo-ann")

		tag := ann.send("GET /api/users/1", "").header.Get("ETag")
		changed := annThere.send("PATCH /api/users/1", `{"username":"anna"}`, "If-Match", tag).is(200).header.Get("ETag")
		ann.send("PATCH /api/users/1", `{"username":"ann"}`, "If-Match", tag).is(412)
		ann.send("PATCH /api/users/1", `{"username":"ann"}`, "If-Match", changed).is(200)

		first := ann.send("POST "+treasures, `{"name":"Ring"}`, "Idempotency-Key", "k").is(201)
		again := annThere.send("POST "+treasures, `{"name":"Ring"}`, "Idempotency-Key", "k").is(201).has("Idempotent-Replayed", "true")
		if first.body != again.body {
			t.Errorf("the kept answer is %s, want %s", again.body, first.body)
		}
		annThere.send("POST "+treasures, `{"name":"Crown"}`, "Idempotency-Key", "k").is(422)

		seen, page := 0, treasures+"?itemsPerPage=7&sort=-value&cursor="
		for instances := []client{here, there}; page != ""; seen++ {
			link := instances[seen%2].send("GET "+page, "").is(200).header.Get("Link")
			page = next(link)
		}
		if seen != 7 { // 48 treasures
			t.Errorf("cursors lead through %d pages in turn, want 7", seen)
		}

		login := here.send("POST /api/login", `{"email":"bob@example.com","password":"demo-bob"}`).is(204)
		secret, _, _ := strings.Cut(strings.TrimPrefix(login.header.Get("Set-Cookie"), cookieName+"="), ";")
		there.in(secret).send("GET /api/notifications", "").is(200)
		there.in(secret).send("POST /api/logout", "").is(204)
		here.in(secret).send("GET /api/notifications", "").is(401)
	})
}

// next returns the URL of the next page, "" for the last one.
func next(link string) string {
	for each := range strings.SplitSeq(link, ", ") {
		if address, ok := strings.CutSuffix(each, `>; rel="next"`); ok {
			return strings.TrimPrefix(address, "<")
		}
	}
	return ""
}

// launch starts the program and returns it with where it serves.
func launch(t *testing.T, binary, db string) (*exec.Cmd, client) {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, "-addr", "127.0.0.1:0", "-rate", "0", "-demo", "-db", db)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Error(err)
		return nil, client{}
	}
	if err := command.Start(); err != nil {
		t.Error(err)
		return nil, client{}
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, docs, ok := strings.Cut(lines.Text(), "Documentation: "); ok {
			return command, client{t: t, base: strings.TrimSuffix(docs, "/api/docs")}
		}
	}
	t.Error("the program does not say where its documentation is")
	return nil, client{}
}

// TestAcceptedWritesSurviveAKilledInstance kills one of two instances in the middle of its work.
func TestAcceptedWritesSurviveAKilledInstance(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	binary := filepath.Join(t.TempDir(), "hoard")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	onEach(t, func(t *testing.T, name string) {
		t.Helper()
		var doomed *exec.Cmd
		var one, other client
		var both sync.WaitGroup // whichever is first makes the tables and the demo
		both.Go(func() { doomed, one = launch(t, binary, name) })
		both.Go(func() { _, other = launch(t, binary, name) })
		both.Wait()
		if t.Failed() {
			return
		}
		before := count(other, treasures)
		var answered, sent atomic.Int64
		var clients sync.WaitGroup
		for n := range 4 {
			clients.Go(func() {
				i := 0
				for publish(one, fmt.Sprintf("Ring %d of %d", i, n), &sent, &answered) {
					i++
				}
			})
		}
		for deadline := time.Now().Add(30 * time.Second); answered.Load() < 40 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if err := doomed.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = doomed.Wait()
		clients.Wait()
		// What was in hand when the program was killed may have been saved, or not.
		least, most := before+answered.Load(), before+sent.Load()
		kept, told := count(other, treasures), count(other.as("demo-bob"), "/api/notifications")
		if kept < least || kept > most || answered.Load() < 40 {
			t.Errorf("%d treasures are kept, of %d that were there, %d that were answered 201 and %d that were sent", kept, before, answered.Load(), sent.Load())
		}
		if told != kept-before {
			t.Errorf("Bob has been told of %d treasures, and %d have been published", told, kept-before)
		}
		other.as("demo-ann").send("POST "+treasures, `{"name":"Ring after all"}`).is(201)
	})
}

// count requests the total of a collection.
func count(c client, path string) (total int64) {
	c.t.Helper()
	text := c.send("GET "+path+"?itemsPerPage=0", "").is(200).header.Get("X-Total-Count")
	if _, err := fmt.Sscan(text, &total); err != nil {
		c.t.Fatalf("%s has the total %q", path, text)
	}
	return total
}

// publish has Ann publish a treasure. It reports false when the service no longer responds.
func publish(c client, name string, sent, answered *atomic.Int64) bool {
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.base+treasures, strings.NewReader(`{"isPublished":true,"name":"`+name+`"}`))
	if err != nil {
		return false
	}
	r.Header = as("demo-ann")
	r.Header.Set("Content-Type", "application/json")
	sent.Add(1)
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusCreated {
		answered.Add(1)
	}
	return true
}
