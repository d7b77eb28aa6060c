package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// call sends a request of the Model Context Protocol.
func (c client) call(method, params string) answer {
	c.t.Helper()
	return c.send("POST /mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`, "Accept", "application/json, text/event-stream")
}

func TestAgentsLearnWhichScopeTheirTokenLacks(t *testing.T) {
	t.Parallel()
	c := serveDemo(t)
	agent := c.as(c.as("demo-ann").send("POST /api/api_tokens", `{"scopes":["treasure:create"]}`).is(201).field("token"))
	agent.call("tools/list", `{}`).is(200, `"importDragonTreasure"`).lacks(`"patchDragonTreasure"`, `"followUser"`)
	agent.call("tools/call", `{"name":"patchDragonTreasure","arguments":{"id":1,"value":1}}`).
		is(200, `"isError":true`, "You do not have permission to update this dragon treasure.", `scope=\"treasure:edit\"`)
	agent.call("tools/call", `{"name":"importDragonTreasure","arguments":{"body":[{"name":"Ring"},{"name":"Lamp"}]}}`).
		is(200, `"structuredContent":{"items":[{"id":61`)
	agent.call("tools/call", `{"name":"importDragonTreasure","arguments":{"body":[{"name":"Bell"},{"name":""}]}}`).
		is(200, `"isError":true`, "[1].name").lacks("structuredContent")
}

func TestAgentsHaveTheToolsOfTheirUsers(t *testing.T) {
	t.Parallel()
	c := serveDemo(t)
	ann, bob := c.as("demo-ann"), c.as("demo-bob")
	c.call("tools/list", `{}`).is(200, `"listDragonTreasures"`, `"getQuest"`).lacks("createDragonTreasure", "patchQuest", "login", "logout")
	ann.call("tools/list", `{}`).is(200, `"createDragonTreasure"`, `"patchQuest"`, `"followUser"`).lacks("login", "logout", "Relationship")
	ann.call("tools/call", `{"name":"createDragonTreasure","arguments":{"name":"Ring","isPublished":true}}`).
		is(200, `"structuredContent":{"id":61`, `"owner":"/api/users/1"`)
	ann.call("tools/call", `{"name":"patchDragonTreasure","arguments":{"id":2,"value":1}}`).is(200, `"isError":true`, "You do not have permission to update this dragon treasure.")
	ann.call("tools/call", `{"name":"patchQuest","arguments":{"date":"2026-11-22","status":"won"}}`).is(200, `"isError":true`, "must be one of")
	bob.call("tools/call", `{"name":"listNotifications","arguments":{}}`).is(200, "Ring has been published.")
	bob.call("resources/read", `{"uri":"/api/dragon_treasures/5"}`).is(200, `"error"`).lacks("Amber")
	c.call("tools/call", `{"name":"createDragonTreasure","arguments":{"name":"Ring"}}`).is(401)
}

// TestAdminModels holds what the admin shows to an admin, to a user and to anonymous callers.
func TestAdminModels(t *testing.T) {
	t.Parallel()
	s := serveDemo(t)
	for name, token := range map[string]string{"root": "demo-root", "ann": "demo-ann", "anonymous": ""} {
		c := s
		if token != "" {
			c = s.as(token)
		}
		var got strings.Builder
		writeLines(&got, "", json.RawMessage(c.send("GET /admin/model", "").is(200).body))
		file := "testdata/admin-" + name + ".txt"
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("the model of %s differs from %s; write it with -update, and read the difference", name, file)
		}
	}
}

// writeLines writes a value with a line for each field of an operation and of a resource.
func writeLines(b *strings.Builder, indent string, value json.RawMessage) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case len(value) < 120 || len(indent) > 6:
		fmt.Fprintf(b, " %s\n", value)
	case json.Unmarshal(value, &object) == nil:
		b.WriteByte('\n')
		for _, name := range slices.Sorted(maps.Keys(object)) {
			b.WriteString(indent + name)
			writeLines(b, indent+"  ", object[name])
		}
	case json.Unmarshal(value, &list) == nil:
		b.WriteByte('\n')
		for _, element := range list {
			b.WriteString(indent + "-")
			writeLines(b, indent+"  ", element)
		}
	default:
		fmt.Fprintf(b, " %s\n", value)
	}
}
