// Package validation says what makes a value valid: the rules of validate tags and a
// user's own, the violations that break them, and the two shapes in which an API
// reports violations.
//
// Rules are those of github.com/go-playground/validator/v10, with "notblank" added,
// and with these differences:
//
//   - required is judged by the JSON body: an explicit 0 or false is a value.
//   - omitempty is too: a member that the body has is checked even when it is empty.
//   - structs in slices, arrays and maps are validated without dive.
//   - the words of oneof and its like are split as validator splits them: at spaces, with
//     quotes around a word that has some. Quotes are dropped wherever they stand.
//   - rules that reach for the server's disk or network (file, dir, tcp_addr and the
//     like) are refused.
//
// An answer tells the first 100 violations, in the order of the struct and of keys, as far
// as they have room in 64 KiB; "more" says how many others there are. Long names of a
// client's are cut in the middle.
package validation
