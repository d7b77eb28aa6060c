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
type Suite[R any] struct {
	rules    []rule[R]
	patience time.Duration // long enough to find a fault, and short for a store that waits for ever
}

// The suites of Run, RunKeyed, RunUUID, RunStamps, RunAnswers, RunQueries and RunValues.
func RecordSuite() Suite[Record]  { return Suite[Record]{recordCases(), time.Second} }
func KeyedSuite() Suite[Keyed]    { return Suite[Keyed]{keyedCases(), time.Second} }
func UUIDSuite() Suite[Token]     { return Suite[Token]{uuidCases(), time.Second} }
func StampSuite() Suite[Stamped]  { return Suite[Stamped]{stampCases(), time.Second} }
func ChangeSuite() Suite[Stamped] { return Suite[Stamped]{changeCases(), time.Second} }
func AnswerSuite() Suite[Record]  { return Suite[Record]{answerCases(), time.Second} }
func ValuesSuite() Suite[Values]  { return Suite[Values]{keptRules(), patience} }
func QuerySuite() Suite[Item]     { return Suite[Item]{queryCases(), patience} }

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
			return judge(t.Context(), rule, subject, s.patience)
		}
	}
	t.Fatalf("there is no rule %q", name)
	return nil
}

// judge runs a rule in a goroutine that Fatalf ends.
func judge[R any](ctx context.Context, rule rule[R], subject store.Store[R], patience time.Duration) []string {
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
		rule.check(&trial[R]{reporter: notes, ctx: ctx, store: subject})
	}()
	<-ended
	return notes.complaints
}

// JointBreaks returns the names of the rules of RunJoint that stores break.
func JointBreaks(t *testing.T, open func() (store.Store[Record], store.Store[Keyed], store.Store[Token])) (names []string) {
	t.Helper()
	for _, rule := range jointRules() {
		a, b, c := open()
		if judge(t.Context(), asRule(rule, a, b, c), a, time.Second) != nil {
			names = append(names, rule.name)
		}
	}
	return names
}

// asRule makes a rule of one store of a rule of three.
func asRule(joint jointRule, a store.Store[Record], b store.Store[Keyed], c store.Store[Token]) rule[Record] {
	return rule[Record]{joint.name, joint.reason, func(t *trial[Record]) { joint.check(&jointTrial{t.reporter, t.ctx, a, b, c}) }}
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

// ThroughBreaks returns the names of the rules of RunThrough that stores break.
func ThroughBreaks(t *testing.T, open func() (store.Store[Mention], store.Store[Item])) (names []string) {
	t.Helper()
	for _, each := range throughRules() {
		mentions, items := open()
		check := func(of *trial[Item]) {
			each.check(&throughTrial{reporter: of.reporter, ctx: of.ctx, mentions: mentions, items: items})
		}
		if judge(t.Context(), rule[Item]{each.name, each.reason, check}, items, 10*time.Second) != nil {
			names = append(names, each.name)
		}
	}
	return names
}

// ReferenceBreaks returns the names of the rules of RunCompositeReferences that stores break.
func ReferenceBreaks(t *testing.T, open func() (store.Store[Visit], store.Store[Seat])) (names []string) {
	t.Helper()
	for _, each := range referenceRules() {
		visits, seats := open()
		check := func(of *trial[Seat]) { each.check(&referenceTrial{of.reporter, of.ctx, visits, seats}) }
		if judge(t.Context(), rule[Seat]{each.name, each.reason, check}, seats, 10*time.Second) != nil {
			names = append(names, each.name)
		}
	}
	return names
}

// DeleteBreaks returns the names of the rules of RunDeletes that stores break.
func DeleteBreaks(t *testing.T, open func() (first, second store.Store[Folder[string]])) (names []string) {
	t.Helper()
	for _, each := range deleteRules() {
		first, second := open()
		shelves := [2]shelf{folders[string](first), folders[string](second)}
		check := func(of *trial[Folder[string]]) {
			each.check(&deleteTrial{reporter: of.reporter, ctx: of.ctx, shelves: shelves})
		}
		if judge(t.Context(), rule[Folder[string]]{each.name, each.reason, check}, first, 10*time.Second) != nil {
			names = append(names, each.name)
		}
	}
	return names
}
