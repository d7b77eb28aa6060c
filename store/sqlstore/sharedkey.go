package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/trove-api/trove/store"
)

// keysTable is the table of the keys that programs share through the database.
const keysTable = "trove_keys"

// sharedKeyBytes is the largest size that HMAC-SHA-256 makes use of.
const sharedKeyBytes = 32

// sharedKey is a row of keysTable.
type sharedKey struct {
	Name string `json:"name" api:"id"`
	Key  []byte `json:"key"`
}

// SharedKey returns a secret of 32 random bytes that all programs on the database share under a name, such as "cursors"
// for resource.Config.CursorKey. The first call creates it, and the table trove_keys if it does not exist; after that
// it never changes. Anyone who can read the database can read the key. Call SharedKey at startup, not within a request.
func (db *DB) SharedKey(ctx context.Context, name string) ([]byte, error) {
	if err := db.ready(); err != nil {
		return nil, err
	}
	table := keyStore(db)
	if table.Check(ctx) != nil { // otherwise no permission to create tables is needed
		if err := db.create(ctx, []TableDefiner{table}); err != nil {
			return nil, err
		}
	}
	var key []byte
	err := table.Transact(ctx, func(ctx context.Context, tx store.Tx[sharedKey]) error {
		found, err := tx.Get(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			found = &sharedKey{name, make([]byte, sharedKeyBytes)}
			_, _ = rand.Read(found.Key) // never fails; it ends the program instead
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

// Keys returns the definition of the table trove_keys of [DB.SharedKey], which creates it if it has permission. For a
// migration, use DDL(db.Keys()).
func (db *DB) Keys() TableDefiner { return keyStore(db) }

func keyStore(db *DB) *Store[sharedKey] {
	return Table[sharedKey](db, Named(keysTable), func(s *settings) { s.nilIsEmpty = true })
}
