package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
)

const treasures = "/api/dragon_treasures"

// onEachDemo runs a test on the demo in each database.
func onEachDemo(t *testing.T, test func(c client)) {
	t.Helper()
	onEach(t, func(t *testing.T, name string) {
		t.Helper()
		test(serveHoard(t, newHoard(t, name)))
	})
}

func TestRegisteringAndSigningIn(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		eve := `{"email":"eve@example.com","username":"eve","password":"correct horse"}`
		c.send("POST /api/users", `{"email":"eve","username":" ","password":"short"}`).is(400, `"email":`, `"username":`, `"password":`)
		address := c.send("POST /api/users", eve).is(201, `"username":"eve"`).lacks("correct", "argon2id", "password").path()
		c.send("POST /api/users", strings.Replace(eve, `"eve"`, `"eva"`, 1)).is(409, `"field":"email"`)
		c.send("POST /api/users", strings.Replace(eve, "eve@", "eva@", 1)).
			is(409, `"field":"username"`, "It looks like another dragon took your username. ROAR!")
		for body, status := range map[string]int{
			`{"email":"eve@example.com","password":"correct hors"}`: 401,
			`{"email":"nobody@example.com","password":"correct"}`:   401,
			`{"email":"eve@example.com"}`:                           401,
			`{"email":`:                                             400, `[]`: 400,
		} {
			c.send("POST /api/login", body).is(status)
		}
		c.send("POST /api/login", "email=eve@example.com", "Content-Type", "application/x-www-form-urlencoded").is(415)
		login := c.send("POST /api/login", `{"email":"eve@example.com","password":"correct horse"}`).
			is(204).has("Location", address).has("Set-Cookie", "HttpOnly")
		secret, _, _ := strings.Cut(strings.TrimPrefix(login.header.Get("Set-Cookie"), cookieName+"="), ";")
		in := c.in(secret)
		in.send("GET "+address, "").is(200, `"email":"eve@example.com"`)
		in.send("POST "+treasures, `{"name":"Ring"}`).is(201, `"owner":"`+address+`"`, `"isMine":true`)
		in.send("PATCH "+address, `{"password":"another horse","currentPassword":"correct horse"}`).is(200)
		in.send("GET /api/api_tokens", "").is(200).lacks("id")
		in.send("POST /api/logout", "", "Origin", "https://elsewhere.example").is(403)
		in.send("POST /api/logout", "").is(204).has("Set-Cookie", "Max-Age=0")
		in.send("GET "+address, "").is(401)
		c.send("POST /api/logout", "").is(204)
		c.send("POST /api/login", `{"email":"eve@example.com","password":"correct horse"}`).is(401)
		c.send("POST /api/login", `{"email":"eve@example.com","password":"another horse"}`, "Origin", "https://elsewhere.example").is(403)
		c.send("POST /api/login", `{"email":"eve@example.com","password":"another horse"}`).is(204)
	})
}

func TestTokensGrantWhatTheirScopesSay(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann := c.as("demo-ann")
		made := ann.send("POST /api/api_tokens", `{"scopes":["treasure:edit","token:edit"]}`).is(201, `"token":"`)
		secret := made.field("token")
		ann.send("GET "+made.path(), "").is(200, "treasure:edit").lacks(secret, digest(secret), `"token"`)
		ann.send("GET /api/api_tokens", "").is(200, "treasure:edit").lacks(secret, digest(secret), `"token"`)
		edit := c.as(secret)
		edit.send("PATCH "+treasures+"/1", `{"value":5}`).is(200)
		edit.send("POST "+treasures, `{"name":"Ring"}`).is(403).has("Www-Authenticate", `scope="treasure:create"`)
		edit.send("PATCH /api/users/1", `{"username":"anna"}`).is(403)
		for body, status := range map[string]int{
			`{"scopes":["treasure:create"]}`:                       403,
			`{"scopes":["treasure:edit","user:edit"]}`:             403,
			`{"scopes":["treasure:edit"]}`:                         201,
			`{"scopes":[]}`:                                        201,
			`{"scopes":["treasure:burn"]}`:                         400,
			`{"scopes":["treasure:edit"],"owner":"/api/users/3"}`:  201, // read-only
			`{"scopes":["treasure:edit"],"token":"chosen-by-ann"}`: 201,
		} {
			edit.send("POST /api/api_tokens", body).is(status).lacks("/api/users/3", "chosen")
		}
		c.as("demo-bob").send("DELETE "+made.path(), "").is(404)
		ann.send("DELETE "+made.path(), "").is(204)
		edit.send("GET "+treasures, "").is(401).has("Www-Authenticate", "invalid_token")
	})
}

func TestATokenDoesNotSetPasswords(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, root := c.as("demo-ann"), c.as("demo-root")
		ann.send("PATCH /api/users/1", `{"username":"anna","password":"taken over"}`).is(403, `"field":"password"`)
		ann.send("PUT /api/users/1", `{"password":"taken over"}`).is(403, `"field":"password"`)
		root.send("PATCH /api/users/1", `{"password":"taken over"}`).is(403, `"field":"password"`)
		ann.send("PATCH /api/users/1", `{"username":"anna"}`).is(200)
		c.send("POST /api/login", `{"email":"ann@example.com","password":"taken over"}`).is(401).has("Www-Authenticate", "Cookie")
		in := c.in(c.send("POST /api/login", `{"email":"ann@example.com","password":"demo-ann"}`).is(204).session())
		in.send("PATCH /api/users/1", `{"password":"her own choice","currentPassword":"demo-ann"}`).is(200)
		c.send("POST /api/login", `{"email":"ann@example.com","password":"her own choice"}`).is(204)
	})
}

func TestUsersSignInRegardlessOfTheirCookie(t *testing.T) {
	t.Parallel()
	c := serveDemo(t)
	in := c.in(c.send("POST /api/login", `{"email":"bob@example.com","password":"demo-bob"}`).is(204).session())
	in.send("POST /api/logout", "").is(204)
	in.send("GET /api/tags", "").is(401)
	in.send("POST /api/logout", "").is(204).has("Set-Cookie", "Max-Age=0")
	in.send("POST /api/login", `{"email":"bob@example.com","password":"demo-bob"}`).is(204)
	in.send("POST /api/login", `{"email":"bob@example.com","password":"demo-ann"}`).is(401).lacks("session")
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann := c.as("demo-ann")
		over := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
		soon, later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339), time.Now().Add(2*time.Hour).UTC().Format(time.RFC3339)
		c.as(ann.send("POST /api/api_tokens", `{"expiresAt":"`+over+`"}`).is(201).field("token")).send("GET "+treasures, "").is(401)
		maker := c.as(ann.send("POST /api/api_tokens", `{"scopes":["token:edit"],"expiresAt":"`+soon+`"}`).is(201).field("token"))
		maker.send("POST /api/api_tokens", `{}`).is(201, `"expiresAt":"`+soon)
		maker.send("POST /api/api_tokens", `{"expiresAt":"`+soon+`"}`).is(201)
		maker.send("POST /api/api_tokens", `{"expiresAt":"`+later+`"}`).is(403)
	})
}

func TestPublishingNotifiesFollowers(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, bob, root := c.as("demo-ann"), c.as("demo-bob"), c.as("demo-root")
		count := func(who client) string {
			return who.send("GET /api/notifications", "").is(200).header.Get("X-Total-Count")
		}
		draft := ann.send("POST "+treasures, `{"name":"Draft"}`).is(201).path()
		if got := count(bob); got != "0" {
			t.Errorf("a draft has told Bob %s times", got)
		}
		ann.send("PATCH "+draft, `{"name":""}`).is(400)
		ann.send("PATCH "+draft, `{"isPublished":true}`).is(200)
		ann.send("PATCH "+draft, `{"value":7}`).is(200)
		ann.send("PUT "+draft+"/tags/1", "").is(204)
		ann.send("POST "+treasures, `{"name":"Ring","isPublished":true}`).is(201)
		bob.send("POST "+treasures, `{"name":"Bob's","isPublished":true}`).is(201)
		if got := count(bob); got != "2" {
			t.Errorf("Bob has been told %s times, want 2", got)
		}
		if got := count(root); got != "0" {
			t.Errorf("root, who follows nobody, has been told %s times", got)
		}
		bob.send("GET /api/notifications?expand=treasure", "").is(200, `"isRead":false`, `"name":"Ring"`)
		bob.send("PATCH /api/notifications/1", `{"isRead":true}`).is(200, `"isRead":true`)
		bob.send("GET /api/notifications?isRead=false", "").has("X-Total-Count", "1")
		ann.send("PATCH /api/notifications/1", `{"isRead":true}`).is(404)
		bob.send("DELETE /api/users/2/follows/1", "").is(204)
		bob.send("DELETE /api/users/2/follows/1", "").is(404)
		root.send("PUT /api/users/3/follows/1", "").is(204)
		ann.send("POST "+treasures, `{"name":"Crown","isPublished":true}`).is(201)
		if bob, root := count(bob), count(root); bob != "2" || root != "1" {
			t.Errorf("Bob has been told %s times and root %s, want 2 and 1", bob, root)
		}
	})
}

func TestTreasuresAreTheirOwners(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, bob, root := c.as("demo-ann"), c.as("demo-bob"), c.as("demo-root")
		for i, who := range []client{c, ann, bob, root} {
			who.send("GET "+treasures, "").is(200).has("X-Total-Count", []string{"48", "54", "54", "60"}[i])
		}
		ann.send("POST "+treasures, `{"name":"Ring","owner":"/api/users/2"}`).is(403)
		ann.send("PATCH "+treasures+"/1", `{"owner":"/api/users/2"}`).is(403)
		root.send("PATCH "+treasures+"/1", `{"owner":"/api/users/2"}`).is(200, `"isMine":false`)
		bob.send("GET "+treasures+"/1?expand=owner", "").is(200, `"isMine":true`, `"_embedded":{"owner":{`, "bob@example.com")
		c.send("GET "+treasures+"/5", "").is(404)
		bob.send("DELETE "+treasures+"/3", "").is(403)
		root.send("DELETE "+treasures+"/3", "").is(204)
		c.send("GET /api/users/1/treasures?itemsPerPage=0", "").is(200).has("X-Total-Count", "22")
		c.send("GET /api/users/1", "").is(200, `"treasures":"/api/users/1/treasures"`).lacks("email", "follows")
		root.send("GET /api/users/2", "").is(200, "email").lacks("follows")
		long := ann.send("POST "+treasures, `{"name":"Ring","description":"`+strings.Repeat("é", 60)+`"}`).is(201).field("shortDescription")
		if long != strings.Repeat("é", 39)+"…" {
			t.Errorf("the short description is %q", long)
		}
	})
}

func TestImportsAreAllOrNothing(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, bob, root := c.as("demo-ann"), c.as("demo-bob"), c.as("demo-root")
		const path = treasures + "/import"
		before := count(root, treasures)
		ann.send("POST "+path, `[{"name":"Fork"},{"name":""},{"name":"Knife","value":-1}]`).is(400, `"[1].name":`, `"[2].value":`)
		ann.send("POST "+path, `[{"name":"Fork","isPublished":true},{"name":"Knife","owner":"/api/users/2"}]`).is(403, "[1].owner")
		ann.send("POST "+path, `[{"name":"Fork","isPublished":true},{"name":"Knife","tags":["/api/tags/99"]}]`).is(400, `"[1].tags[0]":`)
		c.send("POST "+path, `[{"name":"Fork"}]`).is(401)
		if after, told := count(root, treasures), count(bob, "/api/notifications"); after != before || told != 0 {
			t.Errorf("imports that were refused have left %d treasures, and %d notifications", after-before, told)
		}
		ann.send("POST "+path, `[{"name":"Fork","isPublished":true},{"name":"Knife"}]`).is(200, `"name":"Fork"`, `"owner":"/api/users/1"`, `"isMine":true`)
		ann.send("POST "+path, "name,value\r\nSpoon,7\r\n", "Content-Type", "text/csv").is(200, `"name":"Spoon","description":null,"value":7`)
		if after, told := count(root, treasures), count(bob, "/api/notifications"); after != before+3 || told != 1 {
			t.Errorf("imports have made %d treasures, and told Bob %d times", after-before, told)
		}
	})
}

func TestQuestsAreCompletedOnce(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		const quest = "/api/quests/2026-11-22"
		c.send("GET "+quest, "").is(200, `"status":"active"`, `"treasures":[{"name":`)
		c.send("PATCH "+quest, `{"status":"completed"}`).is(401)
		ann := c.as("demo-ann")
		ann.send("PATCH "+quest, `{"status":"won"}`).is(400, `"status":`)
		ann.send("PATCH "+quest, `{"name":"Nap"}`).is(200).lacks("Nap")
		statuses := make(chan int, 4)
		for range cap(statuses) {
			go func() { statuses <- ann.send("PATCH "+quest, `{"status":"completed"}`).status }()
		}
		won := 0
		for range cap(statuses) {
			switch status := <-statuses; status {
			case 200:
				won++
			case 409:
			default:
				t.Errorf("completing returns %d", status)
			}
		}
		if won != 1 {
			t.Errorf("the quest is completed %d times", won)
		}
		c.as("demo-bob").send("PATCH "+quest, `{"status":"active"}`).is(409)
		c.send("GET /api/quests?status=completed", "").is(200, "2026-11-22").has("X-Total-Count", "1")
		c.send("GET /api/quests?itemsPerPage=1&sort=date", "").is(200, "2026-11-01").has("X-Total-Count", "30")
		c.send("GET /api/quests/yesterday", "").is(404)
	})
}

func TestReviewsAreBelowTreasures(t *testing.T) {
	t.Parallel()
	onEachDemo(t, func(c client) {
		ann, bob := c.as("demo-ann"), c.as("demo-bob")
		reviews := treasures + "/2/reviews"
		c.send("POST "+reviews, `{"rating":5}`).is(401)
		ann.send("POST "+reviews, `{"rating":9}`).is(422, `"pointer":"/rating"`, `"code":"lte"`)
		id := ann.send("POST "+reviews, `{"rating":5,"comment":"Shiny."}`).is(201, `"author":"/api/users/1"`, `"treasure":"/api/dragon_treasures/2"`).field("id")
		c.send("GET "+reviews, "").is(200, "Shiny.")
		bob.send("PATCH "+reviews+"/"+id, `{"rating":1}`).is(403)
		ann.send("PUT "+reviews+"/"+id, `{"rating":3}`).is(200, `"comment":""`, `"author":"/api/users/1"`) // it replaces
		ann.send("PUT "+treasures+"/1", `{"value":3}`).is(200, `"name":"Amber amulet"`)                    // it updates
		c.send("GET "+treasures+"/5/reviews", "").is(404)
		bob.send("POST "+treasures+"/5/reviews", `{"rating":1}`).is(404)
		c.as("demo-root").send("DELETE "+reviews+"/"+id, "").is(204)
	})
}

func TestTheWaysToSeeTreasures(t *testing.T) {
	t.Parallel()
	c := serveDemo(t)
	c.send("GET /api/cards?itemsPerPage=1", "").is(200, `[{"id":1,"name":"Amber amulet","value":7,"owner":"/api/users/1","_embedded":{"owner":{"username":"ann"}}}]`)
	c.send("GET /api/treasures", "").is(200).has("Deprecation", "@1767225600").has("Sunset", "2027")
	c.send("GET "+treasures+"?tags=/api/tags/1&tags=/api/tags/2&sort=name", "").is(200, `"/api/tags/1"`, `"/api/tags/2"`).lacks(`"/api/tags/3"`)
	c.send("GET "+treasures+"?owner.username=ann&sort=-owner.username&itemsPerPage=100", "").is(200, "/api/users/1").lacks("/api/users/2")
	c.send("GET "+treasures+"?owner.email=ann@example.com", "").is(400)
	rows := c.send("GET "+treasures+".csv", "").is(200).has("Content-Type", "text/csv").body
	if lines := strings.Count(rows, "\r\n"); lines != 49 {
		t.Errorf("the export has %d lines, want 48 treasures and a header", lines)
	}
	ann := c.as("demo-ann")
	ann.send("PUT "+treasures+"/1/tags/4", "").is(204)
	c.send("GET "+treasures+"/1?expand=tags", "").is(200, `"/api/tags/4"`, `"name":"shiny"`)
	c.as("demo-root").send("DELETE /api/tags/4", "").is(204)
	c.send("GET "+treasures+"/1", "").is(200).lacks(`"/api/tags/4"`)
	first := ann.send("POST "+treasures, `{"name":"Ring"}`, "Idempotency-Key", "k").is(201)
	if again := ann.send("POST "+treasures, `{"name":"Ring"}`, "Idempotency-Key", "k").is(201).has("Idempotent-Replayed", "true"); again.body != first.body {
		t.Errorf("the second answer is %s, want %s", again.body, first.body)
	}
	c.send("GET /healthz", "").is(200)
	c.send("GET /readyz", "").is(200)
}

func TestSigningInIsLimited(t *testing.T) {
	t.Parallel()
	h := newHoard(t, ":memory:")
	h.rate = 60
	c := serveHoard(t, h)
	c.send("POST /api/login", `{"email":"ann@example.com","password":"wrong"}`).is(401)
	c.send("POST /api/login", `{"email":"ann@example.com","password":"demo-ann"}`).is(429, `"status":429`).has("Retry-After", "")
	c.send("GET /api/tags", "").is(200)
}

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

func TestTheHomePageShowsWhatTheCallerMayDo(t *testing.T) {
	t.Parallel()
	c := serveDemo(t)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	c.send("GET /api", "", "Accept", browser).is(200, "The hoard", `href="/api/dragon_treasures"`, "Sign in", "/mcp").
		lacks("API tokens</a>", "Notifications", "Delete a", "Signed in")
	c.as("demo-ann").send("GET /api", "", "Accept", browser).is(200, "API tokens</a>", "Notifications", "Signed in").
		lacks(`id="sign-in"`)
	c.as("demo-root").send("GET /api", "", "Accept", browser).is(200, "API tokens</a>", "Delete a user", "Signed in")
	c.in("ended").send("GET /api", "", "Accept", browser).is(401, "have expired", "Sign in").lacks("API tokens</a>")
	c.send("GET /api", "").is(200, `"DragonTreasure":"/api/dragon_treasures"`).lacks("<html")
}
