package password

import (
	"context"
	"reflect"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/validation"
)

// blanks are characters without ink that Unicode does not call spaces or ignorable: an empty Braille cell, an empty note
// head, and a filler.
const blanks = "\u2800\U0001d159\U00016fe4"

// normal returns the one form of all names that look the same to people: without spaces at the ends and invisible
// characters, in lower case and of normal width, and composed (Unicode normalization form C).
func normal(name string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector), strings.ContainsRune(blanks, r):
			return -1
		}
		return r
	}, width.Fold.String(name))
	composed := norm.NFC.String(strings.Join(strings.Fields(visible), " "))
	return norm.NFC.String(strings.Map(unicode.ToLower, store.Fold(composed)))
}

// rename replaces the name of a user with its normal form, unless it is that of the record before the change.
func (a *Accounts[U]) rename(ctx context.Context, user, before *U) error {
	if err := a.compile(); err != nil {
		return err
	}
	name := a.named.Value(reflect.ValueOf(user).Elem())
	if before != nil && a.named.Value(reflect.ValueOf(before).Elem()).String() == name.String() {
		return nil
	}
	switch form := normal(name.String()); {
	case form == "":
		return validation.Fail(a.Name, a.Name+" must have a visible character")
	case form == name.String():
		return nil
	case a.named.Identifier:
		return validation.Fail(a.Name, a.Name+" must be in lower case, without spaces at the ends and invisible characters")
	default:
		name.SetString(form)
	}
	// The rules were checked for the name as it was, but the normal form can be longer or shorter.
	found, err := a.rules.Check(ctx, user, codec.Decoded{})
	if err == nil && !found.IsEmpty() {
		err = found.Violations[0].Violation
	}
	return err
}
