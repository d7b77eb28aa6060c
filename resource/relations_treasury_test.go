package resource_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	crown    = `"id":1,"name":"crown","published":true,"owner":"/api/users/1","heir":null,"tags":["/api/tags/3","/api/tags/1"]`
	noSuch   = " must be the address of an existing User, like /api/users/{id}"
	noTag    = " must be the address of an existing Tag, like /api/tags/{id}"
	annShort = `{"id":1,"name":"ann","treasures":"/api/users/1/treasures"}`
)

func TestWhatATreasurySaysOfItsRelations(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("", "GET /api/treasures/1", "").is(http.StatusOK, "{"+crown+"}")
		a.as("", "GET /api/users/1", "").is(http.StatusOK, annShort)
		for _, who := range []string{"", "ann", "bob", "root"} {
			own := a.as(who, "GET /api/users/1", "").body
			want := "{" + crown + `,"_embedded":{"owner":` + own + `}}`
			a.as(who, "GET /api/treasures/1?expand=owner", "").is(http.StatusOK, want)
			a.as(who, "GET /api/treasures?expand=owner&itemsPerPage=1", "").is(http.StatusOK, "["+want+"]")
			if first, _, _ := strings.Cut(a.as(who, "GET /api/treasures.ndjson?expand=owner", "").body, "\n"); first != want {
				t.Errorf("the first line is %s, want %s", first, want)
			}
			a.as(who, "GET /api/owned/1", "").is(http.StatusOK, want)
			if sees := strings.Contains(own, `"email"`); sees != (who == "ann" || who == "root") {
				t.Errorf("%q sees ann as %s", who, own)
			}
		}
		a.as("", "GET /api/treasures/1?expand=tags", "").
			is(http.StatusOK, "{"+crown+`,"_embedded":{"tags":[{"id":3,"name":"cursed"},{"id":1,"name":"old"}]}}`)
		a.as("", "GET /api/treasures/3?expand=heir,tags", "").mentions(`"_embedded":{"heir":null,"tags":[]}`)
		for _, wrong := range []string{"foo", "owner,foo", "owner.treasures", "owner.name", "owner.heir.owner", "tags.0", "id"} {
			a.as("", "GET /api/treasures/1?expand="+wrong, "").isProblem(http.StatusBadRequest).mentions("expand", "owner, heir, tags")
			a.as("", "GET /api/treasures?expand="+wrong, "").isProblem(http.StatusBadRequest).mentions("expand", "owner, heir, tags")
		}
	})
}

func TestWhatIsHiddenAndWhatIsGoneAreEmbeddedAlike(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("ann", "PATCH /api/treasures/1", `{"heir":"/api/users/1"}`).hasStatus(http.StatusOK)
		hidden := a.as("bob", "GET /api/treasures/1?expand=owner,heir", "").hasStatus(http.StatusOK).
			mentions(`"owner":"/api/users/1"`, `"_embedded":{"owner":null,"heir":null}`)
		a.as("", "GET /api/treasures/1?expand=owner,heir", "").is(http.StatusOK, hidden.body)
		a.as("ann", "GET /api/treasures/1?expand=owner", "").mentions(`"email":"ann@x.example"`)
	}, secretive)
}

func TestWhatABodyRefersToIsThere(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/1"}`).hasStatus(http.StatusCreated).has("Location", "/api/treasures/4")
		for _, wrong := range []string{`1`, `"1"`, `"/api/tags/1"`, `"https://x/api/users/1"`, `"/api/users/99"`, `{"id":1}`, `{"@id":"/api/users/1"}`, `["/api/users/1"]`} {
			a.as("ann", "POST /api/treasures", `{"name":"ring","owner":`+wrong+`}`).isInvalid("owner", "owner"+noSuch)
		}
		for _, none := range []string{"", `,"owner":null`} {
			a.as("ann", "POST /api/treasures", `{"name":"ring"`+none+`}`).isInvalid("owner", "owner is required")
		}
		a.as("ann", "PATCH /api/treasures/1", `{"heir":"/api/users/2"}`).mentions(`"heir":"/api/users/2"`)
		a.as("ann", "PATCH /api/treasures/1", `{"heir":null}`).mentions(`"heir":null`)
		before := a.as("ann", "GET /api/treasures", "").body
		a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/1","tags":["/api/tags/1","/api/tags/99"]}`).
			isInvalid("tags[1]", "tags[1]"+noTag)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":["/api/tags/1","/api/tags/99"]}`).isInvalid("tags[1]", "tags[1]"+noTag)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":["/api/tags/2","/api/tags/2"]}`).isInvalid("tags[1]", "tags[1] is in the list already")
		a.as("ann", "GET /api/treasures", "").is(http.StatusOK, before)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":["/api/tags/2"]}`).mentions(`"tags":["/api/tags/2"]`)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[]}`).mentions(`"tags":[]`)
		a.as("", "GET /api/tags", "").hasIDs(`[{"id":1},{"id":2},{"id":3}]`)
	})
}

func TestAListHasNoMoreReferencesThanItMay(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		var tags []string
		for i := range 21 {
			a.as("", "POST /api/tags", `{"name":"more"}`).hasStatus(http.StatusCreated)
			tags = append(tags, `"/api/tags/`+strconv.Itoa(i+1)+`"`)
		}
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[`+strings.Join(tags, ",")+`]}`).isInvalid("tags", "tags must have at most 20 elements")
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[`+strings.Join(tags[:20], ",")+`]}`).hasStatus(http.StatusOK)
		a.as("ann", "PUT /api/treasures/1/tags/21", "").isInvalid("tags", "tags must have at most 20 elements")
	})
}

func TestAHiddenTargetIsRefusedAsAMissingOne(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		missing := a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/99"}`)
		missing.isInvalid("owner", "owner"+noSuch)
		a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/2"}`).is(missing.status, missing.body)
		for _, request := range []string{"GET", "POST"} {
			body := map[string]string{"POST": `{"nonsense":`}[request]
			none := a.as("ann", request+" /api/users/99/treasures", body).isProblem(http.StatusNotFound)
			hidden := a.as("ann", request+" /api/users/2/treasures", body).hasStatus(http.StatusNotFound)
			if withoutInstance(none.body) != withoutInstance(hidden.body) {
				t.Errorf("%s of a hidden user is answered by %s, of a missing one by %s", request, hidden.body, none.body)
			}
		}
		a.as("ann", "GET /api/treasures?owner=/api/users/2", "").is(http.StatusOK, `[]`).has("X-Total-Count", "0")
		a.as("ann", "GET /api/treasures?owner=/api/users/99", "").is(http.StatusOK, `[]`).has("X-Total-Count", "0")
		a.as("ann", "GET /api/treasures?owner.name=bob", "").is(http.StatusOK, `[]`)
		a.as("ann", "GET /api/treasures?owner.name=ann", "").hasIDs(`[{"id":1},{"id":2}]`)
		a.as("bob", "GET /api/treasures?owner.name=ann", "").is(http.StatusOK, `[]`)
		a.as("root", "GET /api/treasures?owner.name=b", "").hasIDs(`[{"id":3}]`)
		a.as("ann", "GET /api/treasures?sort=owner.name", "").hasIDs(`[{"id":3},{"id":1},{"id":2}]`)
		a.as("bob", "GET /api/treasures?sort=owner.name", "").hasIDs(`[{"id":1},{"id":3}]`)
		a.as("bob", "GET /api/treasures?sort=-owner.name", "").hasIDs(`[{"id":3},{"id":1}]`)
	}, secretive)
}

// withoutInstance returns a problem without what tells one answer from another.
func withoutInstance(body string) string { return incident.ReplaceAllString(body, "") }

func TestMembershipsComeAndGo(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		for range 2 {
			a.as("ann", "PUT /api/treasures/1/tags/2", "").is(http.StatusNoContent, "")
		}
		a.as("", "GET /api/treasures/1", "").mentions(`"tags":["/api/tags/3","/api/tags/1","/api/tags/2"]`)
		a.as("ann", "PUT /api/treasures/1/tags/99", "").isProblem(http.StatusNotFound)
		a.as("ann", "DELETE /api/treasures/1/tags/2", "").is(http.StatusNoContent, "")
		a.as("ann", "DELETE /api/treasures/1/tags/2", "").isProblem(http.StatusNotFound).mentions("There is no such Tag.")
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[]}`).hasStatus(http.StatusOK)
		var both sync.WaitGroup
		for _, tag := range []string{"1", "2", "3"} {
			both.Go(func() {
				if answer := a.as("ann", "PUT /api/treasures/1/tags/"+tag, ""); answer.status != http.StatusNoContent {
					t.Errorf("the status is %d: %s", answer.status, answer.body)
				}
			})
		}
		both.Wait()
		a.as("", "GET /api/treasures/1", "").mentions("/api/tags/1", "/api/tags/2", "/api/tags/3")
	})
}

func TestWhatIsBelowAUser(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("ann", "GET /api/users/1/treasures?sort=-name", "").has("X-Total-Count", "2").hasIDs(`[{"id":2},{"id":1}]`)
		a.as("bob", "GET /api/users/1/treasures", "").has("X-Total-Count", "1").hasIDs(`[{"id":1}]`)
		first := a.as("ann", "GET /api/users/1/treasures?sort=name&itemsPerPage=1&cursor=", "").hasStatus(http.StatusOK)
		next := nextLink.FindStringSubmatch(first.header.Get("Link"))
		if next == nil || !strings.HasPrefix(next[1], "/api/users/1/treasures?") {
			t.Fatalf("Link is %q", first.header.Get("Link"))
		}
		a.as("ann", "GET "+next[1], "").hasIDs(`[{"id":2}]`)
		a.as("ann", "POST /api/users/1/treasures", `{"name":"ring"}`).mentions(`"owner":"/api/users/1"`).has("Location", "/api/treasures/4").
			hasStatus(http.StatusCreated)
		a.as("ann", "POST /api/users/1/treasures", `{"name":"ring","owner":"/api/users/1"}`).hasStatus(http.StatusCreated)
		refused := a.as("ann", "POST /api/users/1/treasures", `{"name":"ring","owner":"/api/users/2"}`).hasStatus(http.StatusBadRequest)
		refused.mentions(`"owner":`, "validation_error")
		a.as("ann", "GET /api/users/99/treasures", "").isProblem(http.StatusNotFound)
		a.as("ann", "POST /api/users/99/treasures", `{"nonsense":`).isProblem(http.StatusNotFound)
	})
}

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

func TestFiltersOfATreasury(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		for query, ids := range map[string]string{
			"owner=/api/users/1":                     `[{"id":1},{"id":2}]`,
			"owner=/api/users/1&owner=/api/users/2":  `[{"id":1},{"id":2},{"id":3}]`,
			"owner=/api/users/99":                    `[]`,
			"tags=/api/tags/1&tags=/api/tags/2":      `[{"id":1},{"id":2}]`,
			"tags=/api/tags/99":                      `[]`,
			"owner.name=an":                          `[{"id":1},{"id":2}]`,
			"sort=-owner.name":                       `[{"id":3},{"id":2},{"id":1}]`,
			"owner.name=ann&tags=/api/tags/2":        `[{"id":2}]`,
			"heir=/api/users/1":                      `[]`,
			"owner=/api/users/1&owner=/api/users/99": `[{"id":1},{"id":2}]`,
		} {
			a.as("root", "GET /api/treasures?"+query, "").hasStatus(http.StatusOK).hasIDs(ids)
		}
		for _, junk := range []string{"owner=1", "owner=x", "owner=/api/tags/1", "owner=https://x/api/users/1", "owner=", "tags=1", "owner=/api/users/01"} {
			member, _, _ := strings.Cut(junk, "=")
			a.as("root", "GET /api/treasures?"+junk, "").isProblem(http.StatusBadRequest).mentions(member)
		}
		a.as("root", "GET /api/treasures?owner.email=x", "").isProblem(http.StatusBadRequest).mentions("owner.email", "owner.name")
		a.as("root", "GET /api/treasures?sort=owner.email", "").isProblem(http.StatusBadRequest)
		a.as("root", "GET /api/treasures?sort=tags.name", "").isProblem(http.StatusBadRequest)
	})
}

func TestAWalkInTheOrderOfOwnersHasEachOnce(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		for range 4 {
			a.as("ann", "POST /api/treasures", `{"name":"x","published":true,"owner":"/api/users/1"}`).hasStatus(http.StatusCreated)
			a.as("bob", "POST /api/treasures", `{"name":"y","published":true,"owner":"/api/users/2"}`).hasStatus(http.StatusCreated)
		}
		for _, order := range []string{"owner.name", "-owner.name", "owner.name,-name"} {
			seen := map[string]int{}
			target := "/api/treasures?itemsPerPage=3&cursor=&sort=" + order
			for range 10 {
				page := a.as("bob", "GET "+target, "").hasStatus(http.StatusOK)
				for _, id := range idMember.FindAllString(page.body, -1) {
					seen[id]++
				}
				next := nextLink.FindStringSubmatch(page.header.Get("Link"))
				if next == nil {
					break
				}
				target = next[1]
			}
			if len(seen) != 10 {
				t.Errorf("by %s there are %d: %v", order, len(seen), seen)
			}
			for id, times := range seen {
				if times != 1 {
					t.Errorf("by %s, %s is there %d times", order, id, times)
				}
			}
		}
	}, secretive)
}

var idMember = regexp.MustCompile(`"id":[0-9]+`)

func TestAUserWhoIsReferredToStays(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		refused := a.as("root", "DELETE /api/users/1", "").isProblem(http.StatusConflict).mentions("Treasure.owner")
		if regexp.MustCompile(`\b2\b`).MatchString(refused.body) {
			t.Errorf("the answer has a count: %s", refused.body)
		}
		a.as("", "GET /api/users/1", "").is(http.StatusOK, annShort)
		a.as("ann", "GET /api/treasures", "").has("X-Total-Count", "3")
		a.as("root", "PATCH /api/treasures/1", `{"heir":"/api/users/3"}`).hasStatus(http.StatusOK)
		a.as("root", "DELETE /api/users/3", "").is(http.StatusNoContent, "")
		a.as("", "GET /api/treasures/1", "").mentions(`"heir":null`)
	})
}

func TestTagsOfExpandedTreasures(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		const target = "GET /api/treasures/1?expand=owner"
		old := a.as("root", target, "").header.Get("ETag")
		a.as("root", target, "", "If-None-Match", old).is(http.StatusNotModified, "")
		a.as("root", "PATCH /api/users/1", `{"name":"anna"}`).hasStatus(http.StatusOK)
		renamed := a.as("root", target, "", "If-None-Match", old).hasStatus(http.StatusOK).mentions(`"name":"anna"`).header.Get("ETag")
		if renamed == old {
			t.Error("the tag is still the same")
		}
		a.as("root", "PATCH /api/treasures/1", `{"name":"coronet"}`, "If-Match", old).hasStatus(http.StatusOK)
		a.as("root", "PATCH /api/treasures/1", `{"name":"crown"}`, "If-Match", renamed).isProblem(http.StatusPreconditionFailed)
	})
}

func TestAReplacedUserKeepsWhatItsCallerMayNotWrite(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("root", "PATCH /api/users/1", `{"admin":true}`).hasStatus(http.StatusOK)
		a.as("ann", "PUT /api/users/1", `{"name":"anna","email":"anna@x.example"}`).hasStatus(http.StatusOK).mentions(`"admin":true`)
	})
}
