package mysql_test

import (
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	server(t)
	s := storetest.Suite[*sqlstore.DB]{Create: createTwice, Open: func(t *testing.T) *sqlstore.DB {
		t.Helper()
		return open(t, database(t))
	}}
	s.Integers, s.Strings, s.UUIDs, s.Pairs = declared, declared, declared, declared
	s.Values, s.Constraints, s.Stamps, s.Changes, s.Log, s.Responses = declared, declared, declared, declared, declared, declared
	s.Queries, s.Through, s.Lists, s.Trash = declared, declared, declared, declared
	s.Deletes.Integers, s.Deletes.Strings, s.Deletes.UUIDs, s.Deletes.Pairs = declared, declared, declared, declared
	s.Run(t)
}
