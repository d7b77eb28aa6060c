// Package redisrate counts the requests of clients in Redis 6 or later, for all instances of a service:
//
//	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
//	limit := middleware.Rate(6000, middleware.Shared("api", redisrate.New(client)))
//
// It is a separate package, so that other programs do not link the client of Redis. Sessions and idempotent responses are
// records of your stores, which all instances share.
package redisrate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/trove-api/trove/middleware"
)

// New returns a counter that keeps two keys for each client, for at most two minutes. Each request is one round trip of at
// most a second. The program closes the client.
func New(client redis.UniversalClient) middleware.Counter {
	return counter{client, redis.NewScript(take)}
}

type counter struct {
	client redis.UniversalClient
	take   *redis.Script
}

// take counts a request as [middleware.Window.Allows] says. KEYS are of the current, the previous and the next minute, ARGV the
// part of the current minute that has passed and the limit. If the next minute has a count, the clock of another instance is
// ahead, and that minute is the current one.
const take = `
local key, before = KEYS[1], KEYS[2]
if redis.call('EXISTS', KEYS[3]) == 1 then key, before = KEYS[3], KEYS[1] end
local current, previous = tonumber(redis.call('GET', key) or 0), tonumber(redis.call('GET', before) or 0)
if math.ceil(previous * (1 - tonumber(ARGV[1])) - 1e-6) + current >= tonumber(ARGV[2]) then
  return {current, previous, 0}
end
redis.call('SET', key, current + 1, 'EX', 120)
return {current + 1, previous, 1}
`

const patience = time.Second

// Take counts a request. The braces put all keys into one slot of a cluster.
func (c counter) Take(ctx context.Context, key string, window middleware.Window) (counts middleware.Counts, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name := func(minute int64) string { return "trove:rate:{" + key + "}:" + strconv.FormatInt(minute, 10) }
	keys := []string{name(window.Minute), name(window.Minute - 1), name(window.Minute + 1)}
	done := make(chan *redis.Cmd, 1)
	// A client that ignores the end of the context goes on until its own timeout.
	go func() { done <- c.take.Run(ctx, c.client, keys, window.Passed, window.Limit) }()
	var found []int64
	select {
	case <-ctx.Done():
		err = fmt.Errorf("no response within %s: %w", patience, ctx.Err())
	case result := <-done:
		found, err = result.Int64Slice()
	}
	if err == nil && len(found) != 3 {
		err = errors.New("the script has returned something else than three numbers")
	}
	if err != nil {
		return counts, false, fmt.Errorf("redisrate: %w", err)
	}
	return middleware.Counts{Current: int(found[0]), Previous: int(found[1])}, found[2] == 1, nil
}
