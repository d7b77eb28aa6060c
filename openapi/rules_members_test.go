package openapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/trove-api/trove/resource"
)

// Period is embedded in a Lease.
type Period struct {
	Start time.Time `json:"from"`
	End   time.Time `json:"to" validate:"gtfield=Start"`
}

// Lease has rules that name other fields.
type Lease struct {
	Period

	ID      int64  `json:"id"`
	Kind    string `json:"kind"`
	Size    int    `json:"size"`
	Deposit string `json:"deposit" validate:"required_unless=Kind free Size 3"`
	Fee     string `json:"fee" validate:"excluded_unless=Kind paid Size 5"`
	Clerk   string `json:"clerk" validate:"required_if=Kind big Size 9"`
}

func TestRulesThatNameOtherMembersAreSaidAsTheyWork(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Lease]{})
	document := documentOf(t, api)
	for member, want := range map[string]string{
		"deposit": "Required unless kind is free or size is 3.",
		"fee":     "Must be omitted unless kind is paid or size is 5.",
		"clerk":   "Required if kind is big and size is 9.",
		"to":      "Must be after from.",
	} {
		if got := document.at(t, "components", "schemas", "LeaseCreate", "properties", member, "description"); got != want {
			t.Errorf("%s is described as %q, want %q", member, got, want)
		}
	}
	const period = `"from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z",`
	for body, want := range map[string]int{
		`{` + period + `"kind":"x","size":1}`:                                                400,
		`{` + period + `"kind":"free","size":1}`:                                             201,
		`{` + period + `"kind":"x","size":3}`:                                                201,
		`{` + period + `"kind":"x","size":1,"deposit":"d"}`:                                  201,
		`{` + period + `"kind":"x","size":3,"fee":"f"}`:                                      400,
		`{` + period + `"kind":"paid","size":3,"fee":"f"}`:                                   201,
		`{` + period + `"kind":"free","size":5,"fee":"f"}`:                                   201,
		`{` + period + `"kind":"big","size":3}`:                                              201,
		`{` + period + `"kind":"big","size":9,"deposit":"d"}`:                                400,
		`{` + period + `"kind":"big","size":9,"deposit":"d","clerk":"c"}`:                    201,
		`{"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z","kind":"free","size":1}`: 400,
	} {
		if w := send(t, api, http.MethodPost, "/api/leases", body); w.Code != want {
			t.Errorf("%s is answered %d, want %d: %s", body, w.Code, want, w.Body)
		}
	}
}
