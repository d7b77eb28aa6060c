// Package oapi is the client that oapi-codegen makes in .ci/generators, and has the types here if it compiles.
package oapi

var (
	_ string             = KindsCreate{}.Owner       // a reference
	_ *string            = Kinds{}.Heir              // one that can be null
	_ []string           = Kinds{}.Tags              // a list of references
	_ *string            = ListKindsParams{}.TimeGte // a filter by time
	_ *[]string          = ListKindsParams{}.Owner   // a filter by a reference
	_ *Nested            = Kinds{}.NestedOrNull      // a struct that can be null
	_ *string            = Kinds{}.EitherOrNull      // a string with two rules, one of which is enough
	_ KindsCreateJsonhal                             // a body in HAL
)
