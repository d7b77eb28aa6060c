package storetest

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

// Suite is the suite for one type of record, for tests of the suite itself.
type Suite[R any] struct{ rules []rule[R] }

// The suites of Run, RunKeyed, RunUUID and RunQueries.
func RecordSuite() Suite[Record] { return Suite[Record]{recordCases()} }
func KeyedSuite() Suite[Keyed]   { return Suite[Keyed]{keyedCases()} }
func UUIDSuite() Suite[Token]    { return Suite[Token]{uuidCases()} }
func QuerySuite() Suite[Item]    { return Suite[Item]{queryCases()} }

// Names lists the names of the rules.
func (s Suite[R]) Names() []string {
	var names []string
	for _, rule := range s.rules {
		names = append(names, rule.name)
	}
	return names
}

// Explained reports whether each rule has a reason.
func (s Suite[R]) Explained() bool {
	for _, rule := range s.rules {
		if rule.reason == "" {
			return false
		}
	}
	return true
}

// Breaks returns what the rule of that name has to say against a store, nothing if the
// store follows it.
func (s Suite[R]) Breaks(t *testing.T, name string, subject store.Store[R]) []string {
	t.Helper()
	for _, rule := range s.rules {
		if rule.name == name {
			return judge(t.Context(), rule, subject)
		}
	}
	t.Fatalf("there is no rule %q", name)
	return nil
}

// trialTime is long enough for a rule to find a fault, and short for those that wait for
// ever.
const trialTime = time.Second

// judge runs a rule in a goroutine that Fatalf ends.
func judge[R any](ctx context.Context, rule rule[R], subject store.Store[R]) []string {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	notes := &recorder{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if thrown := recover(); thrown != nil {
				notes.Errorf("panic: %v", thrown)
			}
		}()
		rule.check(&trial[R]{reporter: notes, ctx: ctx, store: subject})
	}()
	<-ended
	return notes.complaints
}

// recorder notes what a *testing.T would report.
type recorder struct{ complaints []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
