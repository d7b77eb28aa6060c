// Package generators checks types of the clients that .ci/generators makes. It compiles if they are right.
package generators

import (
	"github.com/trove-api/trove/clients/generators/generated/oapi"
	"github.com/trove-api/trove/clients/generators/generated/ogen"
)

var (
	_ string                  = oapi.KindsCreate{}.Owner       // a reference
	_ *string                 = oapi.Kinds{}.Heir              // one that can be null
	_ []string                = oapi.Kinds{}.Tags              // a list of references
	_ *string                 = oapi.ListKindsParams{}.TimeGte // a filter by time
	_ *[]string               = oapi.ListKindsParams{}.Owner   // a filter by a reference
	_ *oapi.Nested            = oapi.Kinds{}.NestedOrNull      // a struct that can be null
	_ *string                 = oapi.Kinds{}.EitherOrNull      // a string with two rules, one of which is enough
	_ oapi.KindsCreateJsonhal                                  // a body in HAL
	_ string                  = ogen.KindsCreate{}.Owner
	_ ogen.NilString          = ogen.Kinds{}.Heir
	_ []string                = ogen.Kinds{}.Tags
	_ ogen.OptString          = ogen.ListKindsParams{}.TimeGte
)
