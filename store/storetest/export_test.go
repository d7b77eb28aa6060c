package storetest

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

// These are the record types for which tests have broken stores.
type (
	Record   = account
	Keyed    = player
	Token    = token
	Stamped  = stamped
	Leaf     = leaf
	Booking  = booking
	Tale     = tale
	Values   = kept
	Item     = item
	Mention  = mention
	Bundle   = bundle
	Seat     = seat
	SeatKey  = seatKey
	Folder   = stringFolder
	Numbered = integerFolder
)

// Rules are rules about one store.
type Rules[R any] []rule[*trial[R]]

// These functions return the rules of each group about one store.
func RecordRules() Rules[Record]      { return recordRules() }
func KeyedRules() Rules[Keyed]        { return keys().rules() }
func UUIDRules() Rules[Token]         { return uuids().rules() }
func ConstraintRules() Rules[Booking] { return constraintRules() }
func StampRules() Rules[Stamped]      { return stampRules() }
func TrashRules() Rules[Leaf]         { return trashRules() }
func ChangeRules() Rules[Stamped]     { return changeRules() }
func LogRules() Rules[Stamped]        { return logRules() }
func ResponseRules() Rules[Record]    { return responseRules() }
func WordRules() Rules[Tale]          { return wordRules() }
func ValuesRules() Rules[Values]      { return keptRules() }
func QueryRules() Rules[Item]         { return queryRules() }

// Names lists the names of the rules.
func (s Rules[R]) Names() []string {
	var names []string
	for _, rule := range s {
		names = append(names, rule.name)
	}
	return names
}

// Explained reports whether each rule has a reason.
func (s Rules[R]) Explained() bool {
	for _, rule := range s {
		if rule.reason == "" {
			return false
		}
	}
	return true
}

// Breaks returns the failures of the rule with that name on a store, none if the store follows it. Patience is long
// enough to find a fault, and short for a store that waits forever.
func (s Rules[R]) Breaks(t *testing.T, name string, subject store.Store[R], patience time.Duration) []string {
	t.Helper()
	for _, rule := range s {
		if rule.name == name {
			return judge(t.Context(), rule, patience, func(at scene) *trial[R] { return newTrial(at, subject) })
		}
	}
	t.Fatalf("there is no rule %q", name)
	return nil
}

// judge runs a rule in a goroutine, which Fatalf ends.
func judge[C any](ctx context.Context, rule rule[C], patience time.Duration, begin func(scene) C) []string {
	ctx, cancel := context.WithTimeout(ctx, patience)
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
		rule.check(begin(scene{notes, ctx}))
	}()
	<-ended
	return notes.complaints
}

// recorder collects what a *testing.T would report.
type recorder struct {
	mu         sync.Mutex
	complaints []string
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// brokenOf returns the names of the rules that fail. No store here waits forever, so the time limit decides nothing.
func brokenOf[C any](t *testing.T, rules []rule[C], begin func(scene) C) (names []string) {
	t.Helper()
	for _, rule := range rules {
		if judge(t.Context(), rule, time.Minute, begin) != nil {
			names = append(names, rule.name)
		}
	}
	return names
}

// JointBreaks returns the names of the rules about shared transactions that fail.
func JointBreaks(t *testing.T, open func() (store.Store[Record], store.Store[Keyed], store.Store[Token])) []string {
	t.Helper()
	return brokenOf(t, jointRules(), func(at scene) *jointTrial {
		a, b, c := open()
		return &jointTrial{newTrial(at, a), newTrial(at, b), newTrial(at, c)}
	})
}

// ThroughBreaks returns the names of the rules about queries through references that fail.
func ThroughBreaks(t *testing.T, open func() (store.Store[Mention], store.Store[Item])) []string {
	t.Helper()
	return brokenOf(t, throughRules(), func(at scene) *throughTrial {
		a, b := open()
		return &throughTrial{newTrial(at, a), newTrial(at, b)}
	})
}

// ListBreaks returns the names of the rules about references and lists that fail.
func ListBreaks(t *testing.T, open func() (store.Store[Bundle], store.Store[Keyed], store.Store[Token], store.Store[Seat])) []string {
	t.Helper()
	return brokenOf(t, listRules(), func(at scene) *listTrial {
		a, b, c, d := open()
		return &listTrial{newTrial(at, a), newTrial(at, b), newTrial(at, c), newTrial(at, d)}
	})
}

// DeleteBreaks returns the names of the rules about deletes that fail.
func DeleteBreaks(t *testing.T, open func() (store.Store[Numbered], store.Store[Folder])) []string {
	t.Helper()
	return brokenOf(t, deleteRules(), func(at scene) *deleteTrial {
		a, b := open()
		return &deleteTrial{scene: at, shelves: [2]shelf{shelfOf[Numbered]{newTrial(at, a)}, shelfOf[Folder]{newTrial(at, b)}}}
	})
}
