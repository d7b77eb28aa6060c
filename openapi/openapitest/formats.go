package openapitest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// widths are the formats of OpenAPI that say how wide a number is, with their limits.
func widths() []*jsonschema.Format {
	exponent := func(n uint) *big.Float { return new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), n)) }
	less := func(f *big.Float) *big.Float { return new(big.Float).SetPrec(128).Sub(f, big.NewFloat(1)) }
	return []*jsonschema.Format{
		width("int32", new(big.Float).Neg(exponent(31)), less(exponent(31))),
		width("int64", new(big.Float).Neg(exponent(63)), less(exponent(63))),
		width("uint64", new(big.Float), less(exponent(64))),
		width("float", big.NewFloat(-math.MaxFloat32), big.NewFloat(math.MaxFloat32)),
		width("double", big.NewFloat(-math.MaxFloat64), big.NewFloat(math.MaxFloat64)),
	}
}

func width(name string, low, high *big.Float) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(value any) error {
		text, ok := value.(json.Number)
		if !ok {
			return nil
		}
		n, _, err := big.ParseFloat(string(text), 10, 128, big.ToNearestEven)
		if err != nil || n.Cmp(low) < 0 || n.Cmp(high) > 0 {
			return fmt.Errorf("is no %s", name)
		}
		return nil
	}}
}
