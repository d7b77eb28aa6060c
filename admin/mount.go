package admin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/resource"
)

// Mount serves the admin of an API at Config.Path. Its files are embedded in the program. The page calls the operations
// of the API with the credentials of the person who uses it, so that they can do there what they can do with any other
// client, and no more. It shows only what rules may allow them. The Config.Middleware of the API applies, as to all its
// routes. Call it once, before the API serves requests.
//
// If it returns an error, it serves nothing. All errors are joined. They are a nil API, errors in the config, and routes
// that exist at its paths.
func Mount(api *resource.API, config Config) error {
	if api == nil {
		return errors.New("admin: the API is nil")
	}
	offered := invoke.Of(api)
	path := config.path()
	if err := offered.Describe(true, offered.Operations...); err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	if err := errors.Join(config.check(offered), checkPaths(api, offered, path)); err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	files, err := newAssets(offered, config)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	made, err := newAdmin(offered, config, files.dir)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	router := api.Router()
	router.Handle(path, files.page)
	router.Handle(path+"/", files.page)
	router.Handle(path+"/model", made.handler(made.serveModel))
	router.Handle(path+"/permissions", made.handler(made.servePermissions))
	for name, file := range files.byName {
		// While instances of two versions run, a page of one may load files of the other.
		router.Handle(path+"/files/{version}/"+name, file)
	}
	offered.AddLink("", "Admin", path)
	return nil
}

// checkPaths returns errors for an operation or routes at the paths of the admin.
func checkPaths(api *resource.API, offered *invoke.API, path string) error {
	whole := offered.Whole(path)
	for _, op := range offered.Operations {
		isAt := func(taken string) bool { return op.IsAt(whole + taken) }
		served := []string{"", "/model", "/permissions", "/files/x/app.js", "/files/x/vendor/preact.js"}
		if slices.ContainsFunc(served, isAt) || strings.HasPrefix(op.Path(), whole+"/") {
			return fmt.Errorf("config: Path: operation %s at %s would take requests of %s; use another path", op.ID, op.Path(), path)
		}
	}
	var errs []error
	for _, route := range api.Router().Routes() {
		if route.Pattern == path || strings.HasPrefix(route.Pattern, path+"/") {
			errs = append(errs, fmt.Errorf("%s has a route already; has the admin been mounted before?", route.Pattern))
		}
	}
	return errors.Join(errs...)
}
