package store_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Your own code uses a store directly, without HTTP and without access rules.
func Example() {
	ctx := context.Background()
	dragons := memory.New[dragon]()

	smaug := &dragon{Name: "Smaug"}
	if err := store.Insert(ctx, dragons, smaug, &dragon{Name: "Fafnir"}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(store.Insert(ctx, dragons, &dragon{Name: "Smaug"}))

	err := store.Update(ctx, dragons, smaug.ID, func(d *dragon) error {
		d.Name = "Norbert"
		return nil
	})
	found, _ := store.Find(ctx, dragons, "name", "Norbert")
	fmt.Println(found.ID, found.Name, err)

	err = store.Delete(ctx, dragons, smaug.ID)
	_, missing := dragons.Get(ctx, smaug.ID)
	fmt.Println(err, errors.Is(missing, store.ErrNotFound))
	// Output:
	// store: name is already in use
	// 1 Norbert <nil>
	// <nil> true
}

// Strings that differ only in letter case fold to the same string.
func ExampleFold() {
	fmt.Println(store.Fold("Straße") == store.Fold("STRAßE"), store.Fold("Dune") == store.Fold("dunes"))
	// Output: true false
}
