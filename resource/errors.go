package resource

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// declarationErrors is the error of [New]. It unwraps to every error, sorted by declaration and field.
type declarationErrors []error

// Error returns one line for each error, below a line with their number if there are several.
func (e declarationErrors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%d errors in resource declarations:\n%s", len(e), errors.Join(e...))
}

// Unwrap returns the errors.
func (e declarationErrors) Unwrap() []error { return e }

// mistake is an error in the config, in a declaration or between declarations.
type mistake struct {
	turn int
	err  error
}

// The turn of a declaration is its number from 1.
const (
	ofConfig = 0
	ofAll    = 1 << 30
)

// err returns all errors, sorted by declaration and by the fields of its struct, whichever phase found them. Errors that
// are not about a field come after those of the fields.
func (c *compiler) err() error {
	if c.mistakes == nil {
		return nil
	}
	ranks := map[int]map[string]int{}
	for turn, record := range c.recordTypes {
		ranks[turn] = map[string]int{}
		rankFields(record, ranks[turn], map[reflect.Type]bool{})
	}
	slices.SortStableFunc(c.mistakes, func(a, b mistake) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(rankOf(a, ranks[a.turn]), rankOf(b, ranks[b.turn])))
	})
	var errs declarationErrors
	seen := map[string]bool{}
	for _, m := range c.mistakes {
		if text := m.err.Error(); !seen[text] { // declarations can share a struct, and operations inherit errors
			seen[text] = true
			errs = append(errs, m.err)
		}
	}
	return errs
}

// rankFields numbers the fields of a struct and of the structs nested in it, by the names that errors begin with.
func rankFields(t reflect.Type, ranks map[string]int, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		rankFields(t.Elem(), ranks, seen)
		return
	case reflect.Struct:
	default:
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		if name := t.Name() + "." + f.Name; ranks[name] == 0 {
			ranks[name] = len(ranks) + 1
		}
		rankFields(f.Type, ranks, seen)
	}
}

// rankOf returns the position of the field that an error begins with, or of the field that contains it.
func rankOf(m mistake, ranks map[string]int) int {
	name, _, _ := strings.Cut(m.err.Error(), ": ")
	for name != "" {
		if rank := ranks[name]; rank > 0 {
			return rank
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return len(ranks) + 1
}

// note records the errors that err is or joins, with a prefix.
func (c *compiler) note(where string, err error) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case ok:
		for _, each := range joined.Unwrap() {
			c.note(where, each)
		}
	default:
		if where != "" {
			err = fmt.Errorf("%s: %w", where, err)
		}
		c.mistakes = append(c.mistakes, mistake{c.turn, err})
	}
}

// namedType matches errors that begin with the name of a type, or with one of its fields.
var namedType = regexp.MustCompile(`^[*\w.]+(\[[^ ]*\][\w.]*)?: `)

// noteType records the errors in the fields and tags of a type. They need no prefix if they name the type.
func (c *compiler) noteType(where string, err error) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case ok:
		for _, each := range joined.Unwrap() {
			c.noteType(where, each)
		}
	case namedType.MatchString(err.Error()), strings.HasPrefix(err.Error(), where+": "):
		c.note("", err)
	default:
		c.note(where, err)
	}
}

func (c *compiler) fail(where, format string, args ...any) {
	c.note(where, fmt.Errorf(format, args...))
}

// noteStore records the errors that a store reports, each once, because some report the same error for every check.
func (c *compiler) noteStore(where string, d *definition, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			c.noteStore(where, d, each)
		}
		return
	}
	if err != nil && !d.storeMistakes[err.Error()] {
		d.storeMistakes[err.Error()] = true
		c.note(where+": store", err)
	}
}

func (c *compiler) hasMistake(turn int) bool {
	return slices.ContainsFunc(c.mistakes, func(m mistake) bool { return m.turn == turn })
}
