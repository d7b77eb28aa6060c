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
