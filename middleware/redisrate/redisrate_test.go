package redisrate_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/middleware/redisrate"
)

// server starts a Redis that listens on a socket in a folder of the test, and ends with it.
func server(t *testing.T) *redis.Client {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	socket := filepath.Join(folder, "redis.sock")
	started := exec.CommandContext(t.Context(), program, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder)
	if err := started.Start(); err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() {
		_ = client.Close()
		_ = started.Process.Kill()
		_ = started.Wait()
	})
	for range 500 {
		if err = client.Ping(t.Context()).Err(); err == nil {
			return client
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(err)
	return nil
}

func TestRedisCountsAsTheWindowSays(t *testing.T) {
	t.Parallel()
	client := server(t)
	counter := redisrate.New(client)
	for n := range 300 {
		window := middleware.Window{Minute: int64(1000 + 10*n), Passed: rand.Float64(), Limit: 1 + rand.IntN(20)}
		want := middleware.Counts{Current: rand.IntN(12), Previous: rand.IntN(25)}
		for minute, count := range map[int64]int{window.Minute: want.Current, window.Minute - 1: want.Previous} {
			name := "trove:rate:{key}:" + strconv.FormatInt(minute, 10)
			if err := client.Set(t.Context(), name, count, 0).Err(); err != nil {
				t.Fatal(err)
			}
		}
		allowed := window.Allows(want)
		if allowed {
			want.Current++
		}
		got, ok, err := counter.Take(t.Context(), "key", window)
		if err != nil || ok != allowed || got != want {
			t.Fatalf("%+v: %+v %v %v, want %+v %v", window, got, ok, err, want, allowed)
		}
	}
}

func TestRequestsAtOneTimeCountOneAfterTheOther(t *testing.T) {
	t.Parallel()
	client := server(t)
	counters := []middleware.Counter{redisrate.New(client), redisrate.New(client)}
	var allowed atomic.Int32
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			_, ok, err := counters[i%2].Take(t.Context(), "key", middleware.Window{Minute: 7, Passed: 0.5, Limit: 50})
			if err != nil {
				t.Error(err)
			}
			if ok {
				allowed.Add(1)
			}
		})
	}
	all.Wait()
	if got := allowed.Load(); got != 50 {
		t.Errorf("%d requests are allowed, want 50", got)
	}
	if ttl := client.TTL(t.Context(), "trove:rate:{key}:7").Val(); ttl <= 0 || ttl > 2*time.Minute {
		t.Errorf("the key stays for %s", ttl)
	}
}

func TestAnInstanceWhoseClockIsBehindCountsWithTheOthers(t *testing.T) {
	t.Parallel()
	counter := redisrate.New(server(t))
	allowed := 0
	for range 10 {
		for _, window := range []middleware.Window{{Minute: 8, Passed: 0.1, Limit: 5}, {Minute: 7, Passed: 0.9, Limit: 5}} {
			if _, ok, err := counter.Take(t.Context(), "key", window); err != nil {
				t.Fatal(err)
			} else if ok {
				allowed++
			}
		}
	}
	if allowed != 5 {
		t.Errorf("%d requests are allowed, want 5", allowed)
	}
}

func TestAServerThatIsAwayIsAnError(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: filepath.Join(t.TempDir(), "none"), MaxRetries: -1})
	defer func() { _ = client.Close() }()
	if _, ok, err := redisrate.New(client).Take(context.WithoutCancel(t.Context()), "key", middleware.Window{Limit: 1}); err == nil || ok {
		t.Errorf("got %v, %v", ok, err)
	}
}

func TestAServerThatDoesNotRespondIsAnErrorAfterASecond(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "unix", filepath.Join(t.TempDir(), "silent"))
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: listener.Addr().String()})
	t.Cleanup(func() { _, _ = client.Close(), listener.Close() })
	began := time.Now()
	if _, ok, err := redisrate.New(client).Take(t.Context(), "key", middleware.Window{Limit: 1}); !errors.Is(err, context.DeadlineExceeded) || ok {
		t.Errorf("got %v, %v", ok, err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it takes %s", took)
	}
}
