package password

import (
	"context"
	"hash/maphash"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/trove-api/trove/operation"
)

// limit is how many wrong passwords may follow one another, and how long it takes until one of them is forgotten.
type limit struct {
	most int
	each time.Duration
}

// The limits. A client may fail ten times with a name, and then once in five minutes. If many clients fail with a name, it
// is being attacked: each further failure then counts as several. A client that has not failed with the name can always
// try, so no other client can lock the owner out. The limit of a client is for one that tries many names.
//
//nolint:gochecknoglobals // nothing changes them
var (
	ofPair   = limit{10, 5 * time.Minute}
	ofName   = limit{100, time.Minute}
	ofClient = limit{100, 10 * time.Second}
)

// underAttack is how many failures one failure with an attacked name counts as.
const underAttack = 6

// entries is the maximum number of entries of each kind. When there are more, those with the fewest failures are
// forgotten.
const entries = 10_000

// failures are failures by a keyed hash of a name, a client or both: the time at which all of them are forgotten.
type failures map[uint64]time.Time

// wait returns how long the key has to wait for its next try.
func (f failures) wait(key uint64, now time.Time, l limit) time.Duration {
	return max(0, f[key].Sub(now.Add(time.Duration(l.most-1)*l.each))) // Sub does not overflow
}

// add counts a failure n times, up to twice the limit.
func (f failures) add(key uint64, now time.Time, l limit, n int) {
	if _, known := f[key]; !known {
		for spared := time.Duration(0); len(f) >= entries; spared = 2*spared + l.each {
			maps.DeleteFunc(f, func(_ uint64, until time.Time) bool { return until.Sub(now) <= spared })
		}
	}
	until := f[key]
	if until.Before(now) {
		until = now
	}
	until = until.Add(time.Duration(n) * l.each)
	if latest := now.Add(time.Duration(2*l.most) * l.each); until.After(latest) {
		until = latest
	}
	f[key] = until
}

// guesses limits how often clients can try passwords. It is safe for concurrent use.
type guesses struct {
	once  sync.Once
	seed  maphash.Seed
	turns [64]chan struct{} // one pair at a time; pairs share them

	mu                    sync.Mutex
	pairs, names, clients failures
}

// guess is a name and a client as keys.
type guess struct{ pair, name, client uint64 }

// of returns the guess of a client for a name.
func (g *guesses) of(client, name string) guess {
	g.once.Do(func() {
		g.seed = maphash.MakeSeed()
		g.pairs, g.names, g.clients = failures{}, failures{}, failures{}
		for i := range g.turns {
			g.turns[i] = make(chan struct{}, 1)
		}
	})
	return guess{maphash.Comparable(g.seed, [2]string{client, name}), maphash.String(g.seed, name), maphash.String(g.seed, client)}
}

// allow returns an operation.Error with the status 429 if the client has to wait before its next guess.
func (g *guesses) allow(each guess) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.wait(each, time.Now())
}

func (g *guesses) wait(each guess, now time.Time) error {
	wait := max(g.pairs.wait(each.pair, now, ofPair), g.clients.wait(each.client, now, ofClient))
	if wait == 0 {
		return nil
	}
	return operation.Error{
		Status: http.StatusTooManyRequests, Detail: "Too many wrong user names or passwords. Try again later.", RetryAfter: wait,
	}
}

// begin is allow for a guess whose password is compared next. It counts the guess for the client already now, because
// guesses for many names at once would exceed the limit. Call failed or takeBack afterwards.
func (g *guesses) begin(each guess) error {
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.wait(each, now)
	if err == nil {
		g.clients.add(each.client, now, ofClient, 1)
	}
	return err
}

// failed counts a wrong guess that has begun.
func (g *guesses) failed(each guess) {
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 1
	if g.names.wait(each.name, now, ofName) > 0 {
		n = underAttack
	}
	g.pairs.add(each.pair, now, ofPair, n)
	g.names.add(each.name, now, ofName, 1)
}

// takeBack ends a guess that has begun and is not wrong.
func (g *guesses) takeBack(each guess) {
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := g.clients[each.client].Add(-ofClient.each); until.After(now) {
		g.clients[each.client] = until
	} else {
		delete(g.clients, each.client)
	}
}

// turn waits until no other guess of the same client for the same name is being checked. Otherwise many guesses at once
// would exceed the limit. Call the result afterwards.
func (g *guesses) turn(ctx context.Context, each guess) (end func(), err error) {
	turn := g.turns[each.pair%uint64(len(g.turns))]
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// clientOf returns the client of a request as limits know it: the IP address, of IPv6 the first 64 bits.
// Outside of a request it returns "".
func clientOf(ctx context.Context, client func(*http.Request) string) string {
	req, ok := operation.RequestFrom(ctx)
	if !ok || req.HTTP() == nil {
		return ""
	}
	address := req.HTTP().RemoteAddr
	if client != nil {
		address = client(req.HTTP())
	} else if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address // such as of a Unix socket
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	network, _ := ip.Prefix(64) // never fails
	return network.String()
}
