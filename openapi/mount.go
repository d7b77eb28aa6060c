package openapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/resource"
)

// Mount serves the OpenAPI document of an API, and a page that shows it, whose files are embedded in the program. Below
// the API's prefix they are at
//
//	/docs       the page: Swagger UI, unless Config.UI is set
//	/docs.json  the document as JSON
//	/docs.yaml  the document as YAML
//
// The catalog at /.well-known/api-catalog lists these for programs (RFC 9727), unless your own route is there.
//
// A browser that opens the prefix itself sees a home page: the resources with what the caller may do to each, how to sign
// in, and links to the documentation. A browser that opens / is redirected there, unless / has a route. The parameter
// version=3.0 or version=3.1 selects a version of OpenAPI; the default is Config.OpenAPI.
//
// Call Mount after adding your own routes and before serving. The first request for a version builds the document. Mount
// itself builds it only if functions of the config, schemas of rules or clashing type names could make it invalid.
// The JSON has the media type application/json, because browsers download the one registered for OpenAPI.
//
// Mount returns all errors of [Document] and [resource.API.Check] together, and errors for a second Mount and for routes
// at these paths. It then serves nothing.
func Mount(api *resource.API, config Config) error {
	if api == nil {
		return errors.New("openapi: the API is nil")
	}
	model := compiled.Of(api)
	docs := model.Prefix + "/docs"
	forms, err := newForms(api, config)
	rule, unguarded := compileAccess(api, config.Access)
	guarded := gatekeeper(func(path string, next http.Handler) http.Handler {
		if rule == nil {
			return next
		}
		return serve.Guard(model, path, rule, next)
	})
	ui, noUI := newPage(model, config, docs)
	if err := errors.Join(api.Check(), checkPaths(api, model.Own(docs)), err, unguarded, noUI); err != nil {
		return err
	}
	for path, handler := range map[string]http.Handler{
		docs + ".json": forms.serve(func(f form) (*content.Content, error) { return f.json() }),
		docs + ".yaml": forms.serve(func(f form) (*content.Content, error) { return f.yaml() }),
		docs:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ui.HTML().ServeHTTP(w, r) }),
	} {
		handleGet(api, model.Own(path), guarded(path, handler))
	}
	own := model.Own(docs)
	router := api.Router()
	router.Get(own+"/", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, docs, http.StatusFound) })
	for name, asset := range ui.Files {
		handleGet(api, own+"/"+name, asset)
	}
	model.Docs, model.GuardDocs, model.DocsRule = docs, guarded, rule
	page, err := newHome(model, config.title(), config.Description)
	if err != nil {
		return fmt.Errorf("openapi: %w", err)
	}
	model.Home = page
	model.FormatAPI.Title, model.FormatAPI.Description = config.Title, config.Description
	for _, link := range []compiled.Link{ // with the relations of RFC 8631
		{Rel: "service-doc", Title: "Documentation", Path: docs, Type: "text/html"},
		{Rel: "service-desc", Title: "OpenAPI (JSON)", Path: docs + ".json", Type: "application/json"},
		{Rel: "service-desc", Title: "OpenAPI (YAML)", Path: docs + ".yaml", Type: "application/yaml"},
	} {
		model.AddLink(link)
	}
	mountCatalog(api, config.title(), guarded)
	return nil
}

// checkPaths checks that the paths of the documentation are free.
func checkPaths(api *resource.API, docs string) error {
	if compiled.Of(api).Docs != "" {
		return fmt.Errorf("openapi: already mounted at %s", compiled.Of(api).Docs)
	}
	var errs []error
	for _, route := range api.Router().Routes() {
		switch {
		case route.Pattern == docs, route.Pattern == docs+".json", route.Pattern == docs+".yaml",
			strings.HasPrefix(route.Pattern, docs+"/"):
			errs = append(errs, fmt.Errorf("openapi: route %s conflicts with the documentation; use another path", route.Pattern))
		}
	}
	return errors.Join(errs...)
}

// handleGet registers a handler for GET and HEAD, and responds to OPTIONS.
func handleGet(api *resource.API, path string, handler http.Handler) {
	router := api.Router()
	router.Method(http.MethodGet, path, handler)
	router.Method(http.MethodHead, path, handler)
	router.Options(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	})
}

// gatekeeper wraps a handler of the documentation in its access rule.
type gatekeeper func(path string, next http.Handler) http.Handler

// compileAccess compiles the rule of the documentation, nil for none.
func compileAccess(api *resource.API, rule access.Rule) (*authz.Rule, error) {
	if rule == nil {
		return nil, nil //nolint:nilnil // everyone may read it
	}
	if model := compiled.Of(api); !model.Ruled && len(model.Resources) > 0 {
		return nil, errors.New("openapi: config: Access is set, but no resource declares an access rule, so every operation is open to everyone; " +
			"set Access of each resource; access.Public allows everyone")
	}
	compiler := authz.Compiler{Schemes: compiled.Of(api).Authentication}
	made, err := compiler.WithoutRecord(rule, "the documentation")
	if err != nil {
		return nil, fmt.Errorf("openapi: config: Access: %w", err)
	}
	return made, nil
}
