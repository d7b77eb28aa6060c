package txn_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store"
)

func TestOnlyTheFirstCallsWaitForAServerThatCannotBeConnectedTo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var health txn.Breaker
		health.Suspect()
		errTimeout := errors.New("timeout: failed to connect")
		hangs := func(context.Context) (txn.Conn, error) {
			time.Sleep(5 * time.Second)
			return nil, errTimeout
		}
		if err := health.Check(t.Context(), hangs); !errors.Is(err, errTimeout) || !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("the first call: %v", err)
		}
		began := time.Now()
		if err := health.Check(t.Context(), hangs); !errors.Is(err, store.ErrUnavailable) || time.Since(began) > 0 {
			t.Errorf("the next call: %v after %s", err, time.Since(began))
		}
		time.Sleep(2 * time.Second)
		if err := health.Check(t.Context(), func(context.Context) (txn.Conn, error) { return responding{}, nil }); err != nil || health.Doubts() {
			t.Errorf("once the server responds: %v", err)
		}
	})
}

// A connection that is rejected at once says nothing about the server: it may be at its limit.
func TestACallThatFailsAtOnceDoesNotKeepOthersFromTrying(t *testing.T) {
	t.Parallel()
	var health txn.Breaker
	health.Suspect()
	tries := 0
	for range 3 {
		_ = health.Check(t.Context(), func(context.Context) (txn.Conn, error) {
			tries++
			return nil, errors.New("connection refused")
		})
	}
	if tries != 3 {
		t.Errorf("%d calls tried to connect", tries)
	}
}

// responding is a connection to a server that responds.
type responding struct{}

func (responding) Ping(context.Context) error { return nil }
func (responding) Release()                   {}
