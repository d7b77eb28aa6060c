package wire_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-playground/validator/v10"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Rack has every way in which many values can be below a name that the client chooses.
type Rack struct {
	ID      int64                 `json:"id"`
	Labels  map[string][]string   `json:"labels" validate:"dive,dive,min=1"`
	Keys    map[string][]string   `json:"keys" validate:"dive,keys,max=3,endkeys,dive,min=1"`
	Own     map[string][]string   `json:"own" validate:"dive,dive,shouted"`
	Spans   map[string][]Stretch  `json:"spans"`
	Deep    map[string]*Rack      `json:"deep"`
	Numbers map[string][]int      `json:"numbers"`
	Pairs   map[string][]Crossing `json:"pairs"`
	Zeros   map[string][]Zero     `json:"zeros"`
}

type Stretch struct {
	From int `json:"from"`
	To   int `json:"to"`
}

type Crossing struct {
	From int `json:"from"`
	To   int `json:"to" validate:"gtefield=From"`
}

type Zero struct {
	Count int `json:"count" validate:"omitempty,gte=1"`
}

func racks(t testing.TB, shape validation.Shape) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{Errors: shape, Rules: []validation.Rule{
		{Name: "shouted", Check: func(f validator.FieldLevel) bool { return strings.HasSuffix(f.Field().String(), "!") }},
		validation.Struct(func(_ context.Context, s *Stretch) error {
			if s.From > s.To {
				return validation.Fail("to", "to must not be before from")
			}
			return nil
		}),
	}}, resource.Of[Rack]{})
}

// hostileBodies have a long name above many values, all of which are wrong.
func hostileBodies(name, count int) map[string]string {
	under := func(member, value string) string {
		return `{"` + member + `":{"` + strings.Repeat("k", name) + `":[` + strings.Repeat(value+",", count-1) + value + `]}}`
	}
	var unknown strings.Builder
	for i := range count {
		fmt.Fprintf(&unknown, `"x%d":0,`, i)
	}
	return map[string]string{
		"texts": under("labels", `""`),
		"texts below a key that is wrong as well": under("keys", `""`),
		"texts with a rule of the user's own":     under("own", `""`),
		"structs with a rule of the user's own":   under("spans", `{"from":2,"to":1}`),
		"structs with a rule over fields":         under("pairs", `{"from":2,"to":1}`),
		"values of the wrong type":                under("numbers", `""`),
		"explicit zeros":                          under("zeros", `{"count":0}`),
		"unknown members":                         under("zeros", `{"x":1}`),
		"unknown members beside it":               "{" + unknown.String() + `"` + strings.Repeat(".", name) + `":0}`,
		"members further down": `{"deep":{"` + strings.Repeat("]", name) + `":{"labels":{"` + strings.Repeat("[", name) + `":[` +
			strings.Repeat(`"",`, count) + `""]}}}}`,
	}
}

// TestMemoryIsLinearInTheSizeOfTheBody sends half a megabyte of a name above thousands of values: nothing
// may be allocated once for each of them.
//
//nolint:paralleltest // others would allocate meanwhile
func TestMemoryIsLinearInTheSizeOfTheBody(t *testing.T) {
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		api := racks(t, shape)
		for name, body := range hostileBodies(250_000, 2_000) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := api.Send("POST /api/racks", body)
			runtime.ReadMemStats(&after)
			got.HasStatus(shape.Status())
			if took := after.TotalAlloc - before.TotalAlloc; took > 32*uint64(len(body)) {
				t.Errorf("%s: a body of %d bytes takes %d", name, len(body), took)
			}
			if len(got.Body) > 1<<16+1<<10 {
				t.Errorf("%s: the answer has %d bytes", name, len(got.Body))
			}
		}
	}
}

func TestAResponseListsAHundredViolationsAndHowManyMoreThereAre(t *testing.T) {
	t.Parallel()
	const count = 1_000
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		api := racks(t, shape)
		for name, body := range hostileBodies(200, count) {
			got := api.Send("POST /api/racks", body).HasStatus(shape.Status())
			var answer struct {
				Errors     map[string]string `json:"errors"`
				Violations []any             `json:"violations"`
				More       int               `json:"more"`
			}
			if err := json.Unmarshal([]byte(got.Body), &answer); err != nil {
				t.Fatal(err)
			}
			told, all := len(answer.Errors)+len(answer.Violations), count
			switch name {
			case "texts below a key that is wrong as well":
				if all = 1; answer.More > 0 {
					t.Errorf("%s: more is %d", name, answer.More)
				}
			case "unknown members beside it", "members further down":
				all++
			}
			if told > 100 || told+answer.More != all {
				t.Errorf("%s: %d are reported and %d more, want %d in all", name, told, answer.More, all)
			}
		}
	}
}

func TestMoreIsAbsentIfAllErrorsAreListed(t *testing.T) {
	t.Parallel()
	body := `{"labels":{"a":[` + strings.Repeat(`"",`, 99) + `""]}}`
	for _, shape := range []validation.Shape{validation.Map, validation.Problem} {
		if got := racks(t, shape).Send("POST /api/racks", body); strings.Contains(got.Body, `"more"`) {
			t.Errorf("the answer is %s", got.Body)
		}
	}
}

// TestViolationsOfMapsComeInTheOrderOfTheirKeys covers all three ways to check rules.
func TestViolationsOfMapsComeInTheOrderOfTheirKeys(t *testing.T) {
	t.Parallel()
	api := racks(t, validation.Map)
	for member, values := range map[string][2]string{
		"labels": {`["a"]`, `[""]`}, "own": {`["a!"]`, `["a"]`}, "spans": {`[{"from":1,"to":2}]`, `[{"from":2,"to":1}]`},
		"pairs": {`[{"from":1,"to":2}]`, `[{"from":2,"to":1}]`}, "deep": {`{}`, `{"labels":{"b":[""],"a":[""],"c":["a"]}}`},
	} {
		var body strings.Builder
		fmt.Fprintf(&body, `{"%s":{`, member)
		for i := range 40 {
			if i > 0 {
				body.WriteByte(',')
			}
			fmt.Fprintf(&body, `"k%02d":%s`, (i*17)%40, values[i%2])
		}
		body.WriteString("}}")
		first := api.Send("POST /api/racks", body.String()).HasStatus(http.StatusBadRequest).Body
		last := -1
		for i := range 40 {
			if at := strings.Index(first, "[k"+fmt.Sprintf("%02d", i)+"]"); at >= 0 && at < last {
				t.Errorf("%s: out of order: %s", member, first)
				break
			} else if at >= 0 {
				last = at
			}
		}
		for range 5 {
			if again := api.Send("POST /api/racks", body.String()).Body; again != first {
				t.Errorf("%s: the answer is\n%s, before it was\n%s", member, again, first)
			}
		}
	}
}

func TestAUsersOwnViolationsHaveTheSameBudget(t *testing.T) {
	t.Parallel()
	api := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{operation.Post{
			URITemplate: "/stretches",
			Handler: operation.Handle(func(_ context.Context, _ *spec.DragonTreasure, _ struct{}) (struct{}, error) {
				var all validationErrors
				for i := range 300 {
					all = append(all, validation.Fail("items["+strconv.Itoa(i)+"]", "is wrong"))
				}
				return struct{}{}, all
			}),
		}},
	})
	got := api.Send("POST /api/stretches", "").HasStatus(http.StatusBadRequest)
	got.Mentions(`"more":200`)
}

type validationErrors []error

func (validationErrors) Error() string { return "many" }

func (e validationErrors) Unwrap() []error { return e }
