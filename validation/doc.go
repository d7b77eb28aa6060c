// Package validation defines what makes a value valid: the rules of validate tags, custom rules, and the violations
// that an API reports. Write rules in validate tags, such as `validate:"notblank,max=200"`. Add rules of your own
// with [Rule] or [Struct], and report a violation from a hook with [Fail].
//
// The rules are those of github.com/go-playground/validator/v10 and notblank, with these differences:
//
//   - required checks the JSON body: an explicit 0 or false is a value.
//   - omitempty checks the JSON body too: a field that the body contains is validated even if its value is empty.
//   - structs in slices, arrays and maps are validated even without the rule dive.
//   - eqfield and nefield compare booleans, numbers, strings and times; gtfield, gtefield, ltfield and ltefield numbers,
//     strings and times. Other types are errors of resource.New.
//   - gtfield, gtefield, ltfield and ltefield compare strings as dates or times, not by length. Both fields need the rule
//     datetime, such as datetime=2006-01-02.
//   - oneof and similar rules split their words as validator does: at spaces. A word that contains spaces needs single
//     quotes. All single quotes are dropped.
//   - rules that access the server's disk or network, such as file, dir and tcp_addr, are errors of
//     resource.New.
//
// A response has at most the first 100 violations, and at most 64 KiB of them. Unknown fields and wrong types come
// first, in the order of the body; then broken rules, in the order of the struct's fields and of map keys. The field
// "more" is the number of others. Long names that a client sent are cut in the middle.
package validation
