package admin_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// loanOf is a record with a workflow.
type loanOf struct {
	ID     int64  `json:"id"`
	Owner  int64  `json:"owner"`
	Status string `json:"status" default:"requested" api:"readonly"`
}

func TestAnOperationIsOfferedOnlyWhereItsAccessAndItsConditionHold(t *testing.T) {
	t.Parallel()
	step := func(name, from, to string, by access.Rule) operation.Operation {
		return operation.Post{
			Name: name, URITemplate: "/loans/{id}/" + name, Access: by, When: access.Where("status", from), Handler: operation.Set("status", to),
		}
	}
	s := serve(t, newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, resource.Of[loanOf]{
		ShortName: "Loan", Access: access.Only(access.Public), Operations: []operation.Operation{
			operation.Get{},
			operation.Post{},
			operation.Patch{When: access.All(isOwner, access.Where("status", "requested"))},
			step("approve", "requested", "approved", isAdmin), step("give", "approved", "given", access.Public),
		},
	}), admin.Config{})
	s.exchange("ann", http.MethodPost, "/api/loans", `{"owner":1}`)
	check := func(when string, want map[string][]string) {
		t.Helper()
		for who, operations := range want {
			if got := s.permissions(who, "/api/loans/1")["/api/loans/1"].Operations; !slices.Equal(got, operations) {
				t.Errorf("%s, %q is offered %q, want %q", when, who, got, operations)
			}
		}
	}
	check("requested", map[string][]string{"ann": {"getLoan", "patchLoan"}, "root": {"getLoan", "approveLoan"}, "": {"getLoan"}})
	if status, body, _ := s.exchange("root", http.MethodPost, "/api/loans/1/approve", ""); status != http.StatusOK {
		t.Fatalf("approve: %d %s", status, body)
	}
	for who, unmet := range map[string][]string{"ann": {"patchLoan"}, "root": {"patchLoan", "approveLoan"}} { // the rest is a matter of rules
		if got := s.permissions(who, "/api/loans/1")["/api/loans/1"].Unmet; !slices.Equal(got, unmet) {
			t.Errorf("%q lacks the state for %q, want %q", who, got, unmet)
		}
	}
	check("approved", map[string][]string{"ann": {"getLoan", "giveLoan"}, "root": {"getLoan", "giveLoan"}, "": {"getLoan", "giveLoan"}})
}

// TestAConditionAboutTheCallerNeedsNoAccessRules has a principal that middleware has set, and a rule that gets the request.
func TestAConditionAboutTheCallerNeedsNoAccessRules(t *testing.T) {
	t.Parallel()
	asAnn := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), keepers["ann"])))
		})
	}
	s := serve(t, newAPI(t, resource.Config{Middleware: []func(http.Handler) http.Handler{asAnn}}, resource.Of[loanOf]{
		ShortName: "Loan", Operations: []operation.Operation{operation.Get{}, operation.Post{}, operation.Patch{When: isOwner}},
	}), admin.Config{})
	for owner, want := range map[string][]string{`{"owner":1}`: {"getLoan", "patchLoan"}, `{"owner":2}`: {"getLoan"}} {
		_, _, header := s.exchange("", http.MethodPost, "/api/loans", owner)
		path := header.Get("Location")
		if got := s.permissions("", path)[path].Operations; !slices.Equal(got, want) {
			t.Errorf("the loan %s of ann offers %q, want %q", owner, got, want)
		}
	}
}

func TestTheHistoryOfARecordIsASectionAndNoButton(t *testing.T) {
	t.Parallel()
	s := serve(t, newAPI(t, resource.Config{}, resource.Of[loanOf]{ShortName: "Loan", History: true}), admin.Config{})
	loans := s.model("").resource("Loan")
	if len(loans.Custom) != 0 || loans.History == nil || loans.History.ID != "listLoanHistory" || loans.History.Path != "/api/loans/{id}/history" {
		t.Errorf("the model has the buttons %v and the history %+v", loans.Custom, loans.History)
	}
}

// TestTheTrashIsOfferedToThoseWhoMaySeeIt has a list with the parameter deleted, and buttons for records in the trash alone.
func TestTheTrashIsOfferedToThoseWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	type Tool struct {
		ID        int64      `json:"id"`
		Owner     int64      `json:"owner"`
		DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
	}
	rules := access.Only(access.Public)
	rules.Deleted = access.Any(isOwner, isAdmin)
	s := serve(t, newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, resource.Of[Tool]{Access: rules, Operations: []operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Delete{},
		operation.Post{Name: "restore", URITemplate: "/tools/{id}/restore", Handler: operation.Restore()},
		operation.Delete{Name: "purge", URITemplate: "/tools/{id}/trash", Access: isAdmin, Handler: operation.Purge()},
	}}), admin.Config{})
	s.exchange("ann", http.MethodPost, "/api/tools", `{"owner":1}`)
	check := func(when string, want map[string][]string) {
		t.Helper()
		for who, operations := range want {
			if got := s.permissions(who, "/api/tools/1")["/api/tools/1"].Operations; !slices.Equal(got, operations) {
				t.Errorf("%s, %q is offered %q, want %q", when, who, got, operations)
			}
		}
	}
	check("living", map[string][]string{"ann": {"getTool", "deleteTool"}, "root": {"getTool", "deleteTool"}, "": {"getTool", "deleteTool"}})
	s.exchange("ann", http.MethodDelete, "/api/tools/1", "")
	check("in the trash", map[string][]string{"ann": {"getTool", "restoreTool"}, "root": {"getTool", "restoreTool", "purgeTool"}, "": nil, "bob": nil})
	for who, want := range map[string]bool{"": false, "ann": true, "root": true} {
		got := false
		for _, p := range s.model(who).resource("Tool").List.Parameters {
			got = got || p.Kind == "deleted"
		}
		if got != want {
			t.Errorf("the list of %q has the trash: %v, want %v", who, got, want)
		}
	}
}
