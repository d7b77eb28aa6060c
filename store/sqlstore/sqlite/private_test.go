//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestNewFilesArePrivate(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]func(string) string{
		"a path":        func(file string) string { return file },
		"a URI":         func(file string) string { return "file:" + file },
		"an empty host": func(file string) string { return "file://" + file + "?_pragma=busy_timeout(3000)" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "a new.db")
			openAt(t, path(file))
			for _, each := range []string{file, file + "-wal", file + "-shm"} {
				if mode := modeOf(t, each); mode != 0o600 {
					t.Errorf("%s has the mode %o", filepath.Base(each), mode)
				}
			}
		})
	}
}

func TestTheNewFileBehindALinkIsPrivate(t *testing.T) {
	t.Parallel()
	for name, targets := range map[string][]string{ // of the links, the last one names the new file
		"an absolute link":         {"/target.db"},
		"a relative link":          {"target.db"},
		"a link in another folder": {"other/second.db", "../target.db"},
		"a link to a link":         {"second.db", "third.db", "target.db"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := os.Mkdir(filepath.Join(folder, "other"), 0o700); err != nil {
				t.Fatal(err)
			}
			first := filepath.Join(folder, "link.db")
			at := first
			for _, target := range targets {
				next := filepath.Join(filepath.Dir(at), target)
				if filepath.IsAbs(target) {
					target, next = folder+target, folder+target
				}
				if err := os.Symlink(target, at); err != nil {
					t.Fatal(err)
				}
				at = next
			}
			openAt(t, first)
			for _, each := range []string{at, at + "-wal", at + "-shm"} {
				if mode := modeOf(t, each); mode != 0o600 {
					t.Errorf("%s has the mode %o", filepath.Base(each), mode)
				}
			}
		})
	}
}

func TestALinkToItselfIsAnError(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(link, link); err != nil {
		t.Fatal(err)
	}
	if db, err := sqlite.Open(link); err == nil {
		t.Error("it opens", db.Close())
	}
}

func TestAFileThatExistsKeepsItsMode(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shared.db")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil { // the umask would change it
		t.Fatal(err)
	}
	openAt(t, file)
	if mode := modeOf(t, file); mode != 0o640 {
		t.Errorf("the mode is %o", mode)
	}
}

// openAt opens a database and writes to it.
func openAt(t *testing.T, path string) {
	t.Helper()
	db, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec(t.Context(), "CREATE TABLE a (b)"); err != nil {
		t.Fatal(err)
	}
}

func modeOf(t *testing.T, file string) os.FileMode {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
