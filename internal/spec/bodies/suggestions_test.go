package bodies_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

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
