package openapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/problem"
)

// errorIn returns what a format makes of the example of a problem, nil if the format fails. Without an example,
// pages show one made of the schema, with texts such as "path/index.html".
func errorIn(f *format.Format, members map[string]any) (made any) {
	if f.Refuse == nil {
		return nil
	}
	_ = guard("Refuse", func() {
		text, err := f.Refuse(nil, refusalOf(members))
		switch {
		case err != nil || json.Unmarshal(text, &made) == nil:
		case utf8.Valid(text):
			made = string(text)
		default: // documents show binary formats as JSON
			made = members
		}
	})
	return made
}

// refusalOf returns the example of a problem as formats get it.
func refusalOf(members map[string]any) *format.Refusal {
	text := func(of map[string]any, name string) string { s, _ := of[name].(string); return s }
	status, _ := members["status"].(int64)
	r := &format.Refusal{
		Status: cmp.Or(int(status), http.StatusBadRequest), Type: text(members, "type"), Title: text(members, "title"),
		Detail: text(members, "detail"), Instance: text(members, "instance"),
	}
	r.JSON, _ = json.Marshal(members, json.Deterministic(true))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name].(type) {
		case map[string]any: // the errors of the usual shape
			for _, field := range slices.Sorted(maps.Keys(value)) {
				r.Violations = append(r.Violations, format.Violation{Field: field, Pointer: "/" + field, Code: "notblank", Message: text(value, field)})
			}
		case []any:
			if r.Type != problem.ValidationType {
				r.Members = append(r.Members, memberOf(name, value))
				continue
			}
			for _, one := range value {
				violation, _ := one.(map[string]any)
				pointer := text(violation, "pointer")
				r.Violations = append(r.Violations, format.Violation{
					Field: strings.TrimPrefix(pointer, "/"), Pointer: pointer, Code: text(violation, "code"), Message: text(violation, "message"),
				})
			}
		case string:
			if !slices.Contains([]string{"type", "title", "detail", "instance"}, name) {
				r.Members = append(r.Members, memberOf(name, value))
			}
		}
	}
	return r
}

func memberOf(name string, value any) format.Member {
	text, _ := json.Marshal(value, json.Deterministic(true))
	return format.Member{Name: name, JSON: text}
}
