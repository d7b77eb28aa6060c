// Command auth serves the projects of several tenants to users who sign in with a password. It is the code of the
// how-to pages about sessions, tenants, teams and tests of permissions.
package main

import (
	"context"
	"flag"
	"log"
	"net"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// app holds the stores of the program.
type app struct {
	accounts *password.Accounts[User]
	sessions store.Store[Session]
	projects store.Store[Project]
	tasks    store.Store[Task]

	teams       store.Store[Team]
	memberships store.Store[Membership]
	reports     store.Store[Report]
}

// newApp returns an app with two tenants, red and blue, and three users. Their password is "correct horse battery".
func newApp(ctx context.Context, hasher *password.Hasher) (*app, error) {
	hash, err := hasher.Hash(ctx, "correct horse battery")
	users := memory.New(
		User{ID: 1, Email: "ann@example.com", Password: hash, Tenant: "red", Admin: true},
		User{ID: 2, Email: "bob@example.com", Password: hash, Tenant: "blue"},
		User{ID: 3, Email: "cem@example.com", Password: hash, Tenant: "red"})
	return &app{
		accounts: &password.Accounts[User]{Store: users, Name: "email", Password: func(u *User) *string { return &u.Password }, Hasher: hasher},
		sessions: memory.New[Session](),
		projects: memory.New(Project{ID: 1, Name: "Harbour", Tenant: "red"}, Project{ID: 2, Name: "Bridge", Tenant: "blue"}),
		tasks:    memory.New(Task{ID: 1, Title: "Dig", Project: 1, Tenant: "red"}),

		teams:       memory.New(Team{ID: 1, Name: "Divers"}, Team{ID: 2, Name: "Cooks"}),
		memberships: memory.New(Membership{Team: 1, User: 3, Role: "lead"}, Membership{Team: 2, User: 3, Role: "helper"}, Membership{Team: 2, User: 2, Role: "lead"}),
		reports:     memory.New(Report{ID: 1, Team: 1, Title: "A wreck", Costs: 7}, Report{ID: 2, Team: 2, Title: "A stew", Costs: 2}),
	}, err
}

func (a *app) newAPI() (*resource.API, error) {
	api, err := resource.New(resource.Config{
		Authentication: []access.Scheme{access.Cookie("session", cookieName, a.bySession)},
	}, a.ofUser(), a.ofSession(), a.ofProject(), a.ofTask(), a.ofTeam(), a.ofMembership(), a.ofReport())
	if err != nil {
		return nil, err
	}
	return api, openapi.Mount(api, openapi.Config{Title: "Projects", Version: "1.0.0"})
}

func main() {
	address := flag.String("addr", "localhost:8000", "where to serve")
	flag.Parse()
	ctx := context.Background()
	a, err := newApp(ctx, new(password.Hasher))
	if err != nil {
		log.Fatal(err)
	}
	api, err := a.newAPI()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("http://%s/api/docs", listener.Addr())
	log.Fatal(resource.Serve(ctx, listener, api))
}
