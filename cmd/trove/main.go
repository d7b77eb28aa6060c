// Command trove starts projects that use Trove, and prints what their APIs look like.
//
//	go run github.com/trove-api/trove/cmd/trove@latest new shop   # writes a program into the folder shop
//	go run github.com/trove-api/trove/cmd/trove openapi           # prints the OpenAPI document of the program in this folder
//	go run github.com/trove-api/trove/cmd/trove routes ./cmd/shop # prints the routes of another one
//
// "trove help" lists the commands. The exit status is 0 on success, 1 if a command fails, and 2 if its arguments are
// wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/trove-api/trove/internal/naming"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	build, _ := debug.ReadBuildInfo()
	status := (&trove{out: os.Stdout, errors: os.Stderr, build: build}).run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

// The exit statuses.
const (
	succeeded = iota
	failed
	misused
)

// trove runs one command.
type trove struct {
	folder      string // where it runs; "" for the current folder
	out, errors io.Writer
	build       *debug.BuildInfo // of this program; nil if it is unknown
}

// command is one of the commands.
type command struct {
	name, arguments, purpose string
	help                     string
	run                      func(ctx context.Context, flags *flag.FlagSet, args []string) error
}

const pathHelp = `The program is that of the package at the path, or of the current folder. It must use the package
github.com/trove-api/trove/cli. All arguments after the path are passed to the program.`

func (t *trove) commands() []command {
	return []command{
		{"new", "[-replace folder] name", "write a new program", newHelp, t.newProject},
		{"openapi", "[path [arguments]]", "print the OpenAPI document of a program", pathHelp, t.print("openapi")},
		{"routes", "[path [arguments]]", "print the routes of a program", pathHelp, t.print("routes")},
		{"migrate", "[-dir folder] [-tool name] [path [arguments]]", "write migrations of a program's database", migrateHelp, t.migrate},
	}
}

// usageError is an error in the arguments.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// run runs the command that the arguments name, and returns the exit status.
func (t *trove) run(ctx context.Context, args []string) int {
	err := t.dispatch(ctx, args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return succeeded
	}
	_, _ = fmt.Fprintf(t.errors, "trove: %v\n", err)
	if errors.As(err, new(usageError)) {
		return misused
	}
	return failed
}

func (t *trove) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageError{`no command; "trove help" lists them`}
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(args) == 0 {
			return t.help()
		}
		name, args = args[0], []string{"-h"}
	}
	names := []string{"help"}
	for _, c := range t.commands() {
		if c.name == name {
			return t.start(ctx, c, args)
		}
		names = append(names, c.name)
	}
	return usageError{fmt.Sprintf("unknown command %q%s", name, naming.Allowed(name, names))}
}

// start runs a command, which defines and parses its own flags.
func (t *trove) start(ctx context.Context, c command, args []string) error {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	err := c.run(ctx, flags, args)
	if !errors.Is(err, flag.ErrHelp) {
		return err
	}
	_, err = fmt.Fprintf(t.out, "Usage: trove %s %s\n\n%s\n", c.name, c.arguments, c.help)
	return err
}

// parse parses the flags of a command.
func parse(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, unknown := strings.CutPrefix(text, "flag provided but not defined: "); unknown {
		text = "unknown flag " + name
		var known []string
		flags.VisitAll(func(f *flag.Flag) { known = append(known, "-"+f.Name) })
		text += naming.DidYouMean(name, known)
	}
	return usageError{flags.Name() + ": " + text}
}

// parseAll parses the flags of a command before, between and after its other arguments, which it returns.
func parseAll(flags *flag.FlagSet, args []string) (others []string, err error) {
	for {
		if err := parse(flags, args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return others, nil
		}
		others, args = append(others, args[0]), args[1:]
	}
}

// help prints the list of commands.
func (t *trove) help() error {
	var b strings.Builder
	b.WriteString("Trove turns Go structs into REST APIs. Usage: trove command [arguments]\n\n")
	for _, c := range t.commands() {
		fmt.Fprintf(&b, "  %-30s  %s\n", c.name+" "+c.arguments, c.purpose)
	}
	b.WriteString("\n\"trove help command\" explains a command.\n")
	_, err := io.WriteString(t.out, b.String())
	return err
}
