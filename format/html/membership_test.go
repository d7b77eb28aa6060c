package html_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Person follows others, which only they see and change.
type Person struct {
	Name    string   `json:"name" api:"id"`
	Owner   string   `json:"owner" api:"readonly"`
	Follows []string `json:"follows" validate:"max=3" api:"ref=Person,expand"`
	Blocks  []string `json:"blocks" validate:"max=3" api:"ref=Person"`
}

// newTown returns a client of an API of persons who follow and block each other.
func newTown(t *testing.T) client {
	t.Helper()
	owner := access.Equal("owner", func(c *caller) string { return c.Name })
	c := newClient(t, resource.Config{Authentication: []access.Scheme{access.Cookie("session", "sid", bySession)}},
		resource.Of[Person]{
			Stamp: operation.Stamp(func(c *caller, p *Person) { p.Owner = c.Name }),
			Access: access.Rules{
				Read: access.Public, Create: access.Authenticated, Update: owner, Delete: owner,
				Members: map[string]access.Member{"blocks": {Read: owner, Write: access.If("root", func(c *caller) bool { return c.Name == "root" })}},
			},
			Operations: append(operation.Standard(),
				operation.Put{Name: "follow", URITemplate: "/people/{name}/follows/{follows}", RequirePrecondition: true},
				operation.Delete{Name: "unfollow", URITemplate: "/people/{name}/follows/{follows}", RequirePrecondition: true},
				operation.Put{Name: "block", URITemplate: "/people/{name}/blocks/{blocks}"},
				operation.Delete{Name: "unblock", URITemplate: "/people/{name}/blocks/{blocks}"},
			),
		})
	for _, name := range []string{"ann", "bob", "b/c ä", "<b>&", "{follows}"} {
		c.as(strings.Fields(name)[0]).json("POST /api/people", `{"name":"`+name+`"}`).Mentions(201)
	}
	return c
}

func TestAListChangesByAForm(t *testing.T) {
	t.Parallel()
	c := newTown(t).as("ann")
	for _, test := range []struct{ typed, path string }{
		{"bob", "/api/people/bob"},
		{"/api/people/%3Cb%3E&", "/api/people/%3Cb%3E&"},
		{" b/c ä ", "/api/people/b%2Fc%20%C3%A4"},
	} {
		page := c.get("/api/people/ann").Mentions(200, "Edit follows")
		action, _ := formIn(t, page, "/api/people/ann/follows/%7Bfollows%7D")
		c.post(action, "follows", test.typed).Mentions(303).Has("Location", "/api/people/ann#saved")
		c.send("GET /api/people/ann", "").Mentions(200, `"`+test.path+`"`)
	}
	for range 3 {
		page := c.get("/api/people/ann")
		action := regexp.MustCompile(`action="(/api/people/ann/follows/[^%{][^"]*|/api/people/ann/follows/%3C[^"]*)"><button>Remove<`).FindStringSubmatch(page.Body)
		if action == nil {
			t.Fatalf("no button removes an element of %s", page.Body)
		}
		c.post(strings.ReplaceAll(action[1], "&amp;", "&")).Mentions(303).Has("Location", "/api/people/ann#saved")
	}
	c.send("GET /api/people/ann", "").Mentions(200, `"follows":[]`)
}

func TestAListThatCannotChangeShowsWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := newTown(t).as("ann")
	action, _ := formIn(t, c.get("/api/people/ann"), "/follows/%7Bfollows%7D")
	for _, typed := range []string{"nobody", "", "/api/none/1", "//", "../bob", strings.Repeat("x", 3000), "<script>"} {
		page := c.post(action, "follows", typed).Mentions(404, "Add to follows", "The person does not exist.", `<a href="/api/people/ann">Back to the person</a>`)
		check(t, page.Body)
		again, _ := formIn(t, page, "/follows/%7Bfollows%7D")
		if again != action {
			t.Errorf("the form goes to %s, not to %s", again, action)
		}
	}
	c.post(action, "follows", strings.Repeat("x", 9000)).Mentions(413)
	c.post(action, "other", "bob").Mentions(404)
	c.json("PATCH /api/people/ann", `{"follows":["/api/people/bob"]}`).Mentions(200)
	page := c.post(action, "follows", "ann").Mentions(412)
	if strings.Contains(page.Body, "Add to follows") {
		t.Error("the page has a form with the old version")
	}
}

// In a request that is not of a form, braces are part of an identifier.
func TestOnlyFormsNameTheElementInTheBody(t *testing.T) {
	t.Parallel()
	c := newTown(t).as("ann")
	c.send("PUT /api/people/ann/follows/%7Bfollows%7D", "follows=bob", "If-Match", "*", "Content-Type", "application/x-www-form-urlencoded").Mentions(204)
	c.send("GET /api/people/ann", "").Mentions(200, `"follows":["/api/people/%7Bfollows%7D"]`)
}

func TestOnlyThoseWhoMayChangeAListHaveItsForms(t *testing.T) {
	t.Parallel()
	c := newTown(t)
	c.as("ann").json("PATCH /api/people/ann", `{"follows":["/api/people/bob"]}`).Mentions(200)
	page := c.as("ann").get("/api/people/ann").Mentions(200, "Edit follows", ">Remove<", "Blocks")
	if strings.Contains(page.Body, "Edit blocks") {
		t.Error("the page has a form for a list that the caller may not change")
	}
	for _, other := range []client{c.as("bob"), c} {
		page := other.get("/api/people/ann").Mentions(200, "/api/people/bob")
		for _, text := range []string{"Edit follows", ">Remove<", "locks", "%7Bfollows%7D"} {
			if strings.Contains(page.Body, text) {
				t.Errorf("a caller who may not change the person sees %q: %s", text, page.Body)
			}
		}
	}
	action := "/api/people/ann/follows/%7Bfollows%7D?_method=PUT&_if_match=*"
	c.post(action, "follows", "ann").Mentions(401)
	c.as("bob").post(action, "follows", "ann").Mentions(403)
	c.as("ann").send("POST "+action, "follows=ann", "Content-Type", "application/x-www-form-urlencoded", "Accept", browser, "Sec-Fetch-Site", "cross-site").
		Mentions(403, "Requests from other origins are not allowed.")
	c.send("GET /api/people/ann", "").Mentions(200, `"follows":["/api/people/bob"]`)
}
