// Package model compiles Go types into what the rest of Trove reads in place of them:
// the JSON members of a struct with everything their tags say. It is the only place
// that reads struct tags; routes, decoding, checks, stores and the document all walk
// its result. Compiling happens once, when an API is made.
package model
