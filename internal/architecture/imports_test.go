package architecture_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/trove-api/trove"

// layers are the module's packages from the ground up. A package imports only those before it. A name that ends in a
// slash means all packages below it, which may import one another.
var layers = []string{
	"date",
	"store",
	"access",
	"format",
	"internal/naming",
	"internal/look",
	"internal/alloctest",
	"format/",
	"operation",
	"operation/observe",
	"validation",
	"internal/uritemplate",
	"internal/passwords",
	"internal/txn",
	"internal/migration",
	"internal/httpfield",
	"internal/schema",
	"internal/fulltext",
	"internal/model",
	"internal/codec",
	"internal/check",
	"internal/problem",
	"internal/content",
	"internal/filter",
	"internal/parameters",
	"internal/authz",
	"internal/compiled",
	"internal/describe",
	"internal/untyped",
	"internal/memory",
	"internal/serve",
	"internal/invoke",
	"store/",
	"resource",
	"middleware",
	"middleware/redisrate",
	"operation/observe/observeotel",
	"operation/observe/observeprom",
	"access/password",
	"access/session",
	"openapi/internal/",
	"openapi",
	"openapi/",
	"cli",
	"mcp",
	"admin",
	"access/accesstest",
	"internal/spec",
	"examples/",
	"cmd/trove/starter",
	"cmd/trove",
}

// libraries are the third-party modules, each with the packages that may import it.
var libraries = map[string][]string{
	"github.com/go-playground/validator/v10":   {"validation", "internal/check"},
	"github.com/go-json-experiment/json":       {"internal/", "format/", "store/sqlstore", "resource", "openapi", "openapi/internal/", "mcp"},
	"github.com/go-chi/chi/v5":                 {"internal/serve", "resource"},
	"github.com/getkin/kin-openapi":            {"openapi", "openapi/internal/"},
	"github.com/swaggest/swgui":                {"openapi/internal/page"},
	"github.com/modelcontextprotocol/go-sdk":   {"mcp"},
	"github.com/oasdiff/yaml3":                 {"openapi"}, // kin-openapi brings it
	"github.com/gertd/go-pluralize":            {"internal/naming"},
	"github.com/blevesearch/snowballstem":      {"internal/fulltext"},
	"github.com/agnivade/levenshtein":          {"internal/"},
	"github.com/google/uuid":                   {"internal/", "store/sqlstore", "store/storetest"},
	"github.com/cespare/xxhash/v2":             {"internal/httpfield"},
	"github.com/go-chi/cors":                   {"middleware"},
	"github.com/redis/go-redis/v9":             {"middleware/redisrate"},
	"github.com/prometheus/client_golang":      {"operation/observe/observeprom"},
	"go.opentelemetry.io/otel":                 {"operation/observe/observeotel"},
	"golang.org/x/crypto":                      {"access/password"},
	"golang.org/x/text":                        {"access/password", "internal/fulltext"},
	"github.com/jackc/pgx/v5":                  {"store/sqlstore/postgres"},
	"github.com/go-sql-driver/mysql":           {"store/sqlstore/mysql"},
	"modernc.org/sqlite":                       {"store/sqlstore/sqlite"},
	"github.com/google/go-cmp":                 {"store/storetest", "openapi/openapitest", "internal/spec"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"openapi/openapitest"},
}

// forPeople are the packages that make pages for people. No package of the request path imports them.
var forPeople = []string{"openapi", "admin"}

func TestImportsGoUpwardsOnly(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for _, spec := range s.file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if reason := reason(s.dir, imported); reason != "" {
				t.Errorf("%s:%d imports %s: %s", s.path, s.line(spec), imported, reason)
			}
		}
	}
}

// TestProtocolsImportInvoke holds that a protocol needs no package of internal but invoke, and those that know no operations:
// schemas, names, problems, header fields, files and looks.
func TestProtocolsImportInvoke(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"internal/invoke", "internal/schema", "internal/naming", "internal/problem", "internal/httpfield", "internal/content",
		"internal/look",
	}
	for _, s := range sources(t) {
		isProtocol := slices.Contains([]string{"mcp", "admin", "internal/invoke"}, s.dir) // of invoke its test
		if !isProtocol || s.dir == "internal/invoke" && !s.isTest() {
			continue
		}
		for _, spec := range s.file.Imports {
			own, isOwn := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/")
			if isOwn && strings.HasPrefix(own, "internal/") && !slices.Contains(allowed, own) {
				t.Errorf("%s:%d imports %s; a protocol imports %s alone", s.path, s.line(spec), own, strings.Join(allowed, " and "))
			}
		}
	}
}

func TestRejectedImports(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		importer, imported string
		refused            bool
	}{
		"the standard library is for all":                  {"operation", "net/http", false},
		"a layer imports one before it":                    {"openapi", module + "/resource", false},
		"an internal package imports one before it":        {"internal/codec", module + "/internal/model", false},
		"an internal package does not import one after it": {"internal/model", module + "/internal/codec", true},
		"an adapter imports internal packages":             {"store/memory", module + "/internal/model", false},
		"a library is for the packages it is listed with":  {"resource", "github.com/go-chi/chi/v5", false},
		"nothing serves profiles unasked":                  {"resource", "github.com/go-chi/chi/v5/middleware", true},
		"a layer does not import one after it":             {"resource", module + "/openapi", true},
		"internal packages do not import resource":         {"internal/serve", module + "/resource", true},
		"operations do not know other protocols":           {"internal/serve", module + "/internal/invoke", true},
		"the port does not import its adapters":            {"store", module + "/store/memory", true},
		"operation imports the standard library only":      {"operation", "github.com/google/uuid", true},
		"operation imports what a format is":               {"operation", module + "/format", false},
		"a format of ours imports what a format is":        {"format/csv", module + "/format", false},
		"a format of ours imports nothing else":            {"format/csv", module + "/validation", true},
		"a format does not import operations":              {"format", module + "/operation", true},
		"store imports the standard library only":          {"store", module + "/operation", true},
		"access knows the port":                            {"access", module + "/store", false},
		"access does not import what is above it":          {"access", module + "/operation", true},
		"operation knows access":                           {"operation", module + "/access", false},
		"operation does not import the port":               {"operation", module + "/store", true},
		"kin-openapi stays in openapi":                     {"resource", "github.com/getkin/kin-openapi/openapi3", true},
		"the SDK for agents stays in mcp":                  {"resource", "github.com/modelcontextprotocol/go-sdk/mcp", true},
		"the document does without agents":                 {"openapi", module + "/mcp", true},
		"the request path makes no pages":                  {"internal/serve", "html/template", true},
		"an unknown library is refused":                    {"openapi", "example.com/new", true},
		"a package outside of the layers is refused":       {"helpers", "fmt", true},
		"examples do without internal packages":            {"examples/treasure", module + "/internal/model", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if reason := reason(test.importer, test.imported); (reason != "") != test.refused {
				t.Errorf("reason(%q, %q) = %q, want refused: %v", test.importer, test.imported, reason, test.refused)
			}
		})
	}
}

// reason returns why a package must not import another, or "".
func reason(importer, imported string) string {
	layer := layerOf(importer)
	own, ours := strings.CutPrefix(imported, module+"/")
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case layer < 0:
		return fmt.Sprintf("package %s stands in no layer: add it to the layers of this test, of .golangci.yml and of ARCHITECTURE.md", importer)
	case imported == "html/template" && !slices.Contains(forPeople, importer):
		return "programs without pages do not link it"
	case ours:
		return refuseOwn(importer, layer, own)
	case !strings.Contains(first, "."), layers[layer] == "examples/":
		return ""
	}
	if imported == "github.com/go-chi/chi/v5/middleware" {
		return "it links net/http/pprof, which serves profiles on http.DefaultServeMux of every program"
	}
	for library, importers := range libraries {
		if within(imported, library) && slices.ContainsFunc(importers, func(i string) bool { return covers(i, importer) }) {
			return ""
		}
	}
	return "not one of the libraries that this package may import; a new one is listed in this test and in .golangci.yml, with a record in docs/adr"
}

// refuseOwn returns why a package in a layer must not import another of the module's.
func refuseOwn(importer string, layer int, imported string) string {
	target := layerOf(imported)
	switch {
	case layers[layer] == "format":
		return "format imports the standard library only"
	case layers[layer] == "format/" && imported != "format" && !covers("format/", imported):
		return "formats import what a format is only"
	case layers[layer] == "store", layers[layer] == "access" && imported != "store", layers[layer] == "operation" && imported != "access" && imported != "format":
		return "store imports the standard library only, access the store besides, operation access and format besides"
	case layers[layer] == "examples/" && covers("internal/", imported):
		return "examples use what users can use"
	case target > layer, target == layer && !strings.HasSuffix(layers[layer], "/"):
		return fmt.Sprintf("imports go up the list of layers only, and %s stands in a later one than %s", imported, importer)
	}
	return ""
}

// layerOf returns the index of a package's layer, -1 for none.
func layerOf(dir string) int {
	return slices.IndexFunc(layers, func(layer string) bool { return covers(layer, dir) })
}

// covers reports whether a name as in layers is the package or a folder of it.
func covers(name, dir string) bool {
	if strings.HasSuffix(name, "/") {
		return strings.HasPrefix(dir, name)
	}
	return dir == name
}

// within reports whether an import path is of a third-party module.
func within(imported, library string) bool {
	return imported == library || strings.HasPrefix(imported, library+"/")
}
