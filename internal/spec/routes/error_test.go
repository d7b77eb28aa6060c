package routes_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

func TestHTTPEdges(t *testing.T) {
	t.Parallel()
	const item, list = "/api/dragon_treasures/1", "/api/dragon_treasures"
	for _, test := range []struct {
		rule, request, body string
		header              []string
		status              int
		mentions            []string
	}{
		{"an unknown route", "GET /nowhere", "", nil, 404, nil},
		{"an unknown route below the prefix", "GET /api/nowhere", "", nil, 404, nil},
		{"an unknown method", "BREW " + list, "", nil, 405, []string{"GET, HEAD, QUERY, POST, OPTIONS"}},
		{"a text body", "POST " + list, spec.Slinky, []string{"Content-Type", "text/plain"}, 415, []string{"application/json"}},
		{"a form", "POST " + list, "a=b", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, nil},
		{"an unknown charset", "POST " + list, spec.Slinky, []string{"Content-Type", "application/json; charset=latin1"}, 415, nil},
		{"a compressed body", "POST " + list, spec.Slinky, []string{"Content-Encoding", "gzip"}, 415, []string{"Content-Encoding"}},
		{"an unacceptable type", "GET " + list, "", []string{"Accept", "text/csv"}, 406, []string{"application/json"}},
		{"a refused type", "GET " + item, "", []string{"Accept", "application/json;q=0"}, 406, nil},
		{"2 MiB", "POST " + list, `{"name":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413, []string{"1048576"}},
		{"trailing data", "POST " + list, spec.Slinky + `{"x":1}`, nil, 400, nil},
		{"a duplicate member", "POST " + list, `{"name":"Cup","name":"Mug","value":1}`, nil, 400, []string{"name"}},
		{"a nested duplicate member", "POST " + list, `{"name":"Cup","zzz":{"a":1,"a":2}}`, nil, 400, nil},
		{"malformed JSON", "POST " + list, `{"name":`, nil, 400, nil},
		{"a comment", "POST " + list, `{/* x */}`, nil, 400, nil},
		{"an empty body", "POST " + list, "", []string{"Content-Type", "application/json"}, 400, []string{"empty"}},
		{"no body and no type", "POST " + list, "", nil, 400, []string{"empty"}},
		{"spaces alone", "POST " + list, "  \n", nil, 400, []string{"empty"}},
		{"null", "POST " + list, "null", nil, 400, []string{"object"}},
		{"an array", "POST " + list, "[]", nil, 400, []string{"object"}},
		{"a string", "PUT " + item, `"x"`, nil, 400, []string{"object"}},
		{"invalid UTF-8", "POST " + list, "{\"name\":\"\xff\"}", nil, 400, nil},
		{"a lone surrogate", "POST " + list, `{"name":"\ud800"}`, nil, 400, nil},
		{"deep nesting", "POST " + list, `{"zzz":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, nil, 413, []string{"64 levels"}},
		{"an unknown parameter", "GET " + list + "?limt=5", "", nil, 400, []string{"limt"}},
		{"an unknown parameter of a write", "POST " + list + "?dry=1", spec.Slinky, nil, 400, []string{"dry"}},
		{"two unknown parameters", "GET " + list + "?b=1&a=2", "", nil, 400, []string{`Unknown parameter \"a\". Unknown parameter \"b\".`}},
		{"a query that is not well formed", "GET " + list + "?a=%zz", "", nil, 400, nil},
		{"an identifier of the wrong type", "GET /api/dragon_treasures/abc", "", nil, 404, nil},
		{"a missing record", "GET /api/dragon_treasures/99", "", nil, 404, nil},
		{"a missing record and a bad body", "PATCH /api/dragon_treasures/99", "{", nil, 404, nil},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{Store: memory.New(spec.DragonTreasure{Name: "Cup"})})
			before := c.Send("GET "+list, "").Body
			c.Send(test.request, test.body, test.header...).IsProblem(test.status).Mentions(test.mentions...)
			c.Send("GET "+list, "").Is(200, before)
		})
	}
}

func TestBodiesThatAreNotValid(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, body string
		fields     []string
	}{
		{"a missing member", `{}`, []string{"name", "name is required"}},
		{"a blank one", `{"name":"  "}`, []string{"name", "name must not be blank"}},
		{"one that is too short", `{"name":"x"}`, []string{"name", "name must be at least 2 characters long"}},
		{"characters, not bytes, count", `{"name":"é"}`, []string{"name", "name must be at least 2 characters long"}},
		{"a number out of range", `{"name":"Cup","value":-1}`, []string{"value", "value must be at least 0"}},
		{"a nullable number out of range", `{"name":"Cup","coolFactor":11}`, []string{"coolFactor", "coolFactor must be at most 10"}},
		{"a wrong type", `{"name":5}`, []string{"name", "name must be a string"}},
		{"a fraction for an integer", `{"name":"Cup","value":1.5}`, []string{"value", "value must be an integer"}},
		{"a number in a string", `{"name":"Cup","value":"1"}`, []string{"value", "value must be an integer"}},
		{"a string for a boolean", `{"name":"Cup","isPublished":"true"}`, []string{"isPublished", "isPublished must be true or false"}},
		{"null for what is not nullable", `{"name":"Cup","value":null}`, []string{"value", "value must be an integer"}},
		{"wrong types and broken rules together", `{"name":"x","value":"1","isPublished":0}`, []string{
			"name", "name must be at least 2 characters long",
			"value", "value must be an integer", "isPublished", "isPublished must be true or false",
		}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
			c.Send("POST /api/dragon_treasures", test.body).IsInvalid(test.fields...)
			c.Send("GET /api/dragon_treasures", "").Is(200, `[]`)
		})
	}
}

func TestUnknownFieldsAreNamedWithASuggestion(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", `{"name":"Cup","valeu":5,"Name":"Mug"}`).HasStatus(400).
		Mentions(`"valeu":`, `\"value\"`, `"Name":`, `\"name\"`)
}

func TestIntegersMayBeWrittenAsDecimals(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	for _, number := range []string{"3", "3.0", "0.3e1", "30E-1"} {
		c.Send("POST /api/dragon_treasures", `{"name":"Cup","value":`+number+`}`).HasStatus(201).Mentions(`"value":3,`)
	}
	for _, number := range []string{"1e400", "9223372036854775808", "1e999999999999", "0.1"} {
		c.Send("POST /api/dragon_treasures", `{"name":"Cup","value":`+number+`}`).HasStatus(400).Mentions("value")
	}
}

func TestNULIsRejected(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", `{"name":"a\u0000b"}`).HasStatus(400).Mentions(`"name":`)
}

func TestValuesAreNeverEchoed(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{})
	const secret = "hunter2"
	for _, body := range []string{
		`{"name":["hunter2"]}`, `{"value":"hunter2"}`, `{"name":"Cup","coolFactor":"hunter2"}`, `{"zzz":"hunter2"}`,
		`{"name":hunter2}`, `"hunter2"`, `{"name":"hunter2","name":"hunter2"}`,
	} {
		if got := c.Send("POST /api/dragon_treasures", body).HasStatus(400); strings.Contains(got.Body, secret) {
			t.Errorf("the answer to %s repeats a value: %s", body, got.Body)
		}
	}
	c.Send("GET /api/dragon_treasures?q=hunter2", "").IsProblem(400)
}

func TestTheProblemShape(t *testing.T) {
	t.Parallel()
	const want = `{"type":"validation_error","title":"There was a validation error","status":422,"violations":[
		{"pointer":"/tags/1","code":"type","message":"tags[1] must be a string"},
		{"pointer":"/name","code":"min","message":"name must be at least 2 characters long","params":{"min":2}}]}`
	type Box struct {
		ID   int64    `json:"id"`
		Tags []string `json:"tags"`
		Name string   `json:"name" validate:"min=2"`
	}
	const body = `{"name":"x","tags":["a",1]}`
	for _, c := range []spec.Client{
		spec.NewClient(t, resource.Config{Errors: validation.Problem}, resource.Of[Box]{}),
		spec.NewClient(t, resource.Config{}, resource.Of[Box]{Errors: validation.Problem}),
	} {
		c.Send("POST /api/boxes", body).Is(422, want).Has("Content-Type", "application/problem+json")
		c.Send("POST /api/boxes", "{").IsProblem(400)
	}
	c := spec.NewClient(t, resource.Config{Errors: validation.Problem}, resource.Of[Box]{Errors: validation.Map})
	c.Send("POST /api/boxes", `{"name":"x"}`).IsInvalid("name", "name must be at least 2 characters long")
}

func TestUniqueness(t *testing.T) {
	t.Parallel()
	type Member struct {
		ID    int64   `json:"id"`
		Email string  `json:"email" api:"unique" validate:"email"`
		Phone *string `json:"phone" api:"unique"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Member]{}, resource.Of[spec.Programmer]{})
	c.Send("POST /api/members", `{"email":"a@example.com"}`).HasStatus(201)
	c.Send("POST /api/members", `{"email":"b@example.com"}`).HasStatus(201)
	c.Send("POST /api/members", `{"email":"a@example.com"}`).IsProblem(409).Mentions(`"field":"email"`, `"detail":`)
	c.Send("PATCH /api/members/2", `{"email":"a@example.com"}`).IsProblem(409).Mentions(`"field":"email"`)
	c.Send("PATCH /api/members/1", `{"email":"a@example.com"}`).HasStatus(200)
	c.Send("POST /api/programmers", `{"nickname":"ada"}`).HasStatus(201)
	c.Send("POST /api/programmers", `{"nickname":"ada"}`).IsProblem(409).Mentions(`"field":"nickname"`)
}

func TestAValueInUseIsReportedWithTheNameOfTheField(t *testing.T) {
	t.Parallel()
	type Dragon struct {
		ID    int64  `json:"id"`
		Name  string `json:"name" api:"unique" message:"unique: Another dragon took this name. ROAR!"`
		Email string `json:"email" api:"unique" message:"Please enter an email" validate:"email"`
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Dragon]{})
	c.Send("POST /api/dragons", `{"name":"smaug","email":"a@example.com"}`).HasStatus(201)
	c.Send("POST /api/dragons", `{"name":"smaug","email":"b@example.com"}`).IsProblem(409).
		Mentions(`"detail":"Another dragon took this name. ROAR!"`, `"field":"name"`)
	c.Send("POST /api/dragons", `{"name":"puff","email":"a@example.com"}`).IsProblem(409).
		Mentions(`"detail":"email is already in use."`, `"field":"email"`)
}

func TestIgnoredParameters(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{IgnoreParameters: []string{"utm_*", "v"}}, resource.Of[spec.DragonTreasure]{})
	c.Send("GET /api/dragon_treasures?utm_source=x&v=1", "").HasStatus(200)
	c.Send("GET /api/dragon_treasures?utm_source=x&w=1", "").IsProblem(400).Mentions(`"parameters":[{"name":"w","in":"query",`)
}

func TestMaxBodyBytes(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{MaxBodyBytes: 20}, resource.Of[spec.DragonTreasure]{})
	c.Send("POST /api/dragon_treasures", `{"name":"Cup"}`).HasStatus(201)
	c.Send("POST /api/dragon_treasures", `{"name":"Golden cup"}`).IsProblem(413)
	c.SendReader("POST /api/dragon_treasures", strings.NewReader(`{"name":"Golden cup"}`)).IsProblem(413)
}
