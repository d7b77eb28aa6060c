package bodies_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// badge unmarshals itself from JSON.
type badge struct{ raw string }

func (b badge) MarshalJSON() ([]byte, error) { return json.Marshal(b.raw) }

func (b *badge) UnmarshalJSON(text []byte) error {
	if string(text) != `"gold"` {
		return validation.Fail("", "must be gold")
	}
	b.raw = "gold"
	return nil
}

type told struct {
	ID     int64       `json:"id"`
	Name   string      `json:"name" validate:"notblank,max=5"`
	Motto  string      `json:"motto" validate:"max=3" message:"The motto is too long."`
	Even   int         `json:"even" validate:"even"`
	Price  Amount      `json:"price"`
	Badge  *badge      `json:"badge"`
	Serial string      `json:"serial" api:"createonly"`
	Owner  *int64      `json:"owner" api:"ref=Told"`
	Long   spec.Amount `json:"long" api:"sort"`
	Code   *string     `json:"code" api:"unique" validate:"omitempty,max=9"`
	From   int         `json:"from"`
	To     int         `json:"to"`
	Hook   int         `json:"hook"`
	Inner  struct {
		Price Amount   `json:"price"`
		Tags  []string `json:"tags" validate:"dive,max=2"`
	} `json:"inner"`
	Prices []Amount `json:"prices"`
}

// toldParameters are the parameters of an operation.
type toldParameters struct {
	Price Amount `json:"price"`
	Days  int    `json:"days" validate:"omitempty,even"`
}

// TestMessagesAreTheSameInEveryLayer compares all messages about a field: each begins with the field's own name,
// except unknown fields and texts that a user has written.
func TestMessagesAreTheSameInEveryLayer(t *testing.T) {
	t.Parallel()
	even := validation.Rule{Name: "even", Message: "must be even", Check: func(f validator.FieldLevel) bool { return f.Field().Int()%2 == 0 }}
	order := validation.Struct(func(_ context.Context, of *told) error {
		if of.To < of.From {
			return validation.Fail("to", "to must not be less than from")
		}
		return nil
	})
	of := resource.Of[told]{
		Prepare: func(_ context.Context, _ *operation.Request, of *told) error {
			if of.Hook == 1 {
				return validation.Fail("hook", "hook must not be 1")
			}
			return nil
		},
		Operations: append(operation.Standard(),
			operation.Post{Name: "check", URITemplate: "/tolds/check", Handler: operation.Handle(
				func(_ context.Context, _ *told, _ []operation.CreateOf[told]) (struct{}, error) {
					return struct{}{}, validation.Fail("[0].hook", "hook is refused")
				})},
			operation.Get{Name: "asked", URITemplate: "/tolds/{id}/asked", Parameters: operation.Parameters[toldParameters]{}}),
	}
	rows := map[string]struct{ body, field, message string }{
		"a field that is missing":          {`{"name":null}`, "name", "name is required"},
		"a wrong type":                     {`{"name":1}`, "name", "name must be a string"},
		"a rule":                           {`{"name":" "}`, "name", "name must not be blank"},
		"a rule with a number":             {`{"name":"abcdef"}`, "name", "name must be at most 5 characters long"},
		"a message of the tag":             {`{"motto":"long"}`, "motto", "The motto is too long."},
		"a rule of the user's":             {`{"even":1}`, "even", "even must be even"},
		"a rule over a struct":             {`{"from":1}`, "to", "to must not be less than from"},
		"UnmarshalText":                    {`{"price":"1"}`, "price", "price must be an amount such as 12.50 EUR"},
		"UnmarshalText within an object":   {`{"inner":{"price":"1"}}`, "inner.price", "price must be an amount such as 12.50 EUR"},
		"UnmarshalText of an element":      {`{"prices":["1 EUR","1"]}`, "prices[1]", "prices[1] must be an amount such as 12.50 EUR"},
		"UnmarshalJSON":                    {`{"badge":"tin"}`, "badge", "badge must be gold"},
		"UnmarshalText without Fail":       {`{"price":"secret"}`, "price", "price has an invalid format"},
		"a rule of an element":             {`{"inner":{"tags":["a","abc"]}}`, "inner.tags[1]", "tags[1] must be at most 2 characters long"},
		"a reference":                      {`{"owner":"/api/tolds/99"}`, "owner", "owner must be the path of an existing Told, such as /api/tolds/{id} or null"},
		"what no index holds":              {`{"long":"` + strings.Repeat("1", 401) + `"}`, "long", "long must be at most 400 characters long"},
		"Fail in Prepare":                  {`{"hook":1}`, "hook", "hook must not be 1"},
		"a field that cannot be changed":   {`{"serial":"b"}`, "serial", "serial cannot be changed after creation"},
		"an unknown field":                 {`{"nmae":"x"}`, "nmae", `Unknown field "nmae"; did you mean "name"?`},
		"a string with U+0000":             {`{"motto":"\u0000"}`, "motto", "motto must not contain the character U+0000"},
		"a number that the type has not":   {`{"from":1e99}`, "from", "from must be an integer between -9223372036854775808 and 9223372036854775807"},
		"an object instead of a list":      {`{"prices":{}}`, "prices", "prices must be an array"},
		"a null where there can be none":   {`{"price":null}`, "price", "price must be a string"},
		"a rule that a null is checked by": {`{"inner":null}`, "inner", "inner must be an object"},
	}
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		c := spec.NewClient(t, resource.Config{Rules: []validation.Rule{even, order}, Errors: shape}, of)
		c.Send("POST /api/tolds", `{"name":"a","price":"1 EUR","serial":"a","inner":{"price":"1 EUR"}}`).HasStatus(201)
		for name, row := range rows {
			answer := c.Send("PATCH /api/tolds/1", row.body)
			if got := messageOf(t, answer, row.field); got != row.message {
				t.Errorf("%s: %q, want %q: %s", name, got, row.message, answer.Body)
			}
		}
		answer := c.Send("POST /api/tolds/check", `[{"name":"a","price":"1","inner":{"price":"1 EUR"}}]`)
		if got, want := messageOf(t, answer, "[0].price"), "price must be an amount such as 12.50 EUR"; got != want {
			t.Errorf("UnmarshalText in a list of bodies: %q, want %q", got, want)
		}
		answer = c.Send("POST /api/tolds/check", `[{"name":"a","price":"1 EUR","inner":{"price":"1 EUR"}}]`)
		if got, want := messageOf(t, answer, "[0].hook"), "hook is refused"; got != want {
			t.Errorf("Fail of a handler: %q, want %q", got, want)
		}
		c.Send("GET /api/tolds/1/asked?price=1&days=3", "").IsProblem(400).
			Mentions(`"message":"price must be an amount such as 12.50 EUR"`, `"message":"days must be even"`)
	}
}

// messageOf returns the message about a field, in either shape.
func messageOf(t *testing.T, a spec.Response, field string) string {
	t.Helper()
	var said struct {
		Errors     map[string]string `json:"errors"`
		Violations []struct {
			Pointer string `json:"pointer"`
			Message string `json:"message"`
		} `json:"violations"`
	}
	if err := json.Unmarshal([]byte(a.Body), &said); err != nil {
		t.Fatal(err)
	}
	pointer := "/" + strings.TrimPrefix(strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(field), "/")
	for _, v := range said.Violations {
		if v.Pointer == pointer {
			return v.Message
		}
	}
	return said.Errors[field]
}

// Stay compares dates of each form with others.
type Stay struct {
	ID    int64      `json:"id"`
	Start time.Time  `json:"start"`
	Day   string     `json:"day" validate:"omitempty,datetime=2006-01-02"`
	A     time.Time  `json:"a" validate:"gtefield=Start"`
	B     time.Time  `json:"b" validate:"ltefield=Start"`
	C     time.Time  `json:"c" validate:"gtfield=Start"`
	D     *time.Time `json:"d" validate:"omitempty,ltfield=Start"`
	E     string     `json:"e" validate:"omitempty,datetime=2006-01-02,gtefield=Day"`
	F     *string    `json:"f" validate:"omitempty,datetime=2006-01-02,ltefield=Day"`
	G     string     `json:"g" validate:"omitempty,datetime=2006-01-02,gtfield=Day"`
	H     string     `json:"h" validate:"omitempty,datetime=2006-01-02,ltcsfield=Day"`
	I     time.Time  `json:"i" validate:"gtefield=Start|eqfield=C"`
}

func TestMessagesAboutDatesSayBeforeAndAfter(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Stay]{})
	const early, middle, late = `"2026-01-01T00:00:00Z"`, `"2026-02-01T00:00:00Z"`, `"2026-03-01T00:00:00Z"`
	got := c.Send("POST /api/stays", `{"start":`+middle+`,"day":"2026-02-01","a":`+early+`,"b":`+late+`,"c":`+middle+`,"d":`+middle+
		`,"e":"2026-01-31","f":"2026-02-02","g":"2026-02-01","h":"2026-02-01","i":`+early+`}`)
	got.IsInvalid("a", "a must not be before start", "b", "b must not be after start", "c", "c must be after start", "d", "d must be before start",
		"e", "e must not be before day", "f", "f must not be after day", "g", "g must be after day", "h", "h must be before day",
		"i", "i must not be before start, or must be equal to c")
	if strings.Contains(got.Body, "greater") || strings.Contains(got.Body, "less") {
		t.Errorf("a message is about numbers: %s", got.Body)
	}
}

type payslip struct {
	ID     int64  `json:"id"`
	Name   string `json:"name" api:"filter"`
	Salary int    `json:"salary" api:"filter=range,sort"`
	Rating int    `json:"rating" api:"hidden"`
}

func TestUnknownNamesNeverSuggestGuardedOrHiddenFields(t *testing.T) {
	t.Parallel()
	rules := spec.OpenBut(map[string]access.Field{"salary": {Read: access.Not(access.Public)}})
	c := spec.NewClient(t, resource.Config{}, resource.Of[payslip]{Access: rules})
	for name, hint := range map[string]string{
		"nam": `; did you mean \"name\"?`, "salry": "; allowed: name", "rating": "; allowed: name", "ratin": "; allowed: name",
	} {
		c.Send("POST /api/payslips", fmt.Sprintf(`{%q:1}`, name)).HasStatus(http.StatusBadRequest).
			Mentions(`Unknown field \"` + name + `\"` + hint + `"`)
	}
	c.Send("GET /api/payslips?nme=x", "").IsProblem(http.StatusBadRequest).Mentions(`Unknown parameter \"nme\"; did you mean \"name\"?`)
	for _, name := range []string{"salary[gtt]", "order[salry]", "rating"} {
		answer := c.Send("GET /api/payslips?"+name+"=1", "").IsProblem(http.StatusBadRequest)
		if strings.Contains(answer.Body, "did you mean") {
			t.Errorf("%s: %s", name, answer.Body)
		}
	}
}

func TestLongUnknownNamesAreCut(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[payslip]{})
	long := strings.Repeat("x", 5000)
	for request, body := range map[string]string{"POST /api/payslips": `{"` + long + `":1}`, "GET /api/payslips?" + long + "=1": ""} {
		if answer := c.Send(request, body).HasStatus(http.StatusBadRequest); len(answer.Body) > 1000 {
			t.Errorf("%.30s: the response has %d bytes", request, len(answer.Body))
		}
	}
}
