package check

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trove-api/trove/internal/model"
)

// predicate reports whether a value follows a rule. It gets values without pointers and interfaces.
type predicate func(p *pass, v reflect.Value) bool

// compiling returns the own check of a rule for the values of a type, which decides exactly as validator does. If it
// returns nil, ask checks the values: it calls validator, and an own check can call it too.
type compiling func(c model.Constraint, t *model.Type, ask predicate) predicate

// requiredCheck compiles required, or its opposite isdefault.
func requiredCheck(isRequired bool) compiling {
	return func(_ model.Constraint, t *model.Type, _ predicate) predicate {
		nullable := isNullable(t)
		return func(_ *pass, v reflect.Value) bool { return hasValue(v, nullable) == isRequired }
	}
}

// hasValue reports whether a value is not empty. As in validator, an empty list or map is present and null is not. Behind
// a pointer, zero is a value.
func hasValue(v reflect.Value, nullable bool) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return !v.IsNil()
	}
	return nullable || !v.IsZero()
}

// comparison compiles a rule that compares with its parameter: numbers by value, strings and collections by length. It
// returns nil if the parameter is invalid.
func comparison(c model.Constraint, t *model.Type, _ predicate) predicate {
	isEquality := c.Name == "eq" || c.Name == "ne"
	holds := ordered(cmp.Or(map[string]string{"min": "gte", "max": "lte", "len": "eq"}[c.Name], c.Name))
	whole, err := strconv.ParseInt(c.Param, 0, 64)
	var check predicate
	switch kind := t.Kind; {
	case kind == model.Text:
		return compareText(c, t, holds)
	case kind == model.String && isEquality:
		return func(_ *pass, v reflect.Value) bool { return (v.String() == c.Param) == (c.Name == "eq") }
	case kind == model.String:
		isMost := c.Name == "max" || c.Name == "lte"
		check = func(_ *pass, v reflect.Value) bool {
			s := v.String() // a character has at least one byte
			return isMost && int64(len(s)) <= whole || holds(cmp.Compare(int64(utf8.RuneCountInString(s)), whole))
		}
	case kind == model.Bytes || t.Elem != nil:
		check = func(_ *pass, v reflect.Value) bool { return holds(cmp.Compare(int64(v.Len()), whole)) }
	case kind == model.Int:
		check = func(_ *pass, v reflect.Value) bool { return holds(cmp.Compare(v.Int(), whole)) }
	case kind == model.Uint:
		var limit uint64
		limit, err = strconv.ParseUint(c.Param, 0, 64)
		check = func(_ *pass, v reflect.Value) bool { return holds(cmp.Compare(v.Uint(), limit)) }
	case kind == model.Float:
		var limit float64
		limit, err = strconv.ParseFloat(c.Param, t.Bits) // the bits of the field, because 0.1 in 32 bits is greater than 0.1 in 64
		check = func(_ *pass, v reflect.Value) bool { return holds(cmp.Compare(v.Float(), limit)) }
	case kind == model.Time:
		return func(_ *pass, v reflect.Value) bool {
			at, _ := reflect.TypeAssert[time.Time](v)
			return holds(at.Compare(time.Now()))
		}
	}
	if err != nil {
		return nil
	}
	return check
}

// compareText compiles a rule that compares the value of a type that marshals itself as text, such as a date or a decimal
// number. It returns nil if the parameter is not a value of the type.
func compareText(c model.Constraint, t *model.Type, holds func(order int) bool) predicate {
	given, ok := t.Convert(c.Param)
	if !ok {
		return nil
	}
	limit, err := model.OrderTextOf(reflect.ValueOf(given))
	if t.Digits != nil && err == nil { // a type may read any text
		_, err = t.Digits.Text(c.Param)
	}
	if err != nil {
		return nil
	}
	return func(_ *pass, v reflect.Value) bool {
		text, err := model.OrderTextOf(v)
		return err == nil && holds(strings.Compare(text, limit))
	}
}

// ordered returns the predicate of a relation, such as gte, over the result of a comparison: -1, 0 or 1.
func ordered(relation string) func(order int) bool {
	isUnequal, isGreater, isLess := relation == "ne", strings.HasPrefix(relation, "gt"), strings.HasPrefix(relation, "lt")
	isEqual := relation == "eq" || strings.HasSuffix(relation, "te")
	return func(order int) bool {
		return order == 0 && isEqual || order == 1 && isGreater || order == -1 && isLess || order != 0 && isUnequal
	}
}

// oneOf compiles a choice of strings or of numbers, which are compared as strings: no integer equals the option "01".
func oneOf(c model.Constraint, t *model.Type, _ predicate) predicate {
	options, isOne, text := c.Words(), c.Name == "oneof", reflect.Value.String
	switch t.Kind {
	case model.Int:
		text = func(v reflect.Value) string { return strconv.FormatInt(v.Int(), 10) }
	case model.Uint:
		text = func(v reflect.Value) string { return strconv.FormatUint(v.Uint(), 10) }
	}
	return func(_ *pass, v reflect.Value) bool { return slices.Contains(options, text(v)) == isOne }
}

// uniqueCheck compiles unique for lists of scalars.
func uniqueCheck(c model.Constraint, t *model.Type, _ predicate) predicate {
	if c.Param != "" || t.Kind == model.Map || t.Elem.Nullable || !scalars.has(t.Elem.Kind) {
		return nil
	}
	return func(_ *pass, v reflect.Value) bool {
		seen := make(map[any]bool, v.Len())
		for i := range v.Len() {
			seen[v.Index(i).Interface()] = true
		}
		return len(seen) == v.Len()
	}
}

// text turns a check of strings into one of values.
func text(holds func(string) bool) compiling {
	return withParam(func(s, _ string) bool { return holds(s) })
}

// withParam compiles a check of strings and the parameter.
func withParam(holds func(s, param string) bool) compiling {
	return func(c model.Constraint, _ *model.Type, _ predicate) predicate {
		return func(_ *pass, v reflect.Value) bool { return holds(v.String(), c.Param) }
	}
}

// IsNotBlank reports whether a string has more than white space, as \s means it in ECMA-262. The first byte decides for
// most strings.
func IsNotBlank(s string) bool {
	return s != "" && (s[0] > ' ' && s[0] < utf8.RuneSelf || strings.ContainsFunc(s, isNotSpace))
}

// isNotSpace differs from package unicode in two characters: ECMA-262 counts the byte order mark as white space, and
// U+0085 (next line) as none.
func isNotSpace(r rune) bool { return r != '\ufeff' && (r == '\u0085' || !unicode.IsSpace(r)) }

// madeOf returns a check that a string is not empty and has only characters of one class.
func madeOf(class func(r rune) bool) func(string) bool {
	return func(s string) bool {
		return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !class(r) })
	}
}

func isDigit(c rune) bool { return '0' <= c && c <= '9' }

// The bit 0x20 turns capitals into small letters, and nothing else into one.
func isLetter(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c rune) bool { return isLetter(c) || isDigit(c) }

// isNumeric reports whether a string is a decimal number, with an optional sign and fraction.
func isNumeric(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	whole, fraction, hasFraction := strings.Cut(s, ".")
	return madeOf(isDigit)(whole) && (!hasFraction || madeOf(isDigit)(fraction))
}

func isLowerCase(s string) bool { return s != "" && s == strings.ToLower(s) }

func isUpperCase(s string) bool { return s != "" && s == strings.ToUpper(s) }

// uuidOf returns a check of UUIDs in lower case of a version, or of any UUIDs for 0.
func uuidOf(version byte) func(string) bool {
	return func(s string) bool {
		if len(s) != 36 || version != 0 && (s[14] != version || strings.IndexByte("89ab", s[19]) < 0) {
			return false
		}
		for i := range len(s) {
			c := s[i]
			isDash := i == 8 || i == 13 || i == 18 || i == 23
			isHex := '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || version == 0 && 'A' <= c && c <= 'F'
			if isDash != (c == '-') || !isDash && !isHex {
				return false
			}
		}
		return true
	}
}

// emailCheck decides simple email addresses: letters, digits and a few symbols. Validator decides the rare others: quotes,
// comments, non-ASCII letters.
func emailCheck(_ model.Constraint, _ *model.Type, ask predicate) predicate {
	return func(p *pass, v reflect.Value) bool {
		local, domain, ok := strings.Cut(v.String(), "@")
		isPlain := ok && isDotted(local, "_-+") && isPlainDomain(domain)
		return isPlain || ok && ask(p, v)
	}
}

// isPlainDomain reports whether a string is a simple domain name: at least two labels that begin and end with a
// letter or digit, the last with letters. Others may still be valid.
func isPlainDomain(s string) bool {
	top := s[strings.LastIndexByte(s, '.')+1:]
	return isDotted(s, "-") && len(top) < len(s) && isLetter(rune(top[0])) && isLetter(rune(s[len(s)-1])) &&
		s[0] != '-' && !strings.Contains(s, ".-") && !strings.Contains(s, "-.")
}

// isDotted reports whether a string is words of letters, digits and a few symbols, separated by dots.
func isDotted(s, symbols string) bool {
	before := byte('.')
	for i := range len(s) {
		if c := s[i]; c == '.' && before == '.' || c != '.' && !isAlphanumeric(rune(c)) && strings.IndexByte(symbols, c) < 0 {
			return false
		}
		before = s[i]
	}
	return before != '.'
}

// urlCheck decides URLs with one of the schemes and a simple host and path. Validator decides those with a port, a user or
// non-ASCII letters.
func urlCheck(schemes ...string) compiling {
	return func(_ model.Constraint, _ *model.Type, ask predicate) predicate {
		return func(p *pass, v reflect.Value) bool {
			s := v.String()
			return slices.ContainsFunc(schemes, func(scheme string) bool {
				host, path, _ := strings.Cut(strings.TrimPrefix(s, scheme), "/")
				isOther := func(c rune) bool { return !isAlphanumeric(c) && !strings.ContainsRune("/-_.~?=&", c) }
				return strings.HasPrefix(s, scheme) && isDotted(host, "-") && !strings.ContainsFunc(path, isOther)
			}) || ask(p, v)
		}
	}
}
