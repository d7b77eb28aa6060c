package openapi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// securityOf returns the security of the operation that an API of one rule has, as JSON.
func securityOf(t *testing.T, schemes []access.Scheme, rule access.Rule) string {
	t.Helper()
	api := newAPI(t, configuration{
		config:       resource.Config{Authentication: schemes},
		declarations: []resource.Declaration{resource.Of[Jewel]{Operations: []operation.Operation{operation.Post{Access: rule}}}},
	})
	doc := documented(t, api, openapi.Config{})
	text, err := json.Marshal(doc.Paths.Value("/api/jewels").Post.Security)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheSecurityOfAnOperationIsThatOfItsRule(t *testing.T) {
	t.Parallel()
	schemes := allSchemes()
	token, key, oauth := schemes[0], schemes[2], schemes[4]
	scope, other := access.Scope("a"), access.Scope("b")
	for name, test := range map[string]struct {
		schemes []access.Scheme
		rule    access.Rule
		want    string
	}{
		"everybody, with credentials too":                   {[]access.Scheme{token}, access.Public, `[{},{"token":[]}]`},
		"what the record says, or who asks":                 {[]access.Scheme{token}, access.Any(isPublished, isOwner), `[{},{"token":[]}]`},
		"whoever is signed in":                              {[]access.Scheme{token, key}, access.Authenticated, `[{"token":[]},{"key":[]}]`},
		"nobody but those who are not signed in":            {[]access.Scheme{token}, access.Not(access.Authenticated), `[{}]`},
		"the principals of one scheme":                      {[]access.Scheme{token, key}, isRobot, `[{"key":[]}]`},
		"a rule and its opposite ask the same principals":   {[]access.Scheme{token, key}, access.Not(isRobot), `[{"key":[]}]`},
		"scopes of a bearer are not in the array":           {[]access.Scheme{token}, access.All(scope, isOwner), `[{"token":[]}]`},
		"scopes of OAuth 2 are":                             {[]access.Scheme{oauth}, access.All(other, scope, isOwner), `[{"oauth":["a","b"]}]`},
		"each of several sets of scopes":                    {[]access.Scheme{oauth}, access.Any(scope, access.All(other, isOwner)), `[{"oauth":["a"]},{"oauth":["b"]}]`},
		"a set with all of another one is left out":         {[]access.Scheme{oauth}, access.All(scope, access.Any(other, isAdmin)), `[{"oauth":["a"]}]`},
		"several parts without a scope":                     {[]access.Scheme{oauth}, access.All(isOwner, isAdmin), `[{"oauth":[]}]`},
		"a scope that others can do without":                {[]access.Scheme{oauth}, access.Any(scope, isAdmin), `[{"oauth":[]}]`},
		"a scope for principals who are not asked":          {[]access.Scheme{oauth, key}, access.Any(isRobot, scope), `[{"oauth":["a"]},{"key":[]}]`},
		"what holds without a scope":                        {[]access.Scheme{oauth}, access.Not(scope), `[{},{"oauth":[]}]`},
		"the opposite of any is none":                       {[]access.Scheme{oauth}, access.Not(access.Any(access.Authenticated, scope)), `[{}]`},
		"the opposite of all is one that does not":          {[]access.Scheme{oauth}, access.Not(access.All(access.Authenticated, scope)), `[{},{"oauth":[]}]`},
		"what nobody may is not what everybody may":         {[]access.Scheme{token, key}, access.Not(access.Public), `[{"token":[]},{"key":[]}]`},
		"more sets of scopes than tools show have the same": {[]access.Scheme{oauth}, manyScopes(), `[{"oauth":["x"]}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, securityOf(t, test.schemes, test.rule)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// manyScopes needs x and one of many other scopes.
func manyScopes() access.Rule {
	var rules []access.Rule
	for i := range 20 {
		rules = append(rules, access.Scope(fmt.Sprint("s", i)))
	}
	return access.All(access.Scope("x"), access.Any(rules...))
}

func TestWhoChangesARecordMustSeeIt(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{
		config: resource.Config{Authentication: allSchemes()[:1]},
		declarations: []resource.Declaration{resource.Of[Jewel]{Access: access.Rules{
			Read: access.Authenticated, Create: access.Public, Update: access.Public, Delete: access.Public,
		}}},
	})
	doc := documented(t, api, openapi.Config{})
	for id, want := range map[string]int{"createJewel": 2, "patchJewel": 1, "deleteJewel": 1} {
		if ways := *operationOf(t, doc, id).Security; len(ways) != want {
			t.Errorf("%s can be asked in the ways %v, want %d", id, ways, want)
		}
	}
}

func TestDenialsAreDocumentedWhereTheyOccur(t *testing.T) {
	t.Parallel()
	bearer, withCookie := allSchemes()[:1], allSchemes()[3:4]
	for name, test := range map[string]struct {
		schemes []access.Scheme
		rules   access.Rules
		want    string // per operation, those of 401 and 403
	}{
		"no rule": {nil, access.Rules{}, ""},
		"rules of a middleware's principals": {
			nil,
			access.Rules{Read: isAdmin, Create: access.Public, Update: access.Public, Delete: isAdmin},
			"list 403, get 403, delete 403",
		},
		"a scheme, everybody may": {
			bearer,
			access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			"list 401, create 401, get 401, update 401, patch 401, delete 401",
		},
		"what may not be seen is missing": {
			bearer,
			access.Rules{Read: isOwner, Create: isAdmin, Update: isAdmin, Delete: isAdmin},
			"list 401 403, create 401 403, get 401, update 401 403, patch 401 403, delete 401 403",
		},
		"a member that some may not write": {
			bearer,
			access.Rules{
				Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
				Fields: map[string]access.Field{"owner": {Write: isAdmin}},
			},
			"list 401, create 401 403, get 401, update 401 403, patch 401 403, delete 401 403",
		},
		"a cookie that pages of other origins send": {
			withCookie,
			access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			"list 401, create 401 403, get 401, update 401 403, patch 401 403, delete 401 403",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{
				config: resource.Config{Authentication: test.schemes}, declarations: []resource.Declaration{resource.Of[Jewel]{Access: test.rules}},
			})
			doc := documented(t, api, openapi.Config{})
			var found []string
			for _, op := range []*openapi3.Operation{
				doc.Paths.Value("/api/jewels").Get, doc.Paths.Value("/api/jewels").Post, doc.Paths.Value("/api/jewels/{id}").Get,
				doc.Paths.Value("/api/jewels/{id}").Put, doc.Paths.Value("/api/jewels/{id}").Patch, doc.Paths.Value("/api/jewels/{id}").Delete,
			} {
				told := strings.TrimSuffix(strings.TrimSuffix(op.OperationID, "s"), "Jewel")
				for _, status := range []string{"401", "403"} {
					if response := op.Responses.Value(status); response != nil {
						told += " " + status
						if !strings.HasPrefix(response.Ref, "#/components/responses/") {
							t.Errorf("%s: %s is no reference to a component", op.OperationID, status)
						}
					}
				}
				if strings.Contains(told, " ") {
					found = append(found, told)
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(found, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocumentsDescribeAccessInWords(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{config: resource.Config{Authentication: allSchemes()}, declarations: ruled()})
	for _, version := range []string{"3.1", "3.0"} {
		doc := documented(t, api, openapi.Config{OpenAPI: version})
		for id, want := range map[string]string{
			"createJewel": "Access: scope jewel:write and owner",
			"surveyJewel": "For machines.\n\nAccess: robot or admin",
			"mineJewel":   "Access: any authenticated caller",
			"listKeepers": "Access: everyone",
		} {
			if text := operationOf(t, doc, id).Description; !strings.HasSuffix(text, want) {
				t.Errorf("%s, %s: %q does not end in %q", version, id, text, want)
			}
		}
		keeper := doc.Components.Schemas["Keeper"].Value
		if slices.Contains(keeper.Required, "email") || slices.Contains(keeper.Required, "admin") || !slices.Contains(keeper.Required, "name") {
			t.Errorf("%s: answers always have %v", version, keeper.Required)
		}
		if text := keeper.Properties["email"].Value.Description; text != "Read access: id or admin" {
			t.Errorf("%s: email says %q", version, text)
		}
		if text := doc.Components.Schemas["KeeperPatch"].Value.Properties["admin"].Value.Description; text != "Write access: admin" {
			t.Errorf("%s: admin says %q", version, text)
		}
		replaces := doc.Components.Schemas["KeeperUpdate"].Value
		if slices.Contains(replaces.Required, "email") || replaces.Format == "" {
			t.Errorf("%s: what replaces must have %v, of the format %q", version, replaces.Required, replaces.Format)
		}
		example, _ := operationOf(t, doc, "createKeeper").RequestBody.Value.Content["application/json"].Example.(map[string]any)
		if _, found := example["admin"]; found || len(example) == 0 {
			t.Errorf("%s: the example of a body sets what only some may: %v", version, example)
		}
	}
}

// operationOf returns the operation of an id.
func operationOf(t *testing.T, doc *openapi3.T, id string) *openapi3.Operation {
	t.Helper()
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			if op.OperationID == id {
				return op
			}
		}
	}
	t.Fatalf("the document has no %s", id)
	return nil
}

func TestCustomizeHasTheLastWordOnSecurity(t *testing.T) {
	t.Parallel()
	api := newAPI(t, configuration{config: resource.Config{Authentication: allSchemes()}, declarations: ruled()})
	doc := documented(t, api, openapi.Config{Customize: func(doc *openapi3.T) {
		doc.Components.SecuritySchemes["token"].Value.BearerFormat = "JWT"
		operationOf(t, doc, "listKeepers").Security = openapi3.NewSecurityRequirements()
	}})
	if got := operationOf(t, doc, "listKeepers").Security; got == nil || len(*got) != 0 || doc.Components.SecuritySchemes["token"].Value.BearerFormat != "JWT" {
		t.Errorf("security = %v, the scheme is %+v", got, doc.Components.SecuritySchemes["token"].Value)
	}
}

func TestAWrongSchemeIsAMistakeOfMount(t *testing.T) {
	t.Parallel()
	flows := access.Flows{AuthorizationCode: &access.Flow{TokenURL: "https://id.example.com/token"}}
	api := newAPI(t, configuration{
		config:       resource.Config{Authentication: []access.Scheme{access.OAuth2("oauth", flows, knows[*Keeper])}},
		declarations: []resource.Declaration{resource.Of[Jewel]{Operations: []operation.Operation{operation.Post{Access: access.Public}}}},
	})
	if err := openapi.Mount(api, openapi.Config{}); err == nil || !strings.Contains(err.Error(), "authorizationUrl") {
		t.Errorf("Mount = %v", err)
	}
}

func TestAnOperationThatSignsPeopleIn(t *testing.T) {
	t.Parallel()
	signIn := func(context.Context, *Jewel, struct{}) (struct{}, error) { return struct{}{}, nil }
	api := newAPI(t, configuration{
		config: resource.Config{Authentication: allSchemes()},
		declarations: []resource.Declaration{resource.Of[Jewel]{Operations: only(operation.Post{
			Name: "login", URITemplate: "/login", Handler: operation.Handle(signIn), Access: access.Public, Anonymous: true,
			ResponseHeader: map[string]string{"set-cookie": "The session.", "Location": "The address of who has signed in."},
		})}},
	})
	if err := openapi.Mount(api, openapi.Config{}); err != nil {
		t.Fatal(err)
	}
	document := documentOf(t, api)
	if got, ok := document.at(t, "paths", "/api/login", "post", "security").([]any); !ok || len(got) > 0 {
		t.Errorf("security is %v, want an empty list", got)
	}
	answers := []string{"paths", "/api/login", "post", "responses"}
	for name, says := range map[string]string{"Set-Cookie": "The session.", "Location": "The address of who has signed in."} {
		if got := document.at(t, append(answers, "204", "headers", name, "description")...); got != says {
			t.Errorf("%s is described as %v", name, got)
		}
	}
	all := document.at(t, answers...).(map[string]any)
	if all["401"] != nil || all["403"] == nil {
		t.Errorf("the statuses are %v; want 403 for pages of other origins, and no 401 for credentials", all)
	}
}

// TestSecurityIsWhatTheUserDeclares guards that operations document only declared security, because it would override
// that of the document.
func TestSecurityIsWhatTheUserDeclares(t *testing.T) {
	t.Parallel()
	key := openapi3.SecurityRequirement{"key": {}}
	public := func(op *openapi3.Operation) { op.Security = openapi3.NewSecurityRequirements() }
	declared := openapi.Config{Customize: func(doc *openapi3.T) {
		doc.Components.SecuritySchemes = openapi3.SecuritySchemes{
			"key": {Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName("X-API-Key")},
		}
		doc.Security = openapi3.SecurityRequirements{key}
	}}
	for name, config := range map[string]openapi.Config{"declared": declared, "not declared": {}} {
		config.Operations = map[string]func(*openapi3.Operation){"peekCategory": public}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newAPI(t, configuration{declarations: []resource.Declaration{resource.Of[Category]{
				Operations: append(operation.Standard(), operation.Get{Name: "peek", URITemplate: "/peek/{id}"}),
			}}})
			if err := openapi.Mount(api, config); err != nil {
				t.Fatal(err)
			}
			for _, form := range []string{"", "?version=3.0"} {
				var document tree
				if err := json.Unmarshal(get(t, api, "/api/docs.json"+form).Body.Bytes(), &document); err != nil {
					t.Fatal(err)
				}
				if list, is := document["security"].([]any); !is || (len(list) > 0) != (name == "declared") {
					t.Errorf("%q: the security of the document is %v", form, document["security"])
				}
				for _, op := range operations(t, document) {
					security, found := op.tree["security"]
					if isPublic := op.tree["operationId"] == "peekCategory"; found != isPublic {
						t.Errorf("%q: the security of %s %s is %v", form, op.method, op.path, security)
					}
				}
			}
		})
	}
}

func TestAnAPIWithoutSchemesListsNoSecurity(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[DragonTreasure]{})
	for _, path := range []string{"/api/docs.json", "/api/docs.json?version=3.0"} {
		if text := get(t, api, path).Body.String(); !strings.Contains(text, "\n  \"security\": [],\n") {
			t.Errorf("%s has no empty list of security requirements", path)
		}
	}
	if text := get(t, api, "/api/docs.yaml").Body.String(); !strings.Contains(text, "\nsecurity: []\n") {
		t.Error("the YAML has no empty list of security requirements")
	}
}

func TestSecurityOfTheUsersOwnStays(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[DragonTreasure]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{Title: "x", Version: "1", Customize: func(doc *openapi3.T) {
			doc.Components.SecuritySchemes = openapi3.SecuritySchemes{"key": {Value: openapi3.NewJWTSecurityScheme()}}
			doc.Security = openapi3.SecurityRequirements{openapi3.NewSecurityRequirement().Authenticate("key")}
		}})
	}
	if err != nil {
		t.Fatal(err)
	}
	document := documentOf(t, api)
	if list, _ := document["security"].([]any); len(list) != 1 {
		t.Errorf("the document lists %v", document["security"])
	}
}

func TestAnAPIWithSchemesHasSecurityAtItsOperations(t *testing.T) {
	t.Parallel()
	if list, is := documentOf(t, guardedDocs(t, nil))["security"]; is {
		t.Errorf("the document lists %v", list)
	}
}

// Generators and validators give up on parameters of several types.
func TestBooleanParametersAreBooleans(t *testing.T) {
	t.Parallel()
	api := declared(t, resource.Config{}, fleet...)
	if err := openapi.Mount(api, openapi.Config{Title: "x", Version: "1"}); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, item := range documentOf(t, api).at(t, "paths").(map[string]any) {
		op, _ := item.(map[string]any)["get"].(map[string]any)
		for _, p := range list(op["parameters"]) {
			schema, _ := p["schema"].(map[string]any)
			if _, several := schema["type"].([]any); several {
				t.Errorf("%s has the type %v", p["name"], schema["type"])
			}
			if schema["type"] == "boolean" && schema["enum"] == nil {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("there is no boolean parameter")
	}
	for query, status := range map[string]int{"exists[cook]=false": 200, "exists[cook]=0": 400} {
		if w := get(t, api, "/api/sloops?"+query); w.Code != status {
			t.Errorf("%s returns %d, want %d", query, w.Code, status)
		}
	}
}

// Keeper is a principal, and a resource.
type Keeper struct {
	ID    int64  `json:"id"`
	Name  string `json:"name" validate:"notblank"`
	Email string `json:"email" validate:"email"`
	Admin bool   `json:"admin"`
}

// Robot is a principal of another type.
type Robot struct{ Name string }

// Jewel is a resource with an owner.
type Jewel struct {
	ID          int64  `json:"id"`
	Name        string `json:"name" validate:"notblank"`
	IsPublished bool   `json:"isPublished"`
	Owner       int64  `json:"owner"`
}

var (
	isAdmin     = access.If("admin", func(k *Keeper) bool { return k.Admin })
	isSelf      = access.Equal("id", func(k *Keeper) int64 { return k.ID })
	isOwner     = access.Equal("owner", func(k *Keeper) int64 { return k.ID })
	isRobot     = access.If("robot", func(*Robot) bool { return true })
	isPublished = access.Where("isPublished", true)
	mayWrite    = access.Scope("jewel:write")
)

// knows rejects all credentials.
func knows[P any](context.Context, string) (P, access.Scopes, error) {
	return *new(P), nil, access.ErrCredentials
}

func knowsPassword(context.Context, string, string) (*Keeper, access.Scopes, error) {
	return nil, nil, access.ErrCredentials
}

// allSchemes are schemes of every kind.
func allSchemes() []access.Scheme {
	return []access.Scheme{
		access.Bearer("token", knows[*Keeper]),
		access.Basic("login", knowsPassword),
		access.APIKey("key", "X-API-Key", knows[*Robot]),
		access.Cookie("session", "sid", knows[*Keeper]),
		access.OAuth2("oauth", access.Flows{
			AuthorizationCode: &access.Flow{
				AuthorizationURL: "https://id.example.com/authorize", TokenURL: "https://id.example.com/token", RefreshURL: "https://id.example.com/refresh",
				Scopes: map[string]string{"jewel:read": "See jewels."},
			},
			ClientCredentials:   &access.Flow{TokenURL: "https://id.example.com/token"},
			DeviceAuthorization: &access.Flow{AuthorizationURL: "https://id.example.com/device", TokenURL: "https://id.example.com/token"},
		}, knows[*Keeper]),
		access.OpenIDConnect("oidc", "https://id.example.com/.well-known/openid-configuration", knows[*Keeper]),
	}
}

// ruled are resources with rules of every sort.
func ruled() []resource.Declaration {
	return []resource.Declaration{
		resource.Of[Keeper]{Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Any(isSelf, isAdmin), Delete: isAdmin,
			Fields: map[string]access.Field{
				"email": {Read: access.Any(isSelf, isAdmin)},
				"admin": {Read: access.Any(isSelf, isAdmin), Write: isAdmin},
			},
		}, ExtraProperties: map[string]any{"standard_put": true}},
		resource.Of[Jewel]{
			Access: access.Rules{
				Read: access.Any(isPublished, isOwner, isAdmin), Create: access.All(mayWrite, isOwner),
				Update: access.All(mayWrite, access.Any(isOwner, isAdmin)), Delete: isAdmin,
			},
			Operations: append(operation.Standard(),
				operation.GetCollection{Name: "survey", URITemplate: "/survey", Description: "For machines.", Access: access.Any(isRobot, isAdmin)},
				operation.GetCollection{Name: "mine", URITemplate: "/mine", Access: access.Authenticated}),
		},
	}
}
