package main

import "testing"

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
