package password_test

import (
	"context"
	"fmt"

	"github.com/trove-api/trove/access/password"
)

func Example() {
	passwords := password.Hasher{Memory: 8, Passes: 1} // fast, for this example; the zero value is secure
	ctx := context.Background()

	hash, err := passwords.Hash(ctx, "correct horse")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tried := range []string{"correct horse", "wrong horse"} {
		ok, err := passwords.Matches(ctx, tried, hash)
		fmt.Println(tried, ok, err)
	}
	// Output:
	// correct horse true <nil>
	// wrong horse false <nil>
}
