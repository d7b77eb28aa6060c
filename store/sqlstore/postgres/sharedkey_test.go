package postgres_test

import (
	"bytes"
	"testing"

	"github.com/trove-api/trove/store/sqlstore"
)

func TestReplicasThatBeginAtOnceShareAKey(t *testing.T) {
	t.Parallel()
	server(t)
	dsn, keys := schema(t), make([][]byte, 8)
	var replicas []*sqlstore.DB
	for range keys {
		replicas = append(replicas, open(t, dsn))
	}
	for i, err := range together(len(keys), func(i int) (err error) {
		keys[i], err = replicas[i].SharedKey(impatient(t), "cursors")
		return err
	}) {
		if err != nil || len(keys[i]) == 0 || !bytes.Equal(keys[i], keys[0]) {
			t.Errorf("replica %d: another key than the first, or none: %v", i, err)
		}
	}
}
