package access_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Owner is the principal.
type Owner struct {
	ID   int64
	Team string
}

// Gem belongs to an owner. Everyone can see a published gem.
type Gem struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	IsPublished bool   `json:"isPublished"`
	Owner       int64  `json:"owner"`
	Team        string `json:"team"`
}

// gems returns the gems that Ann can see under a read rule.
func gems(read access.Rule) string {
	authenticate := func(_ context.Context, token string) (*Owner, access.Scopes, error) {
		if token != "ann" {
			return nil, nil, access.ErrCredentials
		}
		return &Owner{ID: 1, Team: "red"}, access.Scopes{"gem:read"}, nil
	}
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Gem]{
			Store: memory.New(
				Gem{ID: 1, Name: "ruby", Owner: 1, Team: "red"}, Gem{ID: 2, Name: "opal", IsPublished: true, Owner: 2, Team: "blue"}, Gem{ID: 3, Name: "onyx", Owner: 2, Team: "red"}),
			Access:       access.Rules{Read: read, Create: access.Public, Update: access.Public, Delete: access.Public},
			SparseFields: true,
		})
	if err != nil {
		return err.Error()
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/gems?fields=name", http.NoBody)
	r.Header.Set("Authorization", "Bearer ann")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Body.String()
}

// A read rule becomes a condition of each query, so that pages contain only visible records.
func ExampleAny() {
	owner := access.Equal("owner", func(o *Owner) int64 { return o.ID })
	fmt.Println(gems(access.Any(access.Where("isPublished", true), owner)))
	// Output: [{"id":1,"name":"ruby"},{"id":2,"name":"opal"}]
}

// A filter restricts each caller to the records of their team.
func ExampleFilter() {
	team := access.Filter("team", func(_ context.Context, o *Owner) ([]store.Condition, error) {
		return []store.Condition{{Fields: []string{"team"}, Operator: store.Equal, Values: []any{o.Team}}}, nil
	})
	fmt.Println(gems(team))
	// Output: [{"id":1,"name":"ruby"},{"id":3,"name":"onyx"}]
}

// The name of a rule is composed of the names of its parts.
func ExampleRule() {
	admin := access.If("admin", func(*Owner) bool { return false })
	rule := access.All(access.Scope("gem:write"), access.Any(access.Where("isPublished", true), admin))
	fmt.Println(rule.Describe().Name)
	// Output: scope gem:write and (isPublished or admin)
}

// Bid is an offer for a gem.
type Bid struct {
	ID    int64 `json:"id"`
	Gem   int64 `json:"gem" api:"ref=Gem"`
	Price int   `json:"price"`
}

// A filter can go through a reference: an owner sees the bids for their own gems.
func ExampleFilter_through() {
	ownGems := access.Filter("own gems", func(_ context.Context, o *Owner) ([]store.Condition, error) {
		isOwn := store.Condition{Fields: []string{"owner"}, Operator: store.Equal, Values: []any{o.ID}}
		return []store.Condition{{Through: "gem", Any: [][]store.Condition{{isOwn}}}}, nil
	})
	authenticate := func(context.Context, string) (*Owner, access.Scopes, error) { return &Owner{ID: 1}, nil, nil }
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Gem]{Store: memory.New(Gem{ID: 1, Owner: 1}, Gem{ID: 2, Owner: 2}), Access: access.Only(access.Authenticated)},
		resource.Of[Bid]{Store: memory.New(Bid{ID: 1, Gem: 1, Price: 9}, Bid{ID: 2, Gem: 2, Price: 7}), Access: access.Only(ownGems)},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/bids", http.NoBody)
	r.Header.Set("Authorization", "Bearer ann")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Body)
	// Output: [{"id":1,"gem":"/api/gems/1","price":9}]
}

// Task belongs to a project, and Membership connects users with projects.
type (
	Project struct {
		ID int64 `json:"id"`
	}
	Membership struct {
		ID      int64  `json:"id"`
		Project int64  `json:"project" api:"ref=Project"`
		User    int64  `json:"user"`
		Role    string `json:"role"`
	}
	Task struct {
		ID      int64  `json:"id"`
		Project int64  `json:"project" api:"ref=Project"`
		Title   string `json:"title"`
	}
)

// Members of a project see its tasks. The store finds these with one query.
func ExampleRelated() {
	// Members of a project see its tasks, and those who lead it may delete them.
	mine := access.Equal("user", func(u *Owner) int64 { return u.ID })
	member := access.Named("member", access.Related("Membership.project", mine))
	leads := access.Related("Membership.project", access.All(mine, access.Where("role", "lead")))
	rules := access.Rules{
		Read: access.Through("project", member), Create: access.Through("project", member),
		Update: access.Through("project", member), Delete: access.Through("project", leads),
	}
	fmt.Println("Tasks are read by a", rules.Read.Describe().Name)
	authenticate := func(context.Context, string) (*Owner, access.Scopes, error) { return &Owner{ID: 1}, nil, nil }
	api, err := resource.New(
		resource.Config{Authentication: []access.Scheme{access.Bearer("token", authenticate)}},
		resource.Of[Project]{Store: memory.New(Project{ID: 1}, Project{ID: 2}), Access: access.Only(access.Authenticated)},
		resource.Of[Membership]{Store: memory.New(Membership{ID: 1, Project: 2, User: 1}), Access: access.Only(access.Authenticated)},
		resource.Of[Task]{Store: memory.New(Task{ID: 1, Project: 1, Title: "dig"}, Task{ID: 2, Project: 2, Title: "sail"}), Access: rules},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/api/tasks", http.NoBody)
	r.Header.Set("Authorization", "Bearer ann")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Body)
	// Output:
	// Tasks are read by a member of the project
	// [{"id":2,"project":"/api/projects/2","title":"sail"}]
}
