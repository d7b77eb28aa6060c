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
//   - rules that reach for the server's disk or network (file, dir, tcp_addr and the
//     like) are refused.
package validation
