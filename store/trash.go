package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Deleted is which records a [Query] selects of a struct with a trash: one with a field tagged api:"deleted", a
// *time.Time. [Tx].Delete moves such a record to the trash, by setting the field. From then on it does not exist for any
// method of [Store] and [Tx], other than a query with Deleted and the methods of [TrashTx]. The zero value selects the
// living records. A struct without the field has living records alone.
type Deleted string

const (
	// WithDeleted selects living records and those in the trash.
	WithDeleted Deleted = "with"
	// OnlyDeleted selects the records in the trash.
	OnlyDeleted Deleted = "only"
)

// Trasher is implemented by stores that have a trash, as [Deleted] describes. Their transactions are a [TrashTx], and their
// List obeys [Query].Deleted. resource.New requires it for structs with a field tagged api:"deleted". Unique fields and
// constraints count living records alone, except for the identifier, which no other record can have until the record is
// purged. storetest.Suite.Trash tests it.
//
// To a [Listener] a record in the trash does not exist either: a delete and a restored record are reported like one that
// is gone and a new one, and a purge only by what it changes in living records.
type Trasher interface {
	// Trashes reports whether the store has a trash.
	Trashes() bool
}

// TrashTx is implemented by the transactions of a [Trasher], in addition to [Tx]. With a field tagged api:"deleted", Delete
// acts as follows on references to the record:
//
//   - Living records with ondelete=cascade go to the trash with it, at the same time, and theirs too, if their struct has
//     a trash.
//   - A living record with ondelete=restrict is an error, as always.
//   - All other references stay until the record is purged.
//
// The field has microseconds. Update never changes it; Insert keeps a time that is set.
type TrashTx interface {
	// Restore makes a record in the trash living again, with those that its deletion took along, and stamps them as Update
	// does. The error is [ErrNotFound] if the record is not in the trash. It is a [UniqueError], a [ConstraintError] or a
	// [ReferenceError], at the latest when the transaction ends, if a restored record conflicts with a living one, or
	// references a record in the trash with ondelete=restrict or ondelete=cascade.
	Restore(ctx context.Context, id any) error
	// Purge deletes a record in the trash, with what its references entail, or returns [ErrNotFound]. References from
	// records in the trash count too.
	Purge(ctx context.Context, id any) error
}

// errNoTrash cannot occur with a [Trasher].
var errNoTrash = errors.New("store: the transaction is not a store.TrashTx, so that it cannot restore or purge records")

// Purge deletes the records that were moved to the trash before a time, and returns how many. It leaves out those that a
// reference with ondelete=restrict keeps, so purge the referencing records first. Each record is purged in its own
// transaction: after an error, those before it are gone. Purge an hour's or a month's trash in a job:
//
//	purged, err := store.Purge(ctx, items, time.Now().AddDate(0, 0, -30))
func Purge[T any](ctx context.Context, in Store[T], before time.Time) (purged int, err error) {
	key, err := keyOf[T]()
	if err != nil {
		return 0, err
	}
	fields := reflect.VisibleFields(reflect.TypeFor[T]())
	i := slices.IndexFunc(fields, func(f reflect.StructField) bool { return isTagged(f, "deleted") })
	if i < 0 {
		return 0, fmt.Errorf("store: %s has no trash; tag a field of type *time.Time with api:\"deleted\"", reflect.TypeFor[T]())
	}
	query := Query{Where: []Condition{Lt(jsonName(fields[i]), before)}, Deleted: OnlyDeleted, Order: key.order, Limit: batch}
	for {
		page, err := in.List(ctx, query)
		if err = errors.Join(append(page.Broken, err)...); err != nil || len(page.Items) == 0 {
			return purged, err
		}
		for _, item := range page.Items {
			query.After = key.after(item)
			err := in.Transact(ctx, func(ctx context.Context, tx Tx[T]) error {
				if trash, ok := tx.(TrashTx); ok {
					return trash.Purge(ctx, key.of(item))
				}
				return errNoTrash
			})
			_, isKept := errors.AsType[ReferenceError](err)
			switch {
			case err == nil:
				purged++
			case !isKept && !errors.Is(err, ErrNotFound): // it may be restored or purged since the query
				return purged, err
			}
		}
	}
}
