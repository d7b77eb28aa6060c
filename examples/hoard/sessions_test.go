package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// signIn returns the client in a new session.
func (c client) signIn(email, password string) client {
	c.t.Helper()
	return c.in(c.send("POST /api/login", `{"email":"`+email+`","password":"`+password+`"}`).is(204).session())
}

func TestAPasswordChangeEndsTheOtherSessionsAndTokens(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		const change = `{"password":"her own choice","currentPassword":"demo-ann"}`
		one, other := c.signIn("ann@example.com", "demo-ann"), c.signIn("ann@example.com", "demo-ann")
		token := c.as(one.send("POST /api/api_tokens", `{"scopes":["treasure:edit"]}`).is(201).field("token"))
		one.send("PATCH /api/users/1", change).is(200).lacks("demo-ann", "her own choice", "assword")
		one.send("GET /api/users/1", "").is(200, "ann@example.com")
		for _, ended := range []client{other, token, c.as("demo-ann")} {
			ended.send("GET /api/tags", "").is(401)
		}
		one.send("GET /api/api_tokens", "").is(200, "[]")
		c.as("demo-bob").send("GET /api/tags", "").is(200)
		one.send("PATCH /api/users/1", `{"username":"anna"}`).is(200)
		third := c.signIn("ann@example.com", "her own choice")
		one.send("PATCH /api/users/1", `{"email":"anna@example.com"}`).is(200) // does not change the password
		third.send("GET /api/tags", "").is(200)
	})
}

func TestAPasswordChangeNeedsTheCallersPassword(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, root := c.signIn("ann@example.com", "demo-ann"), c.signIn("root@example.com", "demo-root")
		for _, body := range []string{
			`{"password":"taken over"}`, `{"password":"taken over","currentPassword":""}`, `{"password":"taken over","currentPassword":"demo-bob"}`,
			`{"password":"taken over","currentPassword":"taken over"}`,
		} {
			ann.send("PATCH /api/users/1", body).is(403, "currentPassword").lacks("taken over", "demo-bob")
			ann.send("PUT /api/users/1", body).is(403, "currentPassword")
			root.send("PATCH /api/users/1", body).is(403, "currentPassword")
		}
		root.send("PATCH /api/users/1", `{"password":"taken over","currentPassword":"demo-ann"}`).is(403) // an admin has their own
		ann.send("PATCH /api/users/2", `{"password":"taken over","currentPassword":"demo-ann"}`).is(403)
		ann.send("PATCH /api/users/1", `{"username":"anna","currentPassword":"not needed"}`).is(200)
		c.signIn("ann@example.com", "demo-ann")
		root.send("PATCH /api/users/1", `{"password":"set by root","currentPassword":"demo-root"}`).is(200)
		ann.send("GET /api/tags", "").is(401)
		root.send("GET /api/tags", "").is(200)
		c.signIn("ann@example.com", "set by root").send("PUT /api/users/1", `{"password":"her own choice","currentPassword":"set by root"}`).is(200)
		c.signIn("ann@example.com", "her own choice")
	})
}

func TestNoSessionOfTheOldPasswordOutlivesItsChange(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		password := "demo-ann"
		for round := range 3 { // three rounds of three: after ten wrong passwords a client has to wait
			changed := fmt.Sprintf("choice number %d", round)
			ann, login := c.signIn("ann@example.com", password), `{"email":"ann@example.com","password":"`+password+`"}`
			token := c.as(ann.send("POST /api/api_tokens", `{"scopes":["token:edit"]}`).is(201).field("token"))
			var made []client
			var mu sync.Mutex
			var at sync.WaitGroup
			for range 3 {
				at.Go(func() {
					session := c.send("POST /api/login", login)
					minted := token.send("POST /api/api_tokens", `{}`)
					mu.Lock()
					defer mu.Unlock()
					if session.status == 204 {
						made = append(made, c.in(session.session()))
					}
					if minted.status == 201 {
						made = append(made, c.as(minted.field("token")))
					}
				})
			}
			at.Go(func() {
				ann.send("PATCH /api/users/1", `{"password":"`+changed+`","currentPassword":"`+password+`"}`).is(200)
			})
			at.Wait()
			for _, old := range made {
				old.send("GET /api/tags", "").is(401)
			}
			password = changed
		}
	})
}

func TestATokenIsNotMintedByOneThatHasEnded(t *testing.T) {
	t.Parallel()
	h := newHoard(t, ":memory:")
	maker := &APIToken{Owner: 1, Token: digest("maker"), Scopes: []string{"token:edit"}}
	if err := store.Insert(t.Context(), h.tokens, maker); err != nil {
		t.Fatal(err)
	}
	ctx := operation.WithPrincipal(t.Context(), &Caller{&User{ID: 1}, maker})
	kept := func(context.Context, *APIToken) error { return nil }
	if err := h.issue(ctx, nil, &APIToken{}, kept); err != nil {
		t.Errorf("the error is %v", err)
	}
	if err := store.Delete(t.Context(), h.tokens, maker.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.issue(ctx, nil, &APIToken{}, kept); !errors.Is(err, errCredentials) {
		t.Errorf("the error is %v, want %v", err, errCredentials)
	}
}

func TestTheSessionChangesOnSignIn(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		chosen := c.in("chosen-by-mallory")
		first := chosen.send("POST /api/login", `{"email":"ann@example.com","password":"demo-ann"}`).is(204).session()
		chosen.send("GET /api/tags", "").is(401)
		second := c.in(first).send("POST /api/login", `{"email":"bob@example.com","password":"demo-bob"}`).is(204).session()
		if first == second || first == "chosen-by-mallory" {
			t.Errorf("the sessions are %s and %s", first, second)
		}
		c.in(first).send("GET /api/tags", "").is(401)
		c.in(second).send("GET /api/users/2", "").is(200, "bob@example.com")
		c.in(second).send("POST /api/login", `{"email":"bob@example.com","password":"wrong"}`).is(401)
		c.in(second).send("GET /api/tags", "").is(200) // a failed sign-in ends nothing
	})
}

func TestATokenWithoutScopesOnlyReads(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		for _, user := range []string{"demo-ann", "demo-bob", "demo-root"} { // root is an admin
			id := c.as(user).send("POST /api/api_tokens", `{"scopes":["treasure:edit"]}`).is(201).path()
			without := c.as(c.as(user).send("POST /api/api_tokens", `{}`).is(201).field("token"))
			for request, body := range map[string]string{
				"POST /api/api_tokens": `{}`, "DELETE " + id: "",
				"POST /api/tags": `{"name":"bent"}`, "PATCH /api/tags/1": `{"name":"bent"}`, "DELETE /api/tags/1": "",
				"POST " + treasures: `{"name":"Ring"}`, "PATCH " + treasures + "/1": `{"value":1}`, "DELETE " + treasures + "/1": "",
				"POST " + treasures + "/1/reviews": `{"rating":5}`, "PATCH " + treasures + "/1/reviews/1": `{"rating":5}`, "DELETE " + treasures + "/1/reviews/1": "",
				"PATCH /api/users/1": `{"username":"anna"}`, "DELETE /api/users/1": "", "PATCH /api/quests/2026-11-22": `{"status":"completed"}`,
			} {
				without.send(request, body).is(403)
			}
			without.send("GET "+id, "").is(200)
			without.send("GET "+treasures, "").is(200)
		}
	})
}

func TestATokenHasNoMoreScopesThanItsMaker(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		maker := c.as(c.as("demo-root").send("POST /api/api_tokens", `{"scopes":["token:edit","social:edit"]}`).is(201).field("token"))
		child := c.as(maker.send("POST /api/api_tokens", `{"scopes":["token:edit"]}`).is(201).field("token"))
		maker.send("POST /api/api_tokens", `{"scopes":["token:edit","user:edit"]}`).is(403)
		child.send("POST /api/api_tokens", `{"scopes":["social:edit"]}`).is(403)
		child.send("POST /api/api_tokens", `{"scopes":["token:edit"]}`).is(201)
		child.send("POST /api/tags", `{"name":"bent"}`).is(403)
		maker.send("POST /api/tags", `{"name":"bent"}`).is(201)
	})
}

func TestADemotedOrDeletedUserLosesAccessAtOnce(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		root := c.signIn("root@example.com", "demo-root")
		eve := c.send("POST /api/users", `{"email":"eve@example.com","username":"eve","password":"correct horse"}`).is(201).path()
		session := c.signIn("eve@example.com", "correct horse")
		token := c.as(session.send("POST /api/api_tokens", `{"scopes":["social:edit"]}`).is(201).field("token"))
		session.send("PATCH "+eve, `{"roles":["admin"]}`).is(403)
		root.send("PATCH "+eve, `{"roles":["admin"]}`).is(200)
		session.send("PATCH /api/tags/1", `{"name":"bent"}`).is(200)
		token.send("PATCH /api/tags/1", `{"name":"very bent"}`).is(200)
		root.send("PATCH "+eve, `{"roles":[]}`).is(200)
		session.send("PATCH /api/tags/1", `{"name":"straight"}`).is(403)
		token.send("PATCH /api/tags/1", `{"name":"straight"}`).is(403)
		root.send("DELETE "+eve, "").is(204)
		session.send("GET /api/tags", "").is(401)
		token.send("GET /api/tags", "").is(401)
		c.send("POST /api/login", `{"email":"eve@example.com","password":"correct horse"}`).is(401)
	})
}

func TestTheCurrentPasswordIsNeverStored(t *testing.T) {
	t.Parallel()
	h := newHoard(t, ":memory:")
	c := serveHoard(t, h)
	eve := `{"email":"eve@example.com","username":"eve","password":"correct horse","currentPassword":"demo-ann"}`
	c.send("POST /api/users", eve).is(201)
	ann := c.signIn("ann@example.com", "demo-ann")
	ann.send("PATCH /api/users/1", `{"username":"anna","currentPassword":"demo-ann"}`).is(200)
	ann.send("PUT /api/users/1", `{"password":"her own choice","currentPassword":"demo-ann"}`).is(200)
	users, err := h.users.List(t.Context(), store.Query{})
	if err != nil || len(users.Items) != 4 {
		t.Fatalf("%d users, and the error %v", len(users.Items), err)
	}
	for _, user := range users.Items {
		if user.CurrentPassword != "" {
			t.Errorf("%s has the current password %q in the database", user.Username, user.CurrentPassword)
		}
	}
}

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
