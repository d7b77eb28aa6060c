package validation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// post sends a body to an API and prints the response.
func post(api http.Handler, path, body string) {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
}

// A custom rule has a name for validate tags, a message, and a schema.
func ExampleRule() {
	type Song struct {
		ID    int64  `json:"id"`
		Title string `json:"title" validate:"shouted=!"`
	}
	shouted := validation.Rule{
		Name:    "shouted",
		Check:   func(f validator.FieldLevel) bool { return strings.HasSuffix(f.Field().String(), f.Param()) },
		Message: "must end with {param}",
		Schema:  map[string]any{"pattern": "!$"},
	}
	api, err := resource.New(resource.Config{Rules: []validation.Rule{shouted}}, resource.Of[Song]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/songs", `{"title":"Help"}`)
	post(api, "/api/songs", `{"title":"Help!"}`)
	// Output:
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"title":"title must end with !"}}
	// 201 {"id":1,"title":"Help!"}
}

// Struct makes a rule that compares fields of a struct.
func ExampleStruct() {
	type Trip struct {
		ID   int64 `json:"id"`
		From int   `json:"from"`
		To   int   `json:"to"`
	}
	forward := validation.Struct(func(_ context.Context, trip *Trip) error {
		if trip.To < trip.From {
			return validation.Fail("to", "to must not be before from")
		}
		return nil
	})
	api, err := resource.New(resource.Config{Rules: []validation.Rule{forward}}, resource.Of[Trip]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/trips", `{"from":3,"to":1}`)
	// Output:
	// 400 {"type":"validation_error","title":"There was a validation error","errors":{"to":"to must not be before from"}}
}

// Violations finds the fields in an error that a hook returned.
func ExampleViolations() {
	err := fmt.Errorf("checking the order: %w", validation.Fail("lines[0].count", "There are only two left"))
	found, only := validation.Violations(err)
	fmt.Println(found[0].Field, only)
	// Output:
	// lines[0].count true
}

// A hook reports a violation of a field.
func ExampleFail() {
	type Order struct {
		ID     int64 `json:"id"`
		Amount int   `json:"amount"`
	}
	api, err := resource.New(resource.Config{}, resource.Of[Order]{
		Prepare: func(_ context.Context, _ *operation.Request, order *Order) error {
			if stock := 3; order.Amount > stock {
				return validation.Fail("amount", "amount must not exceed the stock")
			}
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	post(api, "/api/orders", `{"amount":4}`)
	// Output: 400 {"type":"validation_error","title":"There was a validation error","errors":{"amount":"amount must not exceed the stock"}}
}
