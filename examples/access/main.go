// Command access serves users, treasures and notes of teams, with access rules.
package main

import (
	"crypto/ed25519"
	"flag"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// service holds the stores of the API, the keys of tokens and the passwords of users.
type service struct {
	keys      keyring
	accounts  *password.Accounts[User]
	users     store.Store[User]
	treasures store.Store[Treasure]
	notes     store.Store[Note]
}

// noPassword is a hash that no password has.
const noPassword = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// newService returns a service with two users and an admin. They have no passwords and sign in with tokens.
func newService() *service {
	users := memory.New(
		User{ID: 1, Username: "ann", Email: "ann@example.com", Password: noPassword, Team: "red"},
		User{ID: 2, Username: "bob", Email: "bob@example.com", Password: noPassword, Team: "blue"},
		User{ID: 3, Username: "root", Email: "root@example.com", Password: noPassword, Team: "red", Admin: true})
	return &service{
		accounts: &password.Accounts[User]{Store: users, Name: "username", Password: func(u *User) *string { return &u.Password }},
		users:    users,
		treasures: memory.New(
			Treasure{ID: 1, Name: "Goblet", IsPublished: true, Owner: 1, Value: 100},
			Treasure{ID: 2, Name: "Map", Owner: 1, Value: 7}),
		notes: memory.New(Note{ID: 1, Text: "The map is a copy.", Team: "red"}),
	}
}

func main() {
	address := flag.String("addr", "127.0.0.1:8000", "network address to serve at")
	flag.Parse()
	s := newService()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		log.Fatal(err)
	}
	s.keys.Replace(map[string]ed25519.PublicKey{"first": public})
	token, err := signed(private, "first", 1, "treasure:write", time.Hour)
	if err != nil {
		log.Fatal(err)
	}
	api, err := newAPI(s)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Ann's token, for an hour:\n%s\n\nhttp://%s/api/docs\n", token, *address)
	server := &http.Server{Addr: *address, Handler: api, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
