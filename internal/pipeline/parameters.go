package pipeline

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// parameters checks the query, reads the identifier from the path, and makes what hooks
// and handlers see of the request.
func parameters(ctx context.Context, x *exchange) error {
	if err := x.checkQuery(); err != nil {
		return err
	}
	if x.op.Item {
		id, ok := x.op.Resource.ID.Parse(variable(x.r, x.op.Resource.ID.Name()))
		if !ok {
			return store.ErrNotFound
		}
		x.id = id
	}
	if x.hasHooks() {
		x.request = &operation.Request{
			Kind:      x.op.Kind,
			Name:      x.op.Name,
			Variables: x.variables(),
			Principal: operation.PrincipalFrom(ctx),
			HTTP:      x.r,
		}
	}
	return nil
}

// checkQuery refuses parameters that the operation does not know: none is known yet.
func (x *exchange) checkQuery() error {
	if x.r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(x.r.URL.RawQuery)
	if err != nil {
		return problem.New(http.StatusBadRequest, "The query is not well formed: percent-encode its names and values.")
	}
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(query)), x.ignored)
	if len(unknown) == 0 {
		return nil
	}
	return problem.New(http.StatusBadRequest,
		fmt.Sprintf("Unknown query parameter %s; this operation takes none.", strings.Join(unknown, ", ")),
		problem.Member{Name: "parameters", Value: unknown}, problem.Member{Name: "allowed", Value: []string{}})
}

func (x *exchange) ignored(name string) bool {
	return slices.ContainsFunc(x.op.API.IgnoreParameters, func(glob string) bool {
		match, err := path.Match(glob, name)
		return match && err == nil
	})
}

func (x *exchange) hasHooks() bool {
	return x.op.Handler != nil || x.op.Processor != nil || x.op.Resource.Prepare != nil && x.op.Kind.TakesBody()
}

func (x *exchange) variables() map[string]string {
	values := make(map[string]string, len(x.op.Template.Variables()))
	for _, name := range x.op.Template.Variables() {
		values[name] = variable(x.r, name)
	}
	return values
}
