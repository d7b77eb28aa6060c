package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/guest"
)

// Config says what agents are told of an API beside its operations, and who may reach it. The
// zero value of every field is the default named at the field.
type Config struct {
	// Name is what clients call the service. Default: "API".
	Name string
	// Version is the version of the API. Default: "0.0.0".
	Version string
	// Instructions tell models what the service is for, and what no tool says of itself.
	// Default: none.
	Instructions string
	// Without lists the ids of operations that are no tools, such as "login". Their records are
	// no resources either, of those that read one. Hidden operations need no mention.
	Without []string
	// Hosts are the names by which the service is called, without a port: a request whose Host is
	// another one is answered 403, for a page may have had its own name lead here (DNS
	// rebinding). Those of the machine itself, such as localhost, are always among them. Set it
	// behind a proxy on the same machine that passes the name on. Default: any for requests from
	// the network, those of the machine itself for requests from there.
	Hosts []string
	// Origins are those of web pages that may send requests, such as "https://chat.example.com";
	// what another site's page sends is answered 403. Whether browsers show it the answers is CORS,
	// and a middleware's business. Default: the service's own.
	Origins []string
}

// check returns what is wrong with the config.
func (c *Config) check(api *guest.API) error {
	var errs []error
	for _, id := range c.Without {
		if _, err := api.Operation(id); err != nil {
			errs = append(errs, fmt.Errorf("config: Without: %w", err))
		}
	}
	for _, host := range c.Hosts {
		if host == "" || strings.ContainsAny(host, "/ @") || hostOf(host) != host {
			errs = append(errs, fmt.Errorf("config: Hosts: %q is not the name of a host; "+
				"allowed: one without scheme, port and path, such as %q", host, "api.example.com"))
		}
	}
	var checked http.CrossOriginProtection
	for _, origin := range c.Origins {
		if err := checked.AddTrustedOrigin(origin); err != nil {
			errs = append(errs, fmt.Errorf("config: Origins: %q is not an origin; allowed: scheme and host, such as %q", origin, "https://chat.example.com"))
		}
	}
	return errors.Join(errs...)
}

// toolName is what clients take as the name of a tool.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// operations returns those that are tools.
func (c *Config) operations(api *guest.API) (list []*guest.Operation, err error) {
	var errs []error
	for _, op := range api.Operations {
		switch {
		case op.Hidden || op.Relationship != nil || slices.Contains(c.Without, op.ID):
		case !toolName.MatchString(op.ID):
			errs = append(errs, fmt.Errorf("resource %s: operation %s cannot be the name of a tool; "+
				"allowed: at most 128 of the letters A to Z and a to z, digits, _, - and .; set ShortName, Name the operation, or list it in Without", op.Resource, op.ID))
		default:
			list = append(list, op)
		}
	}
	return list, errors.Join(errs...)
}

func (c *Config) name() string    { return cmp.Or(c.Name, "API") }
func (c *Config) version() string { return cmp.Or(c.Version, "0.0.0") }
