package openapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/resource"
)

// gatekeeper puts the rule of the documentation before a handler of it.
type gatekeeper func(path string, next http.Handler) http.Handler

// newGatekeeper compiles the rule of the documentation. Nil is no rule.
func newGatekeeper(api *resource.API, rule access.Rule) (gatekeeper, error) {
	if rule == nil {
		return func(_ string, next http.Handler) http.Handler { return next }, nil
	}
	if model := compiled.Of(api); !model.Ruled && len(model.Resources) > 0 {
		return nil, errors.New("openapi: config: Access is set, but no resource declares an access rule, so every operation is open to everyone; " +
			"set Access of each resource; access.Public allows everyone")
	}
	compiler := gate.Compiler{Schemes: compiled.Of(api).Authentication}
	if name := needsRecord(rule); name != "" {
		return nil, fmt.Errorf("openapi: config: Access: the rule %q needs a record, but the documentation is none", name)
	}
	made, err := compiler.Compile(rule, &model.Struct{}, gate.NoRecord)
	if err != nil {
		return nil, fmt.Errorf("openapi: config: Access: %w", err)
	}
	return func(path string, next http.Handler) http.Handler {
		return httpserve.Guard(compiled.Of(api), path, made, next)
	}, nil
}

// needsRecord returns the name of a part of a rule that looks at a record, "" for none.
func needsRecord(rule access.Rule) string {
	if rule == nil {
		return ""
	}
	d := rule.Describe()
	switch d.Kind {
	case "where", "equal", "check", "filter":
		return d.Name
	}
	for _, part := range d.Parts {
		if name := needsRecord(part); name != "" {
			return name
		}
	}
	return ""
}
