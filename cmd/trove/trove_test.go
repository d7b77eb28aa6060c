package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

const root = "../.."

// result is what a command prints, and its exit status.
type result struct {
	out, errors string
	status      int
}

// run runs a command in a folder. The words of the arguments are separated by spaces.
func run(t *testing.T, folder, arguments string) result {
	t.Helper()
	var out, errors bytes.Buffer
	status := (&trove{folder: folder, out: &out, errors: &errors}).run(t.Context(), strings.Fields(arguments))
	return result{out.String(), errors.String(), status}
}

// source is the argument that makes new use the source of Trove.
func source(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	return "-replace " + folder
}

func TestHelpListsAndExplainsTheCommands(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"help": "routes [path", "-h": "openapi [path", "--help": "new [-replace",
		"help new": "Usage: trove new [-replace folder] name\n", "new -h": "go.mod, main.go", "new --help": "-replace",
		"openapi -h": "Usage: trove openapi", "help migrate": "goose or atlas", "help routes": "cli",
	} {
		if got := run(t, "", arguments); got.status != succeeded || !strings.Contains(got.out, want) || got.errors != "" {
			t.Errorf("%s: %+v, want %s", arguments, got, want)
		}
	}
}

func TestWrongArgumentsGetOneLineAndStatusTwo(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"":                          `no command; "trove help" lists them`,
		"opnapi":                    `unknown command "opnapi"; did you mean "openapi"?`,
		"x":                         `unknown command "x"; allowed: help, new, openapi, routes, migrate`,
		"help x":                    `unknown command "x"; allowed: help, new, openapi, routes, migrate`,
		"new":                       "new: it needs one name, not 0; for example: trove new shop",
		"new a b":                   "new: it needs one name, not 2; for example: trove new shop",
		"new -force shop":           "new: unknown flag -force",
		"new shop -force":           "new: unknown flag -force",
		"new shop --replce=x":       `new: unknown flag -replce; did you mean "-replace"?`,
		"new -replace":              "new: flag needs an argument: -replace",
		"new shop --replace":        "new: flag needs an argument: -replace",
		"new a -replace x b":        "new: it needs one name, not 2; for example: trove new shop",
		"new Shop":                  `new: "Shop" has capital letters; use "shop"`,
		"new Example.com/shop":      `new: "Example.com" has capital letters; use "example.com"`,
		"new func":                  `new: "func" is a keyword of Go; use another name`,
		"new cmd":                   `new: "cmd" has a special meaning for Go or the system; use another name`,
		"new time":                  "new: time is a package of the standard library; use another name, such as example.com/time",
		"new example.com/shop/v2":   `new: "example.com/shop/v2" ends in a major version; leave it out`,
		"new ../shop":               `new: "../shop" is a path of folders; use a word or a module path, such as shop or example.com/shop`,
		"new /tmp/shop":             `new: "/tmp/shop" is a path of folders; use a word or a module path, such as shop or example.com/shop`,
		"new example.com//shop":     `new: "example.com//shop" is a path of folders; use a word or a module path, such as shop or example.com/shop`,
		"new shöp":                  `new: "shöp" is not a name; allowed: lower-case letters, digits, '-', '_' and '.', with a letter first`,
		"new 7up":                   `new: "7up" is not a name; allowed: lower-case letters, digits, '-', '_' and '.', with a letter first`,
		`new shop"`:                 `new: "shop\"" is not a name; allowed: lower-case letters, digits, '-', '_' and '.', with a letter first`,
		"new example.com/a@b/shop":  `new: "a@b" cannot be part of a module path; allowed: letters, digits, '-', '_', '~' and '.'`,
		"openapi -x":                "openapi: unknown flag -x",
		"routes ./...":              "routes: ./... can be several packages; name one, such as ./cmd/shop",
		"new -- -replace":           `new: "-replace" looks like a flag; begin the name with a letter`,
		"new example.com/.git/shop": `new: ".git" cannot be part of a module path; allowed: letters, digits, '-', '_', '~' and '.'`,
	} {
		folder := t.TempDir()
		if got := run(t, folder, arguments); got != (result{"", "trove: " + want + "\n", misused}) {
			t.Errorf("%s: %+v, want %s", arguments, got, want)
		}
		if left := names(t, folder); len(left) > 0 {
			t.Errorf("%s leaves %q", arguments, left)
		}
	}
}

// names returns the names of the files in a folder.
func names(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range entries {
		names = append(names, each.Name())
	}
	return names
}

func TestNewOverwritesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "shop", "notes.txt"), "mine")
	write(t, filepath.Join(folder, "file"), "mine")
	for name, want := range map[string]string{"shop": "trove: new: the folder shop is not empty; choose another name\n", "file": "trove: new: cannot write to file: "} {
		if got := run(t, folder, "new "+source(t)+" "+name); got.status != failed || !strings.HasPrefix(got.errors, want) || got.out != "" {
			t.Errorf("%s: %+v, want %s", name, got, want)
		}
	}
	if left := names(t, folder); len(left) != 2 || len(names(t, filepath.Join(folder, "shop"))) != 1 {
		t.Errorf("the folder has %q", left)
	}
}

func TestNewLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	files := map[string]string{"go.mod": "module shop\n", filepath.Join("missing", "main.go"): "package main\n"}
	if err := writeFolder(folder, "shop", files); err == nil {
		t.Error("a file in a folder that does not exist is written")
	}
	if left := names(t, folder); len(left) > 0 {
		t.Errorf("the folder has %q", left)
	}
}

func TestNewWritesIntoAnEmptyFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "my-shop"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := run(t, folder, "new "+source(t)+" example.com/Ann/my-shop"); got.status != succeeded || !strings.Contains(got.out, "\n  cd my-shop\n") {
		t.Fatalf("%+v", got)
	}
	if got := names(t, filepath.Join(folder, "my-shop")); strings.Join(got, " ") != ".gitignore README.md go.mod main.go main_test.go" {
		t.Errorf("the folder has %q", got)
	}
	for file, wants := range map[string][]string{
		"go.mod":     {"module example.com/Ann/my-shop\n"},
		"README.md":  {"# My shop\n\n", "\n\n```sh\n"},
		".gitignore": {"/my-shop\n/my-shop.db*\n/cookies\n"},
		"main.go":    {"// Command my-shop ", `"my-shop.db"`, `"my-shop_session"`, `"My shop"`},
	} {
		text := read(t, filepath.Join(folder, "my-shop", file))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s:\n%s", file, want, text)
			}
		}
		if file != "go.mod" && strings.Contains(strings.ToLower(text), "starter") {
			t.Errorf("%s has the name of the template:\n%s", file, text)
		}
	}
}

func TestFlagsMayComeAfterTheName(t *testing.T) {
	t.Parallel()
	_, trove, _ := strings.Cut(source(t), " ")
	for _, arguments := range []string{
		"new shop -replace " + trove, "new shop -replace=" + trove, "new shop --replace=" + trove, "new --replace " + trove + " shop",
	} {
		folder := t.TempDir()
		if got := run(t, folder, arguments); got.status != succeeded {
			t.Errorf("%s: %+v", arguments, got)
		} else if mod := read(t, filepath.Join(folder, "shop", "go.mod")); !strings.Contains(mod, "=> "+trove) {
			t.Errorf("%s: go.mod is %s", arguments, mod)
		}
	}
}

func TestGoModRequiresTheVersionOfTheCommand(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		build *debug.BuildInfo
		want  string
	}{
		"a release":                 {&debug.BuildInfo{Main: debug.Module{Path: troveModule, Version: "v0.1.0"}}, "v0.1.0"},
		"a tool of another module":  {&debug.BuildInfo{Main: debug.Module{Path: "shop"}, Deps: []*debug.Module{{Path: troveModule, Version: "v0.2.0"}}}, "v0.2.0"},
		"a folder":                  {&debug.BuildInfo{Main: debug.Module{Path: troveModule, Version: "(devel)"}}, ""},
		"a changed folder":          {&debug.BuildInfo{Main: debug.Module{Path: troveModule, Version: "v0.1.1-0.20261126123456-abcdef123456+dirty"}}, ""},
		"a replaced module":         {&debug.BuildInfo{Deps: []*debug.Module{{Path: troveModule, Version: "v0.1.0", Replace: &debug.Module{Path: "../trove"}}}}, ""},
		"a build without that fact": {nil, ""},
	} {
		if got := versionIn(test.build); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	got, err := (&trove{build: &debug.BuildInfo{Main: debug.Module{Path: troveModule, Version: "v0.1.0"}}}).goMod("shop", "")
	if want := "module shop\n\ngo " + goVersion + "\n\nrequire github.com/trove-api/trove v0.1.0\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if !strings.Contains(read(t, root+"/go.mod"), "\ngo "+goVersion+"\n") {
		t.Errorf("go.mod of Trove has another version of Go than %s", goVersion)
	}
	if got := run(t, t.TempDir(), "new shop"); got.status != failed || !strings.Contains(got.errors, "add -replace") {
		t.Errorf("%+v", got)
	}
	if got := run(t, t.TempDir(), "new -replace "+t.TempDir()+" shop"); got.status != failed || !strings.Contains(got.errors, "is not the folder of the module") {
		t.Errorf("%+v", got)
	}
}

func TestAPackageThatCannotPrintGetsAReason(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"./store":             "is not a program but package store; add the path of a program, such as: trove routes ./cmd/shop",
		"./examples/bookshop": "does not use the package github.com/trove-api/trove/cli, which defines the flag -routes; call cli.Main in its main function",
		"./nowhere":           "cannot load the package at ./nowhere: ",
	} {
		if got := run(t, root, "routes "+path); got.status != failed || !strings.HasPrefix(got.errors, "trove: routes: ") || !strings.Contains(got.errors, want) || got.out != "" {
			t.Errorf("%s: %+v, want %s", path, got, want)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
