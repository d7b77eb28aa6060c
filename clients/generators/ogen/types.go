// Package ogen is the client that ogen makes in .ci/generators, and has the types here if it compiles.
package ogen

var (
	_ string    = KindsCreate{}.Owner
	_ NilString = Kinds{}.Heir
	_ []string  = Kinds{}.Tags
	_ OptString = ListKindsParams{}.TimeGte
)
