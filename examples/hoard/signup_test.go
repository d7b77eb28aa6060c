package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/trove-api/trove/operation"
)

func TestRegistrationsAreLimitedLikeSignIns(t *testing.T) {
	t.Parallel()
	h := newHoard(t, ":memory:")
	h.rate = 120 // and so two sign-ins or registrations
	c := serveHoard(t, h)
	smaug := `{"email":"smaug@example.com","username":"smaug","password":"correct horse"}`
	c.send("POST /api/users", smaug).is(201).lacks("password")
	c.send("POST /api/login", `{"email":"smaug@example.com","password":"correct horse"}`).is(204)
	c.send("POST /api/users", smaug).is(429).has("Retry-After", "")
	c.send("POST /api/users.jsonld", smaug).is(429)
	c.send("POST /api/login", `{"email":"smaug@example.com","password":"correct horse"}`).is(429)
	c.send("GET /api/users", "").is(200)
	c.call("tools/list", `{}`).is(200).lacks("createUser")
}

func TestGuessesOfAPasswordAreLimited(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		session := c.signIn("root@example.com", "demo-root")
		for i := range 10 { // guesses at a change of the password count too
			c.send("POST /api/login", fmt.Sprintf(`{"email":"ann@example.com","password":"guess %d"}`, i)).is(401)
			session.send("PATCH /api/users/3", fmt.Sprintf(`{"password":"taken over","currentPassword":"guess %d"}`, i)).is(403)
		}
		c.send("POST /api/login", `{"email":"ann@example.com","password":"demo-ann"}`).is(429, `"status":429`).has("Retry-After", "")
		for _, request := range []string{"PATCH /api/users/3", "PUT /api/users/3", "PATCH /api/users/1"} {
			session.send(request, `{"password":"taken over","currentPassword":"demo-root"}`).is(429).has("Retry-After", "")
		}
		c.send("POST /api/login", `{"email":"Root@example.com","password":"demo-root"}`).is(429)
		c.signIn("bob@example.com", "demo-bob")
		session.send("PATCH /api/users/3", `{"username":"rooty"}`).is(200) // needs no password
	})
}

func TestAnotherUserWithTheCallersEmailCannotChangeTheirPassword(t *testing.T) {
	t.Parallel()
	h := newHoard(t, ":memory:")
	ann, err := h.users.Get(t.Context(), int64(1))
	if err != nil {
		t.Fatal(err)
	}
	moved, changed := *ann, *ann
	moved.Email, changed.Password, changed.CurrentPassword = "bob@example.com", "taken over", "demo-bob" // since the request began
	ctx := operation.WithPrincipal(t.Context(), &Caller{&moved, &APIToken{Session: true}})
	if err := h.setPassword(ctx, &operation.Request{Previous: ann}, &changed); !errors.As(err, new(operation.Error)) {
		t.Errorf("the error is %v", err)
	}
}
