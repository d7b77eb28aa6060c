package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFiguresAreOfTheLibraryAlone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"internal/compiled/operation.go": "package compiled\n\nimport _ \"github.com/trove-api/trove/internal/model\"\n\n" +
			"type Operation struct {\n\tFacts\n\tA, B int\n}\n\ntype Facts struct{ C bool }\n\ntype Other struct{ D bool }\n\n" +
			"func (o *Operation) Is() bool { return true }\n\nfunc (f Facts) Has() bool { return f.C }\n\n" +
			"func (o *Operation) Find() (int, bool) { return 0, true }\n\nfunc (o Other) Is() bool { return o.D }\n",
		"internal/model/kind.go": "package model\n\ntype Kind int\n\nconst (\n\tBool Kind = iota\n\tText\n)\n\nconst Created = 1\n",
		"store/store.go": "package store\n\nimport \"github.com/trove-api/trove/internal/compiled\"\n\n" +
			"var op, Op = compiled.Operation{}, 1\n\nfunc of(k int) {\n\tswitch k {\n\tcase model.Bool, model.Text:\n\tcase model.Created:\n\t}\n}\n",
		"store/store_test.go":     "package store\n\nfunc Tested() {}\n",
		"examples/shop/main.go":   "package main\n\nfunc Main() {}\n",
		"store/testdata/main.go":  "package main\n\nfunc Main() {}\n",
		"internal/spec/client.go": "package spec\n\nfunc Client() {}\n",
		"bench/go.mod":            "module bench\n",
		"bench/main.go":           "package main\n\nfunc Main() {}\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	declared, fields, predicates := h.operation()
	cases, files := h.cases()
	all, public := h.exported()
	want := []int{42, 3, 3, 3, 2, 1, 1, 8, 1}
	if got := []int{h.lines, len(h.files), declared, fields, predicates, cases, files, all, public}; !slices.Equal(got, want) {
		t.Errorf("lines, files, declared fields, fields, predicates, cases, files of them, names and public ones are %v, want %v", got, want)
	}
	if got, want := h.chain(), []string{"store", "internal/compiled", "internal/model"}; !slices.Equal(got, want) {
		t.Errorf("the longest chain is %v, want %v", got, want)
	}
}
