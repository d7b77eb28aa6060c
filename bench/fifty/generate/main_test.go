package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFilesAreUpToDate(t *testing.T) {
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	names := []string{"types.go", "trove/items.go", "chi/items.go", "huma/items.go"}
	for _, name := range names[1:] {
		if err := os.Mkdir(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	main()
	for _, name := range names {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(module, name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is out of date: run go generate ./fifty", name)
		}
	}
}
