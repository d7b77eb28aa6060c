package sqlstore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

func TestCheckAndAdviseReadNoRows(t *testing.T) {
	t.Parallel()
	for database, made := range databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{"gains a search", "becomes unique with duplicates", "is a pointer no more, with nulls", "becomes a reference, and dangles", "gains a period"} {
				db := made(t)
				versions(t, db, changes[name])
				watched, r := recorded(db)
				sqlstore.Table[owner](watched)
				table, ok := changes[name].to(watched).(interface {
					Check(ctx context.Context) error
					Advise(ctx context.Context) ([]string, error)
				})
				if !ok {
					t.Fatal("the table has no checks")
				}
				_ = table.Check(t.Context())
				if _, err := table.Advise(t.Context()); err != nil {
					t.Error(err)
				}
				for _, statement := range r.statements {
					if strings.Contains(statement.text, `FROM "chests"`) {
						t.Errorf("%s: %s", name, statement.text)
					}
				}
				if len(r.statements) > 10 {
					t.Errorf("%s: %d statements", name, len(r.statements))
				}
			}
		})
	}
}
