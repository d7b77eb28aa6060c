package resource

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
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

// noted is an error in the config, in a declaration or between declarations.
type noted struct {
	turn int
	err  error
	// resource and cause are of an error that several operations or settings may have. The cause is the error without
	// prefix.
	resource *compiled.Resource
	cause    error
	settings []string // of the resource, such as Access.Read; nil for an error of an operation
}

// mistakes collects the errors of declarations.
type mistakes struct {
	turn        int // the declaration that errors belong to
	list        []noted
	recordTypes map[int]reflect.Type // the types of all declarations, by turn
}

// The turn of a declaration is its number from 1.
const (
	ofConfig = 0
	ofAll    = 1 << 30
)

// err returns all errors, sorted by declaration and by the fields of its struct, whichever phase found them. Errors that
// are not about a field come after those of the fields.
func (m *mistakes) err() error {
	if m.list == nil {
		return nil
	}
	ranks := map[int]map[model.Declaration]int{}
	for turn, record := range m.recordTypes {
		ranks[turn] = map[model.Declaration]int{}
		rankFields(record, ranks[turn], map[reflect.Type]bool{})
	}
	slices.SortStableFunc(m.list, func(a, b noted) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(rankOf(a.err, ranks[a.turn]), rankOf(b.err, ranks[b.turn])))
	})
	var errs declarationErrors
	seen := map[string]bool{}
	for _, m := range m.list {
		if text := m.err.Error(); !seen[text] { // declarations can share a struct, and operations inherit errors
			seen[text] = true
			errs = append(errs, m.err)
		}
	}
	return errs
}

// rankFields numbers the fields of a struct and of the structs nested in it.
func rankFields(t reflect.Type, ranks map[model.Declaration]int, seen map[reflect.Type]bool) {
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
		if at := (model.Declaration{Type: t, Field: f.Name}); ranks[at] == 0 {
			ranks[at] = len(ranks) + 1
		}
		rankFields(f.Type, ranks, seen)
	}
}

// rankOf returns the position of the field that an error is about, or of the field that contains it. Fields of unnamed
// structs have none.
func rankOf(err error, ranks map[model.Declaration]int) int {
	if found, ok := errors.AsType[*model.DeclarationError](err); ok && found.IsNamed() {
		for at := found.Declaration; at.Field != ""; at.Field = at.Field[:max(strings.LastIndexByte(at.Field, '.'), 0)] {
			if rank := ranks[at]; rank > 0 {
				return rank
			}
		}
	}
	return len(ranks) + 1
}

// note records the errors that err is or joins, with a prefix.
func (m *mistakes) note(where string, err error) {
	for _, each := range joined(err) {
		if where != "" {
			each = fmt.Errorf("%s: %w", where, each)
		}
		m.list = append(m.list, noted{turn: m.turn, err: each})
	}
}

// noteOperation records the errors of an operation, which is the prefix. One that several operations of the resource have
// is an error of the resource.
func (m *mistakes) noteOperation(where string, of *compiled.Resource, err error) {
	for _, each := range joined(err) {
		if known := m.shared(of, each, false); known != nil {
			known.err = fmt.Errorf("%s: %w", of.ShortName, each)
			continue
		}
		m.list = append(m.list, noted{turn: m.turn, err: fmt.Errorf("%s: %w", where, each), resource: of, cause: each})
	}
}

// noteSetting records the errors of a setting of a resource. One that several settings have is one error that names them
// all.
func (m *mistakes) noteSetting(of *compiled.Resource, setting string, err error) {
	for _, each := range joined(err) {
		known := m.shared(of, each, true)
		if known == nil {
			m.list = append(m.list, noted{turn: m.turn, resource: of, cause: each})
			known = &m.list[len(m.list)-1]
		}
		if !slices.Contains(known.settings, setting) {
			known.settings = append(known.settings, setting)
		}
		known.err = fmt.Errorf("%s: %s: %w", of.ShortName, strings.Join(known.settings, ", "), each)
	}
}

// shared returns an error of the resource that is already recorded for another operation or setting, nil for none.
func (m *mistakes) shared(of *compiled.Resource, cause error, isSetting bool) *noted {
	i := slices.IndexFunc(m.list, func(n noted) bool {
		return n.resource == of && n.cause.Error() == cause.Error() && (n.settings != nil) == isSetting
	})
	if i < 0 {
		return nil
	}
	return &m.list[i]
}

// noteType records the errors in the fields and tags of a type. They need no prefix if readers can find the type.
func (m *mistakes) noteType(where string, err error) {
	for _, each := range joined(err) {
		if found, ok := errors.AsType[*model.DeclarationError](each); ok && (found.IsNamed() || found.String() == where) {
			m.note("", each)
		} else {
			m.note(where, each)
		}
	}
}

// joined returns the errors that err joins, or err itself.
func joined(err error) (all []error) {
	join, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case ok:
		for _, each := range join.Unwrap() {
			all = append(all, joined(each)...)
		}
	default:
		all = []error{err}
	}
	return all
}

func (m *mistakes) fail(where, format string, args ...any) {
	m.note(where, fmt.Errorf(format, args...))
}

func (m *mistakes) failAt(at model.Declaration, format string, args ...any) {
	m.note("", at.Errorf(format, args...))
}

// noteStore records the errors that a store reports, each once.
func (m *mistakes) noteStore(where string, d *definition, err error) {
	for _, each := range d.unreported(err) {
		m.note(where+": store", each)
	}
}

// unreported returns the errors of a store that it has not returned before, because some stores report the same error
// for every check.
func (d *definition) unreported(err error) (news []error) {
	for _, each := range joined(err) {
		if text := each.Error(); !d.storeMistakes[text] {
			d.storeMistakes[text] = true
			news = append(news, each)
		}
	}
	return news
}
