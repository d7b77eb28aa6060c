package contender

import (
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/bench/catalog"
)

// failed lists the fields that break a rule.
type failed []failure

type failure struct{ member, message string }

// Error returns the first message.
func (f failed) Error() string { return f[0].message }

// broken returns the errors of an input, or nil.
func broken(in *catalog.Input) (f failed) {
	note := func(ok bool, member, message string) {
		if !ok {
			f = append(f, failure{member, message})
		}
	}
	note(in.Name != "" && short(in.Name, 100), "name", "Must have from 1 to 100 characters.")
	note(short(in.Description, 500), "description", "Must have at most 500 characters.")
	note(isCategory(in.Category), "category", "Must be weapon, armour, gem or scroll.")
	note(isEmail(in.Email), "email", "Must be an e-mail address.")
	note(0 <= in.Price && in.Price <= 1_000_000, "price", "Must be from 0 to 1,000,000.")
	note(0 <= in.Rating && in.Rating <= 5, "rating", "Must be from 0 to 5.")
	return f
}

func short(s string, most int) bool { return len(s) <= most || utf8.RuneCountInString(s) <= most }

func isCategory(s string) bool {
	switch s {
	case "weapon", "armour", "gem", "scroll":
		return true
	}
	return false
}

// isEmail accepts e-mail addresses in their usual form.
func isEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" || strings.Contains(domain, "@") || strings.ContainsAny(s, " \t\r\n<>()[],;:\\\"") {
		return false
	}
	dot := strings.LastIndexByte(domain, '.')
	return dot > 0 && dot < len(domain)-1
}
