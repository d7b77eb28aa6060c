package main

import (
	"testing"
)

const (
	programmersPath = "/api/programmers"
	enterNickname   = `{"nickname":"Please enter a nickname"}`
)

func TestProgrammersCanBeCreatedReadUpdatedAndDeleted(t *testing.T) {
	t.Parallel()
	s := start(t)
	created := s.send("POST "+programmersPath, `{"nickname":"grace","avatarNumber":5,"tagLine":"Hi","userId":99}`).
		is(201, "nickname", `"grace"`, "avatarNumber", "5", "tagLine", `"Hi"`, "userId", "1")
	if location := created.header.Get("Location"); location != programmersPath+"/grace" {
		t.Errorf("Location is %q", location)
	}
	s.send("PUT "+programmersPath+"/grace", `{"nickname":"grace","avatarNumber":6,"userId":99}`).
		is(200, "avatarNumber", "6", "tagLine", `""`, "userId", "1")
	s.send("PATCH "+programmersPath+"/grace", `{"tagLine":"Ho"}`).is(200, "avatarNumber", "6", "tagLine", `"Ho"`, "userId", "1")
	s.send("GET "+programmersPath+"/grace.json", "").is(200, "tagLine", `"Ho"`)
	s.send("DELETE "+programmersPath+"/grace", "").is(204)
	s.send("GET "+programmersPath+"/grace", "").is(404)
}

func TestANicknameIsRequiredAndNotBlank(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.send("POST "+programmersPath, `{"nickname":"ada","avatarNumber":1}`).is(201)
	for _, body := range []string{
		`{"avatarNumber":5}`, `{"nickname":"","avatarNumber":5}`, `{"nickname":"  \t","avatarNumber":5}`, `{"nickname":null,"avatarNumber":5}`,
	} {
		for _, request := range []string{"POST " + programmersPath, "PUT " + programmersPath + "/ada"} {
			refused := s.send(request, body).
				is(400, "type", `"validation_error"`, "title", `"There was a validation error"`, "errors", enterNickname)
			if got := refused.header.Get("Content-Type"); got != "application/problem+json" {
				t.Errorf("Content-Type is %q", got)
			}
		}
	}
	s.send("PATCH "+programmersPath+"/ada", `{"nickname":" "}`).is(400, "errors", enterNickname)
	s.send("GET "+programmersPath+"/ada", "").is(200, "avatarNumber", "1")
}
