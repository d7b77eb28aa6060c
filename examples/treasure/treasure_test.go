package main

import (
	"testing"
	"time"
)

const treasuresPath = "/api/dragon_treasures"

func TestTreasuresCanBeCreatedReadUpdatedAndDeleted(t *testing.T) {
	t.Parallel()
	s := start(t)
	if list := s.send("GET "+treasuresPath, "").is(200); list.header.Get("X-Total-Count") != "12" {
		t.Errorf("the service begins with %s treasures, want twelve", list.header.Get("X-Total-Count"))
	}
	s.send("GET "+treasuresPath+".json", "").is(200)

	created := s.send("POST "+treasuresPath, `{"name":"Mirror","value":7,"plunderedAt":"1999-01-01T00:00:00Z"}`).
		is(201, "id", "13", "name", `"Mirror"`, "description", "null", "value", "7", "coolFactor", "null", "isPublished", "false")
	at, err := time.Parse(`"`+time.RFC3339Nano+`"`, created.field("plunderedAt"))
	if err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("plunderedAt is %v (%v), want the time of the request", at, err)
	}
	location := created.header.Get("Location")
	if location != treasuresPath+"/13" {
		t.Errorf("Location is %q", location)
	}
	plundered := created.field("plunderedAt")

	s.send("GET "+location, "").is(200, "name", `"Mirror"`)
	s.send("GET "+location+".json", "").is(200, "name", `"Mirror"`)
	s.send("PUT "+location, `{"coolFactor":9}`).is(200, "name", `"Mirror"`, "coolFactor", "9", "plunderedAt", plundered)
	s.send("PATCH "+location, `{"coolFactor":null,"isPublished":true,"value":0}`).
		is(200, "coolFactor", "null", "isPublished", "true", "value", "0", "name", `"Mirror"`)
	if gone := s.send("DELETE "+location, "").is(204); gone.body != "" {
		t.Errorf("Delete answers %q, want no data", gone.body)
	}
	s.send("GET "+location, "").is(404, "status", "404")
	s.send("PATCH "+location, `{}`).is(404)
	s.send("PUT "+location, `{}`).is(404)
	s.send("DELETE "+location, "").is(404)
}

func TestTreasuresAreValidated(t *testing.T) {
	t.Parallel()
	s := start(t)
	for body, errors := range map[string]string{
		`{}`:                             `{"name":"name is required"}`,
		`{"name":" "}`:                   `{"name":"name must not be blank"}`,
		`{"name":"x"}`:                   `{"name":"name must be at least 2 characters long"}`,
		`{"name":"Cup","value":-1}`:      `{"value":"value must be at least 0"}`,
		`{"name":"Cup","coolFactor":11}`: `{"coolFactor":"coolFactor must be at most 10"}`,
		`{"name":"Cup","coolFactor":-1}`: `{"coolFactor":"coolFactor must be at least 0"}`,
		`{"name":"Cup","isPublished":1}`: `{"isPublished":"isPublished must be true or false"}`,
	} {
		s.send("POST "+treasuresPath, body).
			is(400, "type", `"validation_error"`, "title", `"There was a validation error"`, "errors", errors)
	}
	s.send("PUT "+treasuresPath+"/1", `{"name":""}`).is(400, "errors", `{"name":"name must not be blank"}`)
	s.send("PATCH "+treasuresPath+"/1", `{"value":-1}`).is(400, "errors", `{"value":"value must be at least 0"}`)
	s.send("GET "+treasuresPath+"/1", "").is(200, "name", `"Giant slinky"`, "value", "100")
	if list := s.send("GET "+treasuresPath, ""); list.header.Get("X-Total-Count") != "12" {
		t.Errorf("a refused create left something behind: %s", list.body)
	}
}
