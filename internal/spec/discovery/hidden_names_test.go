package discovery_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	workplace "github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/mcp"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// mark is a part of every name and description that is hidden from anonymous callers.
const mark = "zq"

type novelist struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" api:"filter,sort"`
	Zqsalary int    `json:"zqsalary" doc:"zqmoney" api:"filter=range,sort"`
	Zqboss   *int64 `json:"zqboss" api:"ref=Zqboss,expand"`
}

type zqboss struct {
	ID   int64  `json:"id"`
	Name string `json:"name" api:"filter"`
}

type novel struct {
	ID     int64  `json:"id"`
	Title  string `json:"title" validate:"notblank" doc:"zqtitle" api:"filter=partial,sort,search"`
	Zqcost int    `json:"zqcost" doc:"zqprice" example:"7" api:"filter=range,sort"`
	Author *int64 `json:"author" api:"ref=Novelist,expand,filter,through=name|zqsalary"`
	Zqnext *int64 `json:"zqnext" api:"ref=Novelist,expand,filter,through=name"`
}

type zqghost struct {
	ID int64 `json:"id"`
}

type appraisal struct {
	Worth int `json:"worth" doc:"zqworth"`
}

func newLibrary(t *testing.T) spec.Client {
	t.Helper()
	isKeeper := access.If("zqrule", func(c *spec.Captain) bool { return c.Admin })
	closed := access.Rules{Read: isKeeper, Create: isKeeper, Update: isKeeper, Delete: isKeeper}
	open := access.Rules{Read: access.Public, Create: access.Public, Update: isKeeper, Delete: isKeeper}
	shown, novelists := open, open
	shown.Fields = map[string]access.Field{"zqcost": {Read: isKeeper, Write: isKeeper}, "zqnext": {Read: isKeeper, Write: isKeeper}}
	novelists.Fields = map[string]access.Field{"zqsalary": {Read: isKeeper, Write: isKeeper}, "zqboss": {Read: isKeeper, Write: isKeeper}}
	nothing := operation.Handle(func(context.Context, *novel, struct{}) (struct{}, error) { return struct{}{}, nil })
	appraise := operation.Handle(func(context.Context, *novel, appraisal) (appraisal, error) { return appraisal{}, nil })
	var hidden []operation.Operation
	hidden = append(hidden, operation.Get{Hidden: true}, operation.GetCollection{Hidden: true}, operation.Post{Hidden: true})
	client := spec.NewClient(t, resource.Config{
		Authentication: []access.Scheme{spec.Bearer()},
		Formats:        append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format),
	},
		resource.Of[novel]{
			ShortName: "Novel", Description: "zqabout", Access: shown, Operations: append(operation.Standard(),
				operation.Post{Name: "zqburn", URITemplate: "/novels/{id}/zqburn", Handler: nothing, Access: isKeeper, Description: "zqfire"},
				operation.Post{Name: "zqbury", URITemplate: "/novels/{id}/zqbury", Handler: nothing, Hidden: true, Access: access.Public},
				operation.Post{Name: "appraise", URITemplate: "/novels/{id}/appraise", Handler: appraise, Access: access.Public, Summary: "zqappraise", Description: "zqgauge"},
			),
		},
		resource.Of[novelist]{ShortName: "Novelist", Access: novelists},
		resource.Of[zqboss]{ShortName: "Zqboss", Description: "zqchief", Access: closed},
		resource.Of[zqghost]{ShortName: "Zqghost", Access: open, Operations: hidden},
	)
	api := client.Handler.(*resource.API)
	isKeepers := openapi.Config{Title: "Library", Description: "zqsummary", Access: isKeeper}
	for _, err := range []error{openapi.Mount(api, isKeepers), workplace.Mount(api, workplace.Config{}), mcp.Mount(api, mcp.Config{})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	client.As("root", "POST /api/novelists", `{"name":"ann","zqsalary":5}`).HasStatus(http.StatusCreated)
	client.As("root", "POST /api/zqbosses", `{"name":"bob"}`).HasStatus(http.StatusCreated)
	client.As("root", "POST /api/novels", `{"title":"Dune","zqcost":7,"author":"/api/novelists/1","zqnext":"/api/novelists/1"}`).HasStatus(http.StatusCreated)
	return client
}

// An anonymous caller learns the names and descriptions of hidden fields, operations, rules and resources nowhere. Root, who
// may see them, shows that the request would reveal them.
func TestNoResponseNamesWhatRulesHide(t *testing.T) {
	t.Parallel()
	client := newLibrary(t)
	tool := func(method string) string { return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}` }
	agent := []string{"Accept", "application/json, text/event-stream"}
	for _, test := range []struct {
		request, body string
		header        []string
		rootSees      bool
	}{
		{request: "GET /api", rootSees: true},
		{request: "GET /api.jsonld", rootSees: true},
		{request: "GET /api.jsonhal", rootSees: true},
		{request: "GET /api.jsonapi"},
		{request: "GET /api", header: []string{"Accept", "text/html"}, rootSees: true},
		{request: "GET /api/docs", rootSees: false},
		{request: "GET /api/docs.json", rootSees: true},
		{request: "GET /api/docs.yaml", rootSees: true},
		{request: "GET /api/docs.jsonld", rootSees: true},
		{request: "GET /api/contexts/Entrypoint", rootSees: true},
		{request: "GET /api/contexts/Novel", rootSees: true},
		{request: "GET /api/contexts/Novelist", rootSees: true},
		{request: "GET /api/contexts/Zqboss", rootSees: true},
		{request: "GET /api/admin/model", rootSees: true},
		{request: "GET /admin/model", rootSees: true},
		{request: "POST /mcp", body: tool("tools/list"), header: agent, rootSees: true},
		{request: "POST /mcp", body: tool("resources/templates/list"), header: agent, rootSees: true},
		{request: "GET /.well-known/api-catalog"},
		{request: "GET /.well-known/oauth-protected-resource/api"},
		{request: "GET /api/novels", rootSees: true},
		{request: "GET /api/novels.jsonld", rootSees: true},
		{request: "GET /api/novels.jsonhal", rootSees: true},
		{request: "GET /api/novels.jsonapi", rootSees: true},
		{request: "GET /api/novels.ndjson", rootSees: true},
		{request: "GET /api/novels.csv", rootSees: true},
		{request: "GET /api/novels/1", rootSees: true},
		{request: "GET /api/novels/1.jsonld?expand=author", rootSees: true},
		{request: "GET /api/novels/1.jsonhal?expand=author", rootSees: true},
		{request: "GET /api/novels?unknown=1", rootSees: true},
		{request: "GET /api/novels?cost=1", rootSees: false},
		{request: "GET /api/novels?sort=unknown", rootSees: true},
		{request: "GET /api/novels?fields=unknown", rootSees: true},
		{request: "GET /api/novels?expand=unknown", rootSees: true},
		{request: "GET /api/novels.jsonapi?sort=unknown", rootSees: true},
		{request: "GET /api/novels.jsonapi?fields[novels]=unknown", rootSees: true},
		{request: "GET /api/novels.jsonapi?include=unknown", rootSees: true},
		{request: "GET /api/novels.jsonld?unknown=1", rootSees: true},
		{request: "GET /api/novels/1?expand=unknown", rootSees: true},
		{request: "GET /api/novels/1?unknown=1"},
		{request: "OPTIONS /api"},
		{request: "OPTIONS /api/novels"},
		{request: "OPTIONS /api/novels/1"},
		{request: "POST /api/novels", body: `{"cost":1}`},
		{request: "POST /api/novels", body: `{"title":" ","zcost":1}`},
		{request: "PATCH /api/novels/1", body: `{"title":""}`},
		{request: "POST /api/novels/1/appraise", body: `{"wort":1}`},
		{request: "GET /api/unknown"},
		{request: "DELETE /api/novels"},
	} {
		shown := client.As("root", test.request, test.body, test.header...)
		if has := strings.Contains(strings.ToLower(shown.Body), mark); test.rootSees && shown.Status != http.StatusNotFound && !has {
			t.Errorf("%s says nothing hidden to root, so the test shows nothing: %d %s", test.request, shown.Status, shown.Body)
		}
		got := client.As("", test.request, test.body, test.header...)
		text := strings.ToLower(got.Body)
		for name, values := range got.Header {
			text += "\n" + strings.ToLower(name+": "+strings.Join(values, ", "))
		}
		for {
			i := strings.Index(text, mark)
			if i < 0 {
				break
			}
			t.Errorf("%s %s is %d and reveals …%s…", test.request, test.body, got.Status, text[max(0, i-60):min(len(text), i+40)])
			text = text[i+len(mark):]
		}
	}
}

func TestListsHaveWhatTheCallerMayUse(t *testing.T) {
	t.Parallel()
	client := newLibrary(t)
	client.As("", "GET /api", "").Is(http.StatusOK, `{"Novel":"/api/novels","Novelist":"/api/novelists"}`)
	client.As("root", "GET /api", "").Is(http.StatusOK, `{"Novel":"/api/novels","Novelist":"/api/novelists","Zqboss":"/api/zqbosses"}`)
	client.As("", "GET /api/contexts/Zqboss", "").HasStatus(http.StatusNotFound)
	client.As("root", "GET /api/contexts/Zqboss", "").HasStatus(http.StatusOK)
	client.As("nobody", "GET /api", "").HasStatus(http.StatusUnauthorized)
	vary := client.As("", "GET /api", "").Header.Values("Vary")
	if !slices.Contains(vary, "Authorization") || client.As("", "GET /api", "").Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("a list that depends on the caller has Vary %q", vary)
	}
}
