package main

import (
	"context"
	"flag"
)

const migrateHelp = `It compares the database of the program with its structs, prints what to change, and writes a
migration for each part of that. It changes nothing else. The program must use cli.Main of the package
github.com/trove-api/trove/cli, and call Create or Migrate of its database. All arguments after the path are passed to
the program, such as the one that names the database.

  -dir folder  the folder of the migrations; default: migrations
  -tool name   goose or atlas; default: goose`

// migrate writes the migrations of a program.
func (t *trove) migrate(ctx context.Context, flags *flag.FlagSet, args []string) error {
	folder := flags.String("dir", "migrations", "")
	tool := flags.String("tool", "goose", "")
	if err := parse(flags, args); err != nil {
		return err
	}
	return t.ask(ctx, "migrate", flags.Args(), "-migrations", *folder, "-migration-tool", *tool)
}
