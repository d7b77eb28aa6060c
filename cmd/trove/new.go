package main

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/trove-api/trove/internal/naming"
)

const newHelp = `Writes a program whose users register, sign in and own their notes: go.mod, main.go, main_test.go,
README.md and .gitignore in a new folder.
The name is a word or a module path, such as shop or example.com/shop. The folder is named after its last word.

  -replace folder   use the source of Trove in a folder instead of a released version`

const (
	troveModule = "github.com/trove-api/trove"
	goVersion   = "1.26.0" // the oldest that Trove supports
)

// starter is the program that a new project starts with. It is compiled and tested like any other package.
//
//go:embed starter/main.go starter/main_test.go starter/README.md
var starter embed.FS

// newProject is the command new.
func (t *trove) newProject(ctx context.Context, flags *flag.FlagSet, args []string) error {
	replace := flags.String("replace", "", "")
	names, err := parseAll(flags, args)
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return usageError{fmt.Sprintf("new: it needs one name, not %d; for example: trove new shop", len(names))}
	}
	module := names[0]
	if err := checkModule(module); err != nil {
		return usageError{"new: " + err.Error()}
	}
	if isStandard(ctx, module) {
		return usageError{fmt.Sprintf("new: %s is a package of the standard library; use another name, such as example.com/%s", module, module)}
	}
	mod, err := t.goMod(module, *replace)
	if err != nil {
		return fmt.Errorf("new: %w", err)
	}
	folder := path.Base(module)
	files, err := starterFiles(folder)
	if err != nil {
		return fmt.Errorf("new: %w", err)
	}
	files["go.mod"] = mod
	if err := writeFolder(t.folder, folder, files); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	_, err = io.WriteString(t.out, strings.ReplaceAll(created, "{folder}", folder))
	return err
}

const created = `The folder {folder} has a new program: go.mod, main.go, main_test.go, README.md and .gitignore. Start it:

  cd {folder}
  go mod tidy
  go run .

Open http://localhost:8000/admin and create an account. The documentation is at http://localhost:8000/api/docs. To begin with an
example, add -demo. To run the tests: go test
`

// goMod returns the text of go.mod. It requires the version of this program, or the source in a folder.
func (t *trove) goMod(module, replace string) (string, error) {
	version := versionIn(t.build)
	if replace != "" {
		version = "v0.0.0"
	}
	if version == "" {
		return "", errors.New("this build of trove has no version that go.mod could require; " +
			"run go run " + troveModule + "/cmd/trove@latest new, or add -replace and the folder of its source")
	}
	text := fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s %s\n", module, goVersion, troveModule, version)
	if replace == "" {
		return text, nil
	}
	source, err := filepath.Abs(replace)
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile(filepath.Join(source, "go.mod")) //nolint:gosec // the user's folder
	if err != nil || !strings.HasPrefix(string(own), "module "+troveModule+"\n") {
		return "", fmt.Errorf("-replace: %s is not the folder of the module %s", replace, troveModule)
	}
	if strings.ContainsAny(source, " \t\"'`()") {
		source = fmt.Sprintf("%q", filepath.ToSlash(source))
	}
	return text + fmt.Sprintf("\nreplace %s => %s\n", troveModule, source), nil
}

// versionIn returns the released version of Trove in a build, "" if it was built from a folder.
func versionIn(build *debug.BuildInfo) string {
	if build == nil {
		return ""
	}
	for _, m := range append([]*debug.Module{&build.Main}, build.Deps...) {
		if m.Path != troveModule || m.Replace != nil || m.Version == "(devel)" || strings.HasSuffix(m.Version, "+dirty") {
			continue
		}
		return m.Version
	}
	return ""
}

// starterFiles returns the files of the starter, renamed.
func starterFiles(name string) (map[string]string, error) {
	title := naming.Capital(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	rename := strings.NewReplacer("Command starter", "Command "+name, `"starter.db"`, `"`+name+`.db"`,
		`"starter_session"`, `"`+name+`_session"`, `"Starter"`, `"`+title+`"`, "# Starter", "# "+title, "<!-- skip: starter -->\n", "")
	// The binary, the database and the files that SQLite adds, and the cookies of curl.
	files := map[string]string{".gitignore": "/" + name + "\n/" + name + ".db*\n/cookies\n"}
	for _, file := range []string{"main.go", "main_test.go", "README.md"} {
		text, err := starter.ReadFile("starter/" + file)
		if err != nil {
			return nil, err
		}
		files[file] = rename.Replace(string(text))
	}
	return files, nil
}

// writeFolder writes files into a new folder in another one. The new folder may exist if it is empty. It writes all of
// the files, or none.
func writeFolder(parent, name string, files map[string]string) (err error) {
	folder := filepath.Join(parent, name)
	if entries, err := os.ReadDir(folder); len(entries) > 0 {
		return fmt.Errorf("the folder %s is not empty; choose another name", name)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot write to %s: %w", name, err)
	}
	temporary := filepath.Join(parent, "."+name+"-"+strings.ToLower(rand.Text()))
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temporary))
		}
	}()
	if err := os.Mkdir(temporary, 0o777); err != nil { //nolint:gosec // the umask decides, as for any other folder
		return err
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(temporary, file), []byte(text), 0o666); err != nil { //nolint:gosec // as above
			return err
		}
	}
	if err := os.Remove(folder); err != nil && !errors.Is(err, os.ErrNotExist) { // fails if it is not empty
		return err
	}
	return os.Rename(temporary, folder)
}
