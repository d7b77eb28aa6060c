package main

import "testing"

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
