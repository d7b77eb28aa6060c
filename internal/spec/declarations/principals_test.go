package declarations_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

type (
	// clerk signs files, and robot is another principal.
	clerk struct{ Name string }
	robot struct{ Model string }
	file  struct {
		ID    int64  `json:"id"`
		Owner string `json:"owner" api:"readonly"`
		Note  string `json:"note" api:"readonly"`
	}
)

func (c *clerk) String() string { return c.Name }

// bearer returns a scheme whose token is the name of the principal.
func bearer[P any](name string, of func(token string) P) access.Scheme {
	return access.Bearer(name, func(_ context.Context, token string) (P, access.Scopes, error) {
		return of(token), access.Unlimited, nil
	})
}

func clerks() access.Scheme {
	return bearer("clerks", func(token string) *clerk { return &clerk{token} })
}

func TestAStampForPrincipalsThatNoSchemeProvidesIsAnErrorOfNew(t *testing.T) {
	t.Parallel()
	robots := access.APIKey("robots", "X-Robot", func(context.Context, string) (robot, access.Scopes, error) { return robot{}, nil, nil })
	try := func(stamp operation.Stamper[file], schemes ...access.Scheme) error {
		_, err := resource.New(resource.Config{Authentication: schemes}, resource.Of[file]{Stamp: stamp, Access: spec.Open()})
		return err
	}
	byValue := operation.Stamp(func(c clerk, f *file) { f.Owner = c.Name })
	spec.WantLine(t, try(byValue, clerks()), `File: Stamp is for principals of type declarations_test.clerk, which no scheme returns; `+
		`allowed: *declarations_test.clerk; did you mean "*declarations_test.clerk"?`)
	spec.WantLine(t, try(operation.Stamp(func(string, *file) {}), clerks(), robots), `allowed: *declarations_test.clerk, declarations_test.robot`)
	spec.WantLine(t, try(operation.Stamp[*clerk, file](nil), clerks()), "File: the function of Stamp is nil")
	for name, err := range map[string]error{
		"the type of the scheme":          try(operation.Stamp(func(*clerk, *file) {}), clerks()),
		"the type of another scheme":      try(operation.Stamp(func(robot, *file) {}), clerks(), robots),
		"an interface of the principals":  try(operation.Stamp(func(fmt.Stringer, *file) {}), clerks()),
		"a scheme of any principal":       try(byValue, bearer("any", func(token string) any { return token })),
		"principals that middleware sets": try(byValue),
		"no stamp":                        try(nil, clerks()),
	} {
		if err != nil {
			t.Errorf("%s: New returns %v", name, err)
		}
	}
}

func TestARuleForAnotherPrincipalSuggestsTheTypeOfTheScheme(t *testing.T) {
	t.Parallel()
	rule := access.If("clerk", func(clerk) bool { return true })
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{clerks()}},
		resource.Of[file]{Access: access.Rules{Read: rule, Create: access.Public, Update: access.Public, Delete: access.Public}})
	spec.WantLine(t, err, `the rule "clerk" is for principals of type declarations_test.clerk`, `did you mean "*declarations_test.clerk"?`)
}

func TestAStampRunsBeforePrepareAndOnlyForNewRecords(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{clerks()}}, resource.Of[file]{
		Access: spec.Open(),
		Stamp:  operation.Stamp(func(c *clerk, f *file) { f.Owner = c.Name }),
		Prepare: func(_ context.Context, _ *operation.Request, f *file) error {
			f.Note = "of " + f.Owner
			return nil
		},
	})
	c.Send("POST /api/files", "{}", "Authorization", "Bearer ann").Is(http.StatusCreated, `{"id":1,"owner":"ann","note":"of ann"}`)
	c.Send("PATCH /api/files/1", "{}", "Authorization", "Bearer bob").Is(http.StatusOK, `{"id":1,"owner":"ann","note":"of ann"}`)
	c.Send("POST /api/files", "{}").Is(http.StatusCreated, `{"id":2,"owner":"","note":"of "}`)
}
