package admin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trove-api/trove/internal/guest"
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
	offered := guest.Of(api)
	path := config.path()
	taken := []error{config.check(offered)}
	for _, route := range api.Router().Routes() {
		if route.Pattern == path || strings.HasPrefix(route.Pattern, path+"/") {
			taken = append(taken, fmt.Errorf("%s has a route already; has the admin been mounted before?", route.Pattern))
		}
	}
	for _, op := range offered.Operations {
		if op.Path == path || strings.HasPrefix(op.Path, path+"/") {
			taken = append(taken, fmt.Errorf("config: Path: operation %s has the path %s; use another path", op.ID, op.Path))
		}
	}
	if err := errors.Join(taken...); err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	files, err := newAssets(offered, config)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	made, err := newAdmin(offered, config)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	router := api.Router()
	router.Handle(path, files.page)
	router.Handle(path+"/", files.page)
	router.Handle(path+"/model", made.handler(made.serveModel))
	router.Handle(path+"/permissions", made.handler(made.servePermissions))
	for name, file := range files.byName {
		router.Handle(path+"/"+name, file)
	}
	offered.AddLink("", "Admin", path)
	return nil
}
