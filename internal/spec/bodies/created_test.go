package bodies_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Coin has a field for the time of its creation.
type Coin struct {
	Name    string    `json:"name" api:"id"`
	Made    time.Time `json:"made" api:"created"`
	Changed time.Time `json:"changed" api:"modified"`
}

func TestTheTimeOfCreationIsSetOnce(t *testing.T) {
	t.Parallel()
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, replaces := range []bool{false, true} {
		c := spec.NewClient(t, resource.Config{}, resource.Of[Coin]{
			Store:           memory.New(Coin{Name: "old", Made: old}),
			Operations:      []operation.Operation{operation.Get{}, operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}},
			ExtraProperties: map[string]any{"standard_put": replaces},
		})
		began := time.Now().Truncate(time.Millisecond)
		for request, body := range map[string]string{"POST /api/coins": `{"name":"new"}`, "PUT /api/coins/put": `{"name":"put"}`} {
			made := madeIn(t, c.Send(request, body).HasStatus(201))
			if made.Before(began) || made.After(time.Now()) {
				t.Errorf("%s: made at %s, want about %s", request, made, began)
			}
		}
		first := madeIn(t, c.Send("GET /api/coins/new", "").HasStatus(200))
		for _, request := range []string{"PUT /api/coins/new", "PATCH /api/coins/new"} {
			a := c.Send(request, `{"name":"new"}`).HasStatus(200)
			if made := madeIn(t, a); !made.Equal(first) {
				t.Errorf("%s: made at %s, want %s", request, made, first)
			}
		}
		if made := madeIn(t, c.Send("PATCH /api/coins/old", `{}`).HasStatus(200)); !made.Equal(old) {
			t.Errorf("a record that the store began with is made at %s, want %s", made, old)
		}
	}
}

func TestATimeOfCreationThatAHookHasSetStays(t *testing.T) {
	t.Parallel()
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Coin]{
		Prepare: func(_ context.Context, _ *operation.Request, coin *Coin) error {
			coin.Made = old
			return nil
		},
	})
	if made := madeIn(t, c.Send("POST /api/coins", `{"name":"a"}`).HasStatus(201)); !made.Equal(old) {
		t.Errorf("made at %s, want %s", made, old)
	}
}

func TestNoClientSetsTheTimeOfCreation(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Coin]{})
	a := c.Send("POST /api/coins", `{"name":"a","made":"2020-01-02T03:04:05Z"}`).HasStatus(201)
	if made := madeIn(t, a); made.Year() == 2020 {
		t.Errorf("made at %s, as the client says", made)
	}
}

// madeIn returns the creation time of the record in a response.
func madeIn(t *testing.T, a spec.Response) time.Time {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(a.Body), &members); err != nil {
		t.Fatal(err)
	}
	text, _ := members["made"].(string)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatalf("%s: %v", a.Body, err)
	}
	return at
}
