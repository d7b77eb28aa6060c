package mcp

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/invoke"
)

// Config configures the MCP server of an API. Its zero value is ready to use.
type Config struct {
	// Name is the name of the server. Default: "API".
	Name string
	// Version is the version of the API. Default: "0.0.0".
	Version string
	// Instructions explain the service to models: its purpose, and what the descriptions of tools do not cover.
	// Default: none.
	Instructions string
	// Without lists the ids of operations that are not tools, such as "deleteBook". The records of a Get in the list are
	// not resources either. Hidden operations are never tools. Default: none.
	Without []string
	// With lists the ids of operations that are tools although they begin or end a session or set a password. By
	// default, these are not tools, because agents keep no cookies, and should not see or guess passwords. They are
	// operations that are Anonymous, that document the header field Set-Cookie, that declare a parameter with "password" in
	// its name, or whose body has such a field or a writeonly field that may hold text, also in nested structs, lists and
	// maps. Default: none.
	With []string
	// Hosts are the host names of the service, without a port. A request with another Host returns 403, which prevents
	// DNS rebinding. Loopback names such as localhost, and the host of resource.Config.PublicURL, are always allowed. With
	// [resource.Serve], pass the names to it instead. With your own http.Server, set Hosts behind a proxy on the same machine
	// that forwards the public name.
	// Default: requests from the network may have any Host. Requests from the machine itself may have only loopback
	// names, or those that resource.Serve accepts.
	Hosts []string
	// Origins are the origins of web pages that may send requests, such as "https://chat.example.com". Requests from other
	// origins return 403. To let browsers show the responses, add CORS with a middleware. Default: only the service's own,
	// which includes that of resource.Config.PublicURL.
	Origins []string
}

// check returns all errors in the config.
func (c *Config) check(api *invoke.API) error {
	var errs []error
	for _, id := range c.Without {
		if _, err := api.Operation(id); err != nil {
			errs = append(errs, fmt.Errorf("config: Without: %w", err))
		}
	}
	for _, id := range c.With {
		switch op, err := api.Operation(id); {
		case err != nil:
			errs = append(errs, fmt.Errorf("config: With: %w", err))
		case op.Hidden || slices.Contains(c.Without, id):
			errs = append(errs, fmt.Errorf("config: With: operation %q is Hidden or in Without", id))
		}
	}
	for _, host := range c.Hosts {
		if host == "" || strings.ContainsAny(host, "/ @") || httpfield.HostOf(host) != host {
			errs = append(errs, fmt.Errorf("config: Hosts: %q is not a host name; "+
				"write it without scheme, port and path, such as %q", host, "api.example.com"))
		}
	}
	var checked http.CrossOriginProtection
	for _, origin := range c.Origins {
		if err := checked.AddTrustedOrigin(origin); err != nil {
			errs = append(errs, fmt.Errorf("config: Origins: %q is not an origin; write scheme and host, such as %q", origin, "https://chat.example.com"))
		}
	}
	return errors.Join(errs...)
}

// operations returns the operations that become tools.
func (c *Config) operations(api *invoke.API) (list []*invoke.Operation, err error) {
	var errs []error
	ids := map[string]string{} // by the names of tools
	for _, op := range api.Operations {
		switch name := nameOf(op.ID); {
		case op.Hidden || slices.Contains(c.Without, op.ID):
		case op.HandlesSecrets() && !slices.Contains(c.With, op.ID):
		case ids[name] != "":
			errs = append(errs, fmt.Errorf("resource %s: the operations %s and %s become the tool %s; set the Name of one, or add it to Without",
				op.Resource.ShortName, ids[name], op.ID, name))
		default:
			ids[name] = op.ID
			list = append(list, op)
		}
	}
	return list, errors.Join(errs...)
}
