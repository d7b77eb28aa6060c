package sqlstore_test

import (
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

func TestRebindWritesThePlaceholdersOfTheDatabase(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"SELECT 1": "SELECT 1",
		"SELECT * FROM a WHERE b = ? AND c IN (?, ?)":   "SELECT * FROM a WHERE b = $1 AND c IN ($2, $3)",
		"SELECT '?''?', ? - 1 / ?":                      "SELECT '?''?', $1 - 1 / $2",
		`SELECT "what?" FROM a WHERE b = ?`:             `SELECT "what?" FROM a WHERE b = $1`,
		"SELECT ? -- why?\n, ?":                         "SELECT $1 -- why?\n, $2",
		"SELECT /* why? */ ? /* an open comment?":       "SELECT /* why? */ $1 /* an open comment?",
		"SELECT ? || 'an open string?":                  "SELECT $1 || 'an open string?",
		"?":                                             "$1",
		"SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ü?', ?ü": "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'ü?', $11ü",
	} {
		if got := sqlstore.Rebind(statement); got != want {
			t.Errorf("%q is %q, want %q", statement, got, want)
		}
	}
}
