package main

import (
	"fmt"
	"testing"

	"github.com/trove-api/trove/store"
)

func TestAPublishedTreasureIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, bob, root := c.as("demo-ann"), c.as("demo-bob"), c.as("demo-root")
		ring := ann.send("POST "+treasures, `{"name":"Ring","isPublished":true}`).is(201).path()
		root.send("PUT /api/users/3/follows/1", "").is(204)
		for range 3 {
			ann.send("PATCH "+ring, `{"isPublished":false}`).is(200)
			ann.send("PATCH "+ring, `{"isPublished":true}`).is(200)
		}
		if told := count(bob, "/api/notifications"); told != 1 {
			t.Errorf("Bob has %d notifications of one treasure", told)
		}
		ann.send("POST "+treasures, `{"name":"Crown","isPublished":true}`).is(201)
		if bob, root := count(bob, "/api/notifications"), count(root, "/api/notifications"); bob != 2 || root != 1 {
			t.Errorf("Bob has %d notifications and root %d, want 2 and 1", bob, root)
		}
	})
}

func TestOneRequestCreatesABoundedNumberOfNotifications(t *testing.T) {
	t.Parallel()
	h := newHoard(t, ":memory:")
	users := make([]*User, mostTold+5)
	for i := range users {
		users[i] = &User{Email: fmt.Sprintf("fan%d@example.com", i), Username: fmt.Sprintf("fan %d", i), Follows: []int64{3}}
	}
	if err := store.Insert(t.Context(), h.users, users...); err != nil {
		t.Fatal(err)
	}
	told := func(name string) int {
		t.Helper()
		page, err := h.notifications.List(t.Context(), store.Query{Count: true, Limit: 1, Where: []store.Condition{
			{Fields: []string{"message"}, Operator: store.Equal, Values: []any{name + " has been published."}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	c := serveHoard(t, h)
	root, ann := c.as("demo-root"), c.as("demo-ann")
	root.send("POST "+treasures, `{"name":"Ring","isPublished":true}`).is(201)
	if got := told("Ring"); got != mostTold {
		t.Errorf("%d of %d followers are notified, want %d", got, len(users), mostTold)
	}
	root.send("POST "+treasures+"/import", `[{"name":"Fork","isPublished":true},{"name":"Knife","isPublished":true}]`).is(200)
	if fork, knife := told("Fork"), told("Knife"); fork+knife != mostTold {
		t.Errorf("one import creates %d and %d notifications, want %d together", fork, knife, mostTold)
	}
	ann.send("POST "+treasures+"/import", `[{"name":"Spoon","isPublished":true},{"name":"Plate","isPublished":true}]`).is(200)
	if spoon, plate := told("Spoon"), told("Plate"); spoon != 1 || plate != 1 {
		t.Errorf("Bob, Ann's one follower, is notified %d and %d times", spoon, plate)
	}
}
