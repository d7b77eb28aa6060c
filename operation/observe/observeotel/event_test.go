package observeotel_test

import (
	"slices"
	"testing"

	"go.opentelemetry.io/otel/attribute"
)

func TestStepsAreEventsWithDurations(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.send("POST /api/books", `{"title":"Emma"}`)
	var names []string
	for _, event := range s.span().Events {
		names = append(names, event.Name)
		if len(event.Attributes) != 1 || event.Attributes[0].Key != "duration" || event.Attributes[0].Value.Type() != attribute.FLOAT64 {
			t.Errorf("the event %s has the attributes %v, want a duration in seconds", event.Name, event.Attributes)
		}
	}
	var found []string
	for _, step := range []string{"negotiate", "receive", "deserialize", "validate", "write", "serialize"} {
		if slices.Contains(names, step) {
			found = append(found, step)
		}
	}
	if len(found) != 6 || !slices.IsSortedFunc(found, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) }) {
		t.Errorf("the events are %v, want the steps in their order", names)
	}
}

func TestARejectedRequestEndsWithTheStepThatRejectsIt(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.send("POST /api/books", `{"title":" "}`)
	events := s.span().Events
	if len(events) == 0 || events[len(events)-1].Name != "validate" {
		t.Errorf("the events are %v, want validate at the end", events)
	}
}
