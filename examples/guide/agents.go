package main

import "github.com/trove-api/trove/mcp"

var agents = mcp.Config{
	Name: "Guide", Version: "1.0.0",
	Without: []string{"loginOrder"}, // operations that are not tools
	Hosts:   []string{"api.example.com"},
	Origins: []string{"https://chat.example.com"},
}
