package openapitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/trove-api/trove/resource"
)

// Golden compares the API's document with the one that the file has, and fails the test
// where a change breaks clients: an operation that is gone, a member or parameter that
// requests must have now, values that are no longer taken, members that answers lack or
// values that they did not have, credentials that are newly required, security schemes, header fields
// and forms of errors that have changed. Each such change is a line of the failure.
//
// What the documents say counts, not where: a schema, parameter, header field or response may
// move into a component, and a refusal that is told by default now is listed as one that
// breaks nobody.
//
// Any other change fails too, but says so: run the test with -update to write the file
// anew, which breaking changes need as well. That is the flag -update of the test's own
// package: var _ = flag.Bool("update", false, "write golden files"). A file that is missing
// is written, with its folder.
func Golden(t testing.TB, api *resource.API, file string) {
	t.Helper()
	var now bytes.Buffer
	if err := json.Indent(&now, textOf(t, api), "", "  "); err != nil {
		t.Fatalf("openapitest: %v", err)
	}
	now.WriteByte('\n')
	before, err := os.ReadFile(file) //nolint:gosec // the test names it
	switch {
	case updates(), errors.Is(err, fs.ErrNotExist):
		if err := keep(file, now.Bytes()); err != nil {
			t.Fatalf("openapitest: %v", err)
		}
		return
	case err != nil:
		t.Fatalf("openapitest: %v", err)
	case bytes.Equal(before, now.Bytes()):
		return
	}
	breaking, merged, err := compare(before, now.Bytes())
	if err != nil {
		t.Fatalf("openapitest: %s: %v", file, err)
	}
	for _, change := range breaking {
		t.Errorf("breaks clients: %s", change)
	}
	for _, change := range merged {
		t.Errorf("breaks nobody: %s", change)
	}
	t.Errorf("the document is not that of %s any more, in %d ways that break clients; run the test with -update to write it anew", file, len(breaking))
}

// keep writes a golden file, and creates its folder.
func keep(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// updates reports whether the test's flag -update is set.
func updates() bool {
	set := flag.Lookup("update")
	return set != nil && set.Value.String() == "true"
}
