// Command hoard is a whole product on Trove: users who sign in, treasures that they own, publish and review,
// notifications, tokens and quests. Run it with -demo, and open the page whose address it prints.
package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/trove-api/trove/openapi/command"
	"github.com/trove-api/trove/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		log.Fatal("hoard: ", err)
	}
}

// run does what the flags say: it serves until ctx ends, and then lets the requests in hand finish.
func run(ctx context.Context, args []string, out, logs io.Writer) (err error) {
	flags := flag.NewFlagSet("hoard", flag.ExitOnError)
	name := flags.String("db", "hoard.db", "SQLite file, :memory:, or postgres:// URL to keep records in")
	demo := flags.Bool("demo", false, "fill an empty database: the tokens of its users are demo-ann, demo-bob and demo-root")
	admin := flags.String("admin", "", "make the first user, an admin with this email, and print the password")
	common := command.Define(flags) // -addr, -origins, -rate, -log, -openapi, -routes
	_ = flags.Parse(args)           // it exits by itself
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; -h lists what there is", flags.Arg(0))
	}
	if common.Prints() {
		*name = ":memory:" // what it prints does not depend on what is kept
	}
	h, err := open(ctx, *name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.db.Close()) }()
	h.rate, h.origins, h.observers = common.Rate, common.Origins, common.Observers(logs)
	api, err := h.newAPI()
	if err == nil && !common.Prints() {
		err = h.begin(ctx, *demo, *admin, out)
	}
	if err != nil {
		return err
	}
	return common.Run(ctx, out, api, documentation)
}

//go:embed demo.json
var demoData []byte

// begin makes what the flags ask for where nobody has an account yet: the demo, whose passwords are the same as its
// tokens, or an admin, whose password nobody can read again.
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
		return fmt.Errorf("%q is no email", admin)
	}
	secret := rand.Text()
	hash, err := h.passwords.Hash(ctx, secret)
	if err == nil {
		err = store.Insert(ctx, h.users, &User{Email: admin, Username: name, Password: hash, Roles: []string{"admin"}})
	}
	switch {
	case err == nil:
		fmt.Fprintf(out, "Password of %s: %s\n", admin, secret)
	case errors.Is(err, store.ErrConflict): // another instance was faster
		return nil
	}
	return err
}
