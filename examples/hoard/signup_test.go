package main

import "testing"

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
