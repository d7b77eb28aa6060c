// Package validation defines what makes a value valid: the rules of validate tags, custom rules, and the violations
// that an API reports. Write rules in validate tags, such as `validate:"notblank,max=200"`. Add rules of your own
// with [Rule] or [Struct], and report a violation from a hook with [Fail].
//
// The rules are those of github.com/go-playground/validator/v10 and notblank, with these differences:
//
//   - required checks the JSON body: an explicit 0 or false is a value.
//   - omitempty does too: a field that the body sends is checked even if it is empty.
//   - structs in slices, arrays and maps are validated without dive.
//   - oneof and similar rules split their words as validator does: at spaces, with single quotes around
//     a word that contains some. All quotes are dropped.
//   - rules that access the server's disk or network, such as file, dir and tcp_addr, are errors of
//     resource.New.
//
// A response has at most the first 100 violations and 64 KiB of them, in the order of the struct and of map keys.
// The field "more" is the number of others. Long names that a client sent are cut in the middle.
package validation
