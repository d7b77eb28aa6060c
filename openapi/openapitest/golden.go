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

// Golden compares the API's OpenAPI document with the one in the file, and fails the test if they differ. The failure
// lists each change that breaks clients:
//
//   - an operation, parameter, response, header or field that was removed, or a header or response field that may now
//     be missing,
//   - a parameter, body, request field or credential that is now required,
//   - fewer accepted request values, and new response values,
//   - a changed operationId, parameter style, security scheme or form of an error.
//
// Golden compares what the documents describe: a schema, parameter, header or response may move into a component, and
// default may cover an error response.
//
// If the changes are intended, run the test with -update to write the file. Declare that flag in your test package:
//
//	var _ = flag.Bool("update", false, "write golden files")
//
// If the file does not exist, Golden creates it with its folder, and the test passes.
func Golden(t testing.TB, api *resource.API, file string) {
	t.Helper()
	var now bytes.Buffer
	if err := json.Indent(&now, textOf(t, api), "", "  "); err != nil {
		t.Fatalf("openapitest: cannot indent the OpenAPI document: %v", err)
	}
	now.WriteByte('\n')
	updates := flag.Lookup("update")
	before, err := os.ReadFile(file) //nolint:gosec // the test names it
	switch {
	case updates != nil && updates.Value.String() == "true", errors.Is(err, fs.ErrNotExist):
		err := os.MkdirAll(filepath.Dir(file), 0o750)
		if err == nil {
			err = os.WriteFile(file, now.Bytes(), 0o600)
		}
		if err != nil {
			t.Fatalf("openapitest: cannot write the golden file: %v", err)
		}
		return
	case err != nil:
		t.Fatalf("openapitest: cannot read the golden file: %v", err)
	case bytes.Equal(before, now.Bytes()):
		return
	}
	breaking, err := compare(before, now.Bytes())
	if err != nil {
		t.Fatalf("openapitest: %s is not an OpenAPI document: %v. Run the test with -update to write it", file, err)
	}
	for _, change := range breaking {
		t.Errorf("breaks clients: %s", change)
	}
	t.Errorf("openapitest: the OpenAPI document differs from %s, and %d of the changes break clients. "+
		"Undo the changes, or run the test with -update to write the file", file, len(breaking))
}
