// Command hoard is a whole product on Trove: users who sign in, treasures that they own, publish and review,
// notifications, tokens and quests. Run it with -demo, and open the documentation at the URL that it prints.
package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/trove-api/trove/cli"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore/database"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hoard:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends, and then lets running requests finish. Flags may ask it to print something instead.
func run(ctx context.Context, args []string, out, logs io.Writer) (err error) {
	flags := flag.NewFlagSet("hoard", flag.ContinueOnError)
	flags.SetOutput(logs)
	name := flags.String("db", "hoard.db", "SQLite file, :memory:, or postgres:// URL to keep records in")
	demo := flags.Bool("demo", false, "fill an empty database with three users, their tokens and their treasures")
	admin := flags.String("admin", "", "in an empty database, create an admin with this email and print the password")
	common := cli.Define(flags) // -addr, -origins, -rate, -log, -openapi, -routes
	if err := common.Parse(out, args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if common.Prints() {
		*name = ":memory:" // the output does not depend on records
	}
	h, err := open(ctx, *name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.db.Close()) }()
	h.rate = common.Rate
	api, err := h.newAPI()
	if err == nil && !common.Prints() {
		err = h.begin(ctx, *demo, *admin, out)
	}
	if err != nil {
		return err
	}
	return common.Run(ctx, out, api, documentation, "Records:       "+database.Describe(*name), h.hint(ctx))
}

//go:embed demo.json
var demoData []byte

// begin creates the demo or the admin that flags request, unless there are users. The passwords of the demo equal its
// tokens; the password of the admin is printed once.
func (h *hoard) begin(ctx context.Context, demo bool, admin string, out io.Writer) error {
	if demo {
		return h.db.Fill(ctx, demoData, h.users, h.tokens, h.tags, h.treasures, h.reviews)
	}
	page, err := h.users.List(ctx, store.Query{Limit: 1})
	if err != nil || admin == "" || len(page.Items) > 0 {
		return err
	}
	name, _, isEmail := strings.Cut(admin, "@")
	if !isEmail {
		return fmt.Errorf("-admin %q is not an email address", admin)
	}
	secret := rand.Text()
	user := &User{Email: admin, Username: name, Password: secret, Roles: []string{"admin"}}
	if err = h.accounts.Hash(ctx, nil, user); err == nil {
		err = store.Insert(ctx, h.users, user)
	}
	switch {
	case err == nil:
		fmt.Fprintf(out, "Password of %s: %s\n", admin, secret)
	case errors.Is(err, store.ErrConflict): // another instance was faster
		return nil
	}
	return err
}

// hint returns a request for newcomers to try. The token works if the database has the demo.
func (h *hoard) hint(ctx context.Context) string {
	if _, err := store.Find(ctx, h.tokens, "token", digest("demo-ann")); err != nil {
		return "Try:           curl '{url}/dragon_treasures?sort=-value' (start with -demo and -db :memory: for some records)"
	}
	return "Users:         ann, bob and the admin root; their tokens and passwords are demo-ann, demo-bob and demo-root\n" +
		"Try:           curl -H 'Authorization: Bearer demo-ann' '{url}/users/1/treasures?sort=-value'"
}
