package main

import "testing"

func TestPagesInABrowserShowWhatTheCallerMayDo(t *testing.T) {
	t.Parallel()
	c := serveDemo(t)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	page := func(c client, path string) answer { return c.send("GET "+path, "", "Accept", browser) }
	ann, root := c.as("demo-ann"), c.as("demo-root")
	page(c, "/api/dragon_treasures").is(200, "Dragon treasures", "#sign-in").lacks("New dragon treasure", "Sign out", "<script")
	page(ann, "/api/dragon_treasures").is(200, "New dragon treasure", "Sign out", "Create several treasures").lacks("#sign-in")
	page(c, "/api/users/1").is(200).lacks("@example.com", "Edit user", "Delete user", "argon2", "currentPassword")
	page(ann, "/api/users/1").is(200, "Edit user", "Roles").lacks("argon2", `name="roles"`)
	page(root, "/api/users/1").is(200, "Edit user", "Delete user", `name="roles"`)
	page(c, "/api/api_tokens").is(401, `action="/api/login?_next=%2Fapi%2Fapi_tokens"`)
	page(ann, "/api/dragon_treasures/1/reviews").is(200, "Reviews", "New review")
	page(c, "/api/dragon_treasures/999").is(404, "Back to the dragon treasures")
}
