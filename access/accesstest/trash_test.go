package accesstest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// scrap has a trash.
type scrap struct {
	ID        int64      `json:"id"`
	Owner     int64      `json:"owner"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

func TestARecordInTheTrashHasRows(t *testing.T) {
	t.Parallel()
	scraps := memory.New(scrap{Owner: 1}, scrap{Owner: 1})
	err := scraps.Transact(t.Context(), func(ctx context.Context, tx store.Tx[scrap]) error { return tx.Delete(ctx, int64(2)) })
	if err != nil {
		t.Fatal(err)
	}
	h := newHoard()
	own := access.Equal("owner", func(u *user) int64 { return u.ID })
	declared := resource.Of[scrap]{
		Store: scraps, Access: access.Rules{Read: own, Create: own, Update: own, Delete: own, Deleted: own},
		Operations: append(operation.Standard(), operation.Post{Name: "restore", URITemplate: "/scraps/{id}/restore", Handler: operation.Restore()}),
	}
	api, err := resource.New(h.config, h.users, declared)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.golden")
	accesstest.Matrix(t, api, file, everyone[:3], accesstest.Records{"User": records["User"], "Scrap": {"kept": "1", "gone": "2"}})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"getScrap kept 401 200 404", "getScrap gone 401 404 404", "patchScrap gone 401 404 404",
		"restoreScrap kept 401 200 404", "restoreScrap gone 401 200 404",
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
}
