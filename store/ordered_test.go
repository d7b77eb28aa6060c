package store_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
)

func TestKeysOfNumbersAreInTheOrderOfNumbers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 300)
	numbers := []string{
		"0", "-0", "0.000", "+0", "0e5", "1", "1.", "1.0", "1.00", "01", "+1", "1e0", "10e-1", "0.1e1", "-1", "-1.0", "2", "9", "9.99", "10", "1e1", "10.5", "11", "99", "100",
		"-9", "-9.99", "-10", "-10.5", "-11", "-99", "-100", "0.1", ".1", "0.10", "0.09", "0.01", "0.001", "-0.1", "-.1", "-0.09", "-0.01", "1e-30", "-1e-30", "1E+30", "-1e30",
		"9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		long, long + ".9", "-" + long, "-" + long + ".9", "0." + long, "-0." + long, "15", "150", "1.5", "-15", "-150", "-1.5", "1.05", "-1.05",
	}
	for _, a := range numbers {
		for _, b := range numbers {
			want := rational(t, a).Cmp(rational(t, b))
			if got := strings.Compare(store.NumberKey(a), store.NumberKey(b)); got != want {
				t.Errorf("the keys of %s and %s compare as %d, want %d:\n%s\n%s", a, b, got, want, store.NumberKey(a), store.NumberKey(b))
			}
		}
	}
}

func rational(t *testing.T, text string) *big.Rat {
	t.Helper()
	number, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%s is not a number", text)
	}
	return number
}

func TestAnythingElseComesBeforeAllNumbers(t *testing.T) {
	t.Parallel()
	least := store.NumberKey("-9e1000000000")
	for _, text := range []string{"", "-", "+", ".", "-.", "e1", "1e", "1e+", "--1", "+-1", "1.2.3", "1,5", "1_000", "0x1", "NaN", "Infinity", "-Inf", " 1", "1 ", "١", "1e1000000001", "1e99999999999999999999", "\x00", "\xff"} {
		if key := store.NumberKey(text); key >= least || strings.ContainsRune(key, 0) {
			t.Errorf("the key of %q is %q, not before %q", text, key, least)
		}
	}
	if store.NumberKey("NaN") == store.NumberKey("Inf") {
		t.Error("NaN and infinity have one key")
	}
}

func FuzzNumberKey(f *testing.F) {
	for _, text := range []string{"1", "-1.50", "1e9", ".5", "", "-0"} {
		f.Add(text, "1.0")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 100 || strings.ContainsAny(a+b, "eExXpPbBoO_/") { // big reads more forms than decimals
			return
		}
		first, isFirst := new(big.Rat).SetString(a)
		second, isSecond := new(big.Rat).SetString(b)
		if !isFirst || !isSecond {
			return
		}
		if got, want := strings.Compare(store.NumberKey(a), store.NumberKey(b)), first.Cmp(second); got != want {
			t.Errorf("the keys of %s and %s compare as %d, want %d", a, b, got, want)
		}
	})
}

func ExampleNumberKey() {
	fmt.Println(store.NumberKey("9.50") < store.NumberKey("10"), store.NumberKey("1.0") == store.NumberKey("1.00"))
	// Output: true true
}
