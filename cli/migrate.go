package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trove-api/trove/internal/migration"
	"github.com/trove-api/trove/resource"
)

// plan has the flags about the database of a program, which only [Main] has.
type plan struct {
	prints bool
	folder string
	tool   string
}

// define adds the flags.
func (p *plan) define(flags *flag.FlagSet) {
	flags.BoolVar(&p.prints, "plan", false, "print what to change in the database and exit")
	flags.StringVar(&p.folder, "migrations", "", "write migrations of the database into a folder, print the plan and exit")
	flags.StringVar(&p.tool, "migration-tool", "goose", "tool of the migrations: goose or atlas")
}

// isSet reports whether the program only plans.
func (p *plan) isSet() bool { return p.prints || p.folder != "" }

// run makes the API as far as the first change of its database, and prints or writes the plan of that.
func (p *plan) run(ctx context.Context, out io.Writer, newAPI func(ctx context.Context) (*resource.API, error)) error {
	request := new(migration.Request)
	_, err := newAPI(request.With(ctx))
	switch {
	case err != nil && !errors.Is(err, migration.ErrPlanned):
		return err
	case request.Plan == nil:
		return errors.New("there is no plan: the program calls neither Create nor Migrate of a database with its context")
	}
	if _, err := io.WriteString(out, request.Plan.String()); err != nil || p.folder == "" {
		return err
	}
	files, err := request.Plan.Files(p.tool, time.Now())
	if err == nil && len(files) > 0 {
		err = os.MkdirAll(p.folder, 0o750)
	}
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(p.folder, name)
		if err := write(path, files[name]); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, "wrote "+path); err != nil {
			return err
		}
	}
	if p.tool == "atlas" && len(files) > 0 {
		_, err = fmt.Fprintln(out, "Now run: atlas migrate hash --dir file://"+p.folder)
	}
	return err
}

// write writes a new file.
func write(path, text string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // migrations are no secret
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.WriteString(text)
	return err
}
