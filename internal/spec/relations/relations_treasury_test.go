package relations_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
)

const (
	crown    = `"id":1,"name":"crown","published":true,"owner":"/api/users/1","heir":null,"tags":["/api/tags/3","/api/tags/1"]`
	noSuch   = " must be the path of an existing User, such as /api/users/{id}"
	noTag    = " must be the path of an existing Tag, such as /api/tags/{id}"
	annShort = `{"id":1,"name":"ann","treasures":"/api/users/1/treasures"}`
)

func TestWhatATreasurySaysOfItsRelations(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("", "GET /api/treasures/1", "").Is(http.StatusOK, "{"+crown+"}")
		a.as("", "GET /api/users/1", "").Is(http.StatusOK, annShort)
		for _, who := range []string{"", "ann", "bob", "root"} {
			own := a.as(who, "GET /api/users/1", "").Body
			want := "{" + crown + `,"_embedded":{"owner":` + own + `}}`
			a.as(who, "GET /api/treasures/1?expand=owner", "").Is(http.StatusOK, want)
			a.as(who, "GET /api/treasures?expand=owner&itemsPerPage=1", "").Is(http.StatusOK, "["+want+"]")
			if first, _, _ := strings.Cut(a.as(who, "GET /api/treasures.ndjson?expand=owner", "").Body, "\n"); first != want {
				t.Errorf("the first line is %s, want %s", first, want)
			}
			a.as(who, "GET /api/owned/1", "").Is(http.StatusOK, want)
			if sees := strings.Contains(own, `"email"`); sees != (who == "ann" || who == "root") {
				t.Errorf("%q sees ann as %s", who, own)
			}
		}
		a.as("", "GET /api/treasures/1?expand=tags", "").
			Is(http.StatusOK, "{"+crown+`,"_embedded":{"tags":[{"id":3,"name":"cursed"},{"id":1,"name":"old"}]}}`)
		a.as("", "GET /api/treasures/3?expand=heir,tags", "").Mentions(`"_embedded":{"heir":null,"tags":[]}`)
		for _, wrong := range []string{"foo", "owner,foo", "owner.treasures", "owner.name", "owner.heir.owner", "tags.0", "id"} {
			a.as("", "GET /api/treasures/1?expand="+wrong, "").IsProblem(http.StatusBadRequest).Mentions("expand", "owner, heir, tags")
			a.as("", "GET /api/treasures?expand="+wrong, "").IsProblem(http.StatusBadRequest).Mentions("expand", "owner, heir, tags")
		}
	})
}

func TestHiddenAndDeletedRecordsAreEmbeddedTheSameWay(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("ann", "PATCH /api/treasures/1", `{"heir":"/api/users/1"}`).HasStatus(http.StatusOK)
		hidden := a.as("bob", "GET /api/treasures/1?expand=owner,heir", "").HasStatus(http.StatusOK).
			Mentions(`"owner":"/api/users/1"`, `"_embedded":{"owner":null,"heir":null}`)
		a.as("", "GET /api/treasures/1?expand=owner,heir", "").Is(http.StatusOK, hidden.Body)
		a.as("ann", "GET /api/treasures/1?expand=owner", "").Mentions(`"email":"ann@x.example"`)
	}, secretive)
}

func TestWhatABodyRefersToIsThere(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/1"}`).HasStatus(http.StatusCreated).Has("Location", "/api/treasures/4")
		for _, wrong := range []string{`1`, `"1"`, `"/api/tags/1"`, `"https://x/api/users/1"`, `"/api/users/99"`, `{"id":1}`, `{"@id":"/api/users/1"}`, `["/api/users/1"]`} {
			a.as("ann", "POST /api/treasures", `{"name":"ring","owner":`+wrong+`}`).IsInvalid("owner", "owner"+noSuch)
		}
		for _, none := range []string{"", `,"owner":null`} {
			a.as("ann", "POST /api/treasures", `{"name":"ring"`+none+`}`).IsInvalid("owner", "owner is required")
		}
		a.as("ann", "PATCH /api/treasures/1", `{"heir":"/api/users/2"}`).Mentions(`"heir":"/api/users/2"`)
		a.as("ann", "PATCH /api/treasures/1", `{"heir":null}`).Mentions(`"heir":null`)
		before := a.as("ann", "GET /api/treasures", "").Body
		a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/1","tags":["/api/tags/1","/api/tags/99"]}`).
			IsInvalid("tags[1]", "tags[1]"+noTag)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":["/api/tags/1","/api/tags/99"]}`).IsInvalid("tags[1]", "tags[1]"+noTag)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":["/api/tags/2","/api/tags/2"]}`).IsInvalid("tags[1]", "tags[1] is a duplicate")
		a.as("ann", "GET /api/treasures", "").Is(http.StatusOK, before)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":["/api/tags/2"]}`).Mentions(`"tags":["/api/tags/2"]`)
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[]}`).Mentions(`"tags":[]`)
		a.as("", "GET /api/tags", "").HasIDs(`[{"id":1},{"id":2},{"id":3}]`)
	})
}

func TestAListHasNoMoreReferencesThanItMay(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		var tags []string
		for i := range 21 {
			a.as("", "POST /api/tags", `{"name":"more"}`).HasStatus(http.StatusCreated)
			tags = append(tags, `"/api/tags/`+strconv.Itoa(i+1)+`"`)
		}
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[`+strings.Join(tags, ",")+`]}`).IsInvalid("tags", "tags must have at most 20 elements")
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[`+strings.Join(tags[:20], ",")+`]}`).HasStatus(http.StatusOK)
		a.as("ann", "PUT /api/treasures/1/tags/21", "").IsInvalid("tags", "tags must have at most 20 elements")
	})
}

func TestAHiddenTargetIsRejectedLikeAMissingOne(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		missing := a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/99"}`)
		missing.IsInvalid("owner", "owner"+noSuch)
		a.as("ann", "POST /api/treasures", `{"name":"ring","owner":"/api/users/2"}`).Is(missing.Status, missing.Body)
		for _, request := range []string{"GET", "POST"} {
			body := map[string]string{"POST": `{"nonsense":`}[request]
			none := a.as("ann", request+" /api/users/99/treasures", body).IsProblem(http.StatusNotFound)
			hidden := a.as("ann", request+" /api/users/2/treasures", body).HasStatus(http.StatusNotFound)
			if withoutInstance(none.Body) != withoutInstance(hidden.Body) {
				t.Errorf("%s of a hidden user is answered by %s, of a missing one by %s", request, hidden.Body, none.Body)
			}
		}
		a.as("ann", "GET /api/treasures?owner=/api/users/2", "").Is(http.StatusOK, `[]`).Has("X-Total-Count", "0")
		a.as("ann", "GET /api/treasures?owner=/api/users/99", "").Is(http.StatusOK, `[]`).Has("X-Total-Count", "0")
		a.as("ann", "GET /api/treasures?owner.name=bob", "").Is(http.StatusOK, `[]`)
		a.as("ann", "GET /api/treasures?owner.name=ann", "").HasIDs(`[{"id":1},{"id":2}]`)
		a.as("bob", "GET /api/treasures?owner.name=ann", "").Is(http.StatusOK, `[]`)
		a.as("root", "GET /api/treasures?owner.name=b", "").HasIDs(`[{"id":3}]`)
		a.as("ann", "GET /api/treasures?sort=owner.name", "").HasIDs(`[{"id":3},{"id":1},{"id":2}]`)
		a.as("bob", "GET /api/treasures?sort=owner.name", "").HasIDs(`[{"id":1},{"id":3}]`)
		a.as("bob", "GET /api/treasures?sort=-owner.name", "").HasIDs(`[{"id":3},{"id":1}]`)
	}, secretive)
}

// withoutInstance returns a problem without its instance, which differs by response.
func withoutInstance(body string) string { return spec.Incident.ReplaceAllString(body, "") }

func TestMembershipsComeAndGo(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		for range 2 {
			a.as("ann", "PUT /api/treasures/1/tags/2", "").Is(http.StatusNoContent, "")
		}
		a.as("", "GET /api/treasures/1", "").Mentions(`"tags":["/api/tags/3","/api/tags/1","/api/tags/2"]`)
		a.as("ann", "PUT /api/treasures/1/tags/99", "").IsProblem(http.StatusNotFound)
		a.as("ann", "DELETE /api/treasures/1/tags/2", "").Is(http.StatusNoContent, "")
		a.as("ann", "DELETE /api/treasures/1/tags/2", "").IsProblem(http.StatusNotFound).Mentions("The tag does not exist.")
		a.as("ann", "PATCH /api/treasures/1", `{"tags":[]}`).HasStatus(http.StatusOK)
		var both sync.WaitGroup
		for _, tag := range []string{"1", "2", "3"} {
			both.Go(func() {
				if answer := a.as("ann", "PUT /api/treasures/1/tags/"+tag, ""); answer.Status != http.StatusNoContent {
					t.Errorf("the status is %d: %s", answer.Status, answer.Body)
				}
			})
		}
		both.Wait()
		a.as("", "GET /api/treasures/1", "").Mentions("/api/tags/1", "/api/tags/2", "/api/tags/3")
	})
}

func TestWhatIsBelowAUser(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("ann", "GET /api/users/1/treasures?sort=-name", "").Has("X-Total-Count", "2").HasIDs(`[{"id":2},{"id":1}]`)
		a.as("bob", "GET /api/users/1/treasures", "").Has("X-Total-Count", "1").HasIDs(`[{"id":1}]`)
		first := a.as("ann", "GET /api/users/1/treasures?sort=name&itemsPerPage=1&cursor=", "").HasStatus(http.StatusOK)
		next := nextLink.FindStringSubmatch(first.Header.Get("Link"))
		if next == nil || !strings.HasPrefix(next[1], "/api/users/1/treasures?") {
			t.Fatalf("Link is %q", first.Header.Get("Link"))
		}
		a.as("ann", "GET "+next[1], "").HasIDs(`[{"id":2}]`)
		a.as("ann", "POST /api/users/1/treasures", `{"name":"ring"}`).Mentions(`"owner":"/api/users/1"`).Has("Location", "/api/treasures/4").
			HasStatus(http.StatusCreated)
		a.as("ann", "POST /api/users/1/treasures", `{"name":"ring","owner":"/api/users/1"}`).HasStatus(http.StatusCreated)
		refused := a.as("ann", "POST /api/users/1/treasures", `{"name":"ring","owner":"/api/users/2"}`).HasStatus(http.StatusBadRequest)
		refused.Mentions(`"owner":`, "validation_error")
		a.as("ann", "GET /api/users/99/treasures", "").IsProblem(http.StatusNotFound)
		a.as("ann", "POST /api/users/99/treasures", `{"nonsense":`).IsProblem(http.StatusNotFound)
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
			a.as("root", "GET /api/treasures?"+query, "").HasStatus(http.StatusOK).HasIDs(ids)
		}
		for _, junk := range []string{"owner=1", "owner=x", "owner=/api/tags/1", "owner=https://x/api/users/1", "owner=", "tags=1", "owner=/api/users/01"} {
			member, _, _ := strings.Cut(junk, "=")
			a.as("root", "GET /api/treasures?"+junk, "").IsProblem(http.StatusBadRequest).Mentions(member)
		}
		a.as("root", "GET /api/treasures?owner.email=x", "").IsProblem(http.StatusBadRequest).Mentions("owner.email", "owner.name")
		a.as("root", "GET /api/treasures?sort=owner.email", "").IsProblem(http.StatusBadRequest)
		a.as("root", "GET /api/treasures?sort=tags.name", "").IsProblem(http.StatusBadRequest)
	})
}

func TestAWalkInTheOrderOfOwnersHasEachOnce(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		for range 4 {
			a.as("ann", "POST /api/treasures", `{"name":"x","published":true,"owner":"/api/users/1"}`).HasStatus(http.StatusCreated)
			a.as("bob", "POST /api/treasures", `{"name":"y","published":true,"owner":"/api/users/2"}`).HasStatus(http.StatusCreated)
		}
		for _, order := range []string{"owner.name", "-owner.name", "owner.name,-name"} {
			seen := map[string]int{}
			target := "/api/treasures?itemsPerPage=3&cursor=&sort=" + order
			for range 10 {
				page := a.as("bob", "GET "+target, "").HasStatus(http.StatusOK)
				for _, id := range spec.IDMember.FindAllString(page.Body, -1) {
					seen[id]++
				}
				next := nextLink.FindStringSubmatch(page.Header.Get("Link"))
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

func TestAUserWhoIsReferredToStays(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		refused := a.as("root", "DELETE /api/users/1", "").IsProblem(http.StatusConflict).Mentions("Treasure.owner")
		if regexp.MustCompile(`\b2\b`).MatchString(refused.Body) {
			t.Errorf("the answer has a count: %s", refused.Body)
		}
		a.as("", "GET /api/users/1", "").Is(http.StatusOK, annShort)
		a.as("ann", "GET /api/treasures", "").Has("X-Total-Count", "3")
		a.as("root", "PATCH /api/treasures/1", `{"heir":"/api/users/3"}`).HasStatus(http.StatusOK)
		a.as("root", "DELETE /api/users/3", "").Is(http.StatusNoContent, "")
		a.as("", "GET /api/treasures/1", "").Mentions(`"heir":null`)
	})
}

func TestTagsOfExpandedTreasures(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		const target = "GET /api/treasures/1?expand=owner"
		old := a.as("root", target, "").Header.Get("ETag")
		a.as("root", target, "", "If-None-Match", old).Is(http.StatusNotModified, "")
		a.as("root", "PATCH /api/users/1", `{"name":"anna"}`).HasStatus(http.StatusOK)
		renamed := a.as("root", target, "", "If-None-Match", old).HasStatus(http.StatusOK).Mentions(`"name":"anna"`).Header.Get("ETag")
		if renamed == old {
			t.Error("the tag is still the same")
		}
		a.as("root", "PATCH /api/treasures/1", `{"name":"coronet"}`, "If-Match", old).HasStatus(http.StatusOK)
		a.as("root", "PATCH /api/treasures/1", `{"name":"crown"}`, "If-Match", renamed).IsProblem(http.StatusPreconditionFailed)
	})
}

func TestAReplacedUserKeepsWhatItsCallerMayNotWrite(t *testing.T) {
	t.Parallel()
	onTreasuries(t, func(t *testing.T, a treasury) {
		t.Helper()
		a.as("root", "PATCH /api/users/1", `{"admin":true}`).HasStatus(http.StatusOK)
		a.as("ann", "PUT /api/users/1", `{"name":"anna","email":"anna@x.example"}`).HasStatus(http.StatusOK).Mentions(`"admin":true`)
	})
}
