package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

func TestEachRequestSucceeds(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	api, err := newAPI(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := exchange(t.Context(), api, name); err != nil {
			t.Error(err)
		}
	}
}

func TestAWayIsWhatRanOfTheLibrary(t *testing.T) {
	t.Parallel()
	w := read([]byte(`mode: atomic
github.com/trove-api/trove/store/page.go:3.2,5.9 4 7
github.com/trove-api/trove/store/page.go:6.2,7.9 2 0
github.com/trove-api/trove/store/query.go:6.2,7.9 2 0
github.com/trove-api/trove/bench/walk/request.go:6.2,7.9 3 1
github.com/trove-api/trove/operation/kind.go:6.2,7.9 1 1
`), []byte(`github.com/trove-api/trove/store/page.go:12:	Page.next	50.0%
github.com/trove-api/trove/store/page.go:3:	first	100.0%
github.com/trove-api/trove/store/query.go:6:	Query.And	0.0%
github.com/trove-api/trove/operation/kind.go:6:	Kind.String	100.0%
github.com/trove-api/trove/bench/walk/request.go:6:	send	100.0%
total		(statements)	61.5%
`))
	if len(w.files) != 2 || len(w.packages) != 2 {
		t.Errorf("%d files and %d packages, want 2 and 2", len(w.files), len(w.packages))
	}
	var listed strings.Builder
	if err := w.list(&listed); err != nil {
		t.Fatal(err)
	}
	want := []string{"operation/kind.go", "\t6 Kind.String", "store/page.go", "\t3 first", "\t12 Page.next"}
	if got := strings.Split(strings.TrimSpace(listed.String()), "\n"); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}
