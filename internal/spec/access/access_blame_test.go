package access_test

import (
	"log/slog"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Sheet has a rule that stored records break: another program has written them, or the rule is younger.
type Sheet struct {
	ID      int64   `json:"id"`
	Name    string  `json:"name" validate:"notblank"`
	Grade   int     `json:"grade" validate:"lte=9"`
	Remark  string  `json:"remark" validate:"max=3"`
	Friends []int64 `json:"friends" validate:"max=1" api:"ref=Captain"`
}

// A violation of a stored value in a hidden field would disclose the value, and the caller could not fix it.
func TestViolationsOfHiddenFieldsAreFaults(t *testing.T) {
	t.Parallel()
	const graded, remarked = `{"grade":"grade must be at most 9"}`, `{"remark":"remark must be at most 3 characters long"}`
	sheet := func(t *testing.T) spec.Client {
		t.Helper()
		return spec.NewClient(t, resource.Config{Authentication: []access.Scheme{spec.Bearer()}, Logger: slog.New(slog.DiscardHandler)},
			resource.Of[spec.Captain]{Store: memory.New(spec.Captain{Name: "ann"}), Operations: []operation.Operation{operation.Get{}}, Access: readByAll()},
			resource.Of[Sheet]{
				Store: memory.New(Sheet{Name: "a", Grade: 10}, Sheet{Name: "b", Remark: "long"}, Sheet{Name: "c"}),
				Operations: append(operation.Standard(), operation.Put{URITemplate: "/sheets/{id}/friends/{friends}"},
					operation.Put{Name: "replace", URITemplate: "/replaced/{id}", ExtraProperties: map[string]any{"standard_put": true}}),
				Access: access.Rules{
					Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
					Fields: map[string]access.Field{"grade": {Write: spec.IsAdmin}, "remark": {Read: spec.IsAdmin}},
				},
			})
	}
	for _, test := range []struct {
		rule, who, request, body string
		status                   int
		told                     string // of the errors; "" for a fault
	}{
		{"one that he may not write", "ann", "PATCH /api/sheets/1", `{"name":"z"}`, 500, ""},
		{"in a Put", "ann", "PUT /api/sheets/1", `{"name":"z"}`, 500, ""},
		{"in a Put that replaces", "ann", "PUT /api/replaced/1", `{"name":"z"}`, 500, ""},
		{"one that he may", "root", "PATCH /api/sheets/1", `{"name":"z"}`, 400, graded},
		{"one that he does not see", "ann", "PATCH /api/sheets/2", `{"name":"z"}`, 500, ""},
		{"one that he does not see, but sends", "ann", "PATCH /api/sheets/2", `{"remark":"other"}`, 400, remarked},
		{"one that he sees", "root", "PATCH /api/sheets/2", `{"name":"z"}`, 400, remarked},
		{"beside what he can mend", "ann", "PATCH /api/sheets/1", `{"name":""}`, 400, `{"name":"name must not be blank"}`},
		{"of a new record nothing is kept", "ann", "POST /api/sheets", `{"name":"z","remark":"long"}`, 400, remarked},
		{"beside a membership", "root", "PUT /api/sheets/1/friends/1", "", 500, ""},
		{"a membership alone", "root", "PUT /api/sheets/3/friends/1", "", 204, ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got := sheet(t).As(test.who, test.request, test.body).HasStatus(test.status)
			if test.status == 500 {
				got.IsProblem(500)
			} else if test.told != "" {
				got.Is(400, `{"type":"validation_error","title":"There was a validation error","errors":`+test.told+`}`)
			}
		})
	}
}
