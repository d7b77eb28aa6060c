package main

import "github.com/trove-api/trove/mcp"

var agents = mcp.Config{
	Name: "Guide", Version: "1.0.0",
	Without: []string{"deleteUser"}, // operations that are not tools
	With:    []string{"createUser"}, // operations that set a password, but are tools
	Hosts:   []string{"api.example.com"},
	Origins: []string{"https://chat.example.com"},
}
