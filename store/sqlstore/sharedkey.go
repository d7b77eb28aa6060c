package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/trove-api/trove/store"
)

// keysTable is the table that has the keys of all programs on a database.
const keysTable = "trove_keys"

// sharedKeyBytes is as much as HMAC by SHA-256 makes use of.
const sharedKeyBytes = 32

// sharedKey is a row of it.
type sharedKey struct {
	Name string `json:"name" api:"id"`
	Key  []byte `json:"key"`
}

// SharedKey returns the secret of 32 random bytes that all programs on the database share under a name, "cursors" for
// resource.Config.CursorKey, say. The first to ask makes it, and the table trove_keys where it is missing; it stays the same from
// then on. It is no safer than the database is: who reads that reads the key. Call it before requests are served, not within one.
func (db *DB) SharedKey(ctx context.Context, name string) ([]byte, error) {
	if err := db.ready(); err != nil {
		return nil, err
	}
	table := keyStore(db)
	if table.Check(ctx) != nil { // else no right to make tables is needed
		if err := db.Create(ctx, table); err != nil {
			return nil, err
		}
	}
	var key []byte
	err := table.Transact(ctx, func(ctx context.Context, tx store.Tx[sharedKey]) error {
		found, err := tx.Get(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			found = &sharedKey{name, make([]byte, sharedKeyBytes)}
			_, _ = rand.Read(found.Key) // ends the program rather than fail
			err = tx.Insert(ctx, found)
		}
		if err == nil {
			key = found.Key
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sqlstore: key %q: %w", name, err)
	}
	return key, nil
}

// Keys is the table trove_keys of [DB.SharedKey], which makes it where it may. For a migration
// its text is that of DDL(db.Keys()).
func (db *DB) Keys() TableDefiner { return keyStore(db) }

func keyStore(db *DB) *Store[sharedKey] {
	return Table[sharedKey](db, Named(keysTable), func(s *settings) { s.whole = true })
}
