package admin

import (
	"encoding/json"

	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/schema"
)

// model is what the page knows of the API: what the caller may do, and nothing else.
type model struct {
	Title     string                     `json:"title"`
	Logo      string                     `json:"logo"`
	Initial   string                     `json:"initial"` // of the title, without a logo
	Docs      string                     `json:"docs"`
	Home      string                     `json:"home"`
	SignedIn  bool                       `json:"signedIn"`
	Who       *invoke.Who                `json:"who"`
	SignIn    []signIn                   `json:"signIn"`
	SignOut   *operationModel            `json:"signOut"`
	Texts     map[string]string          `json:"texts"`
	Resources []*resourceModel           `json:"resources"`
	Dashboard []panel                    `json:"dashboard"`
	Schemas   map[string]json.RawMessage `json:"schemas"`
}

// signIn is a way to sign in.
type signIn struct {
	Kind             string          `json:"kind"` // "form", "token", "basic", "oidc" or "oauth2"
	Title            string          `json:"title,omitempty"`
	Operation        *operationModel `json:"operation,omitempty"`        // form
	Token            string          `json:"token,omitempty"`            // form: the field of the response with the token
	Of               string          `json:"of,omitempty"`               // token: the kind of the scheme
	Header           string          `json:"header,omitempty"`           // token
	Word             string          `json:"word,omitempty"`             // token: before the token in the header field
	Configuration    string          `json:"configuration,omitempty"`    // oidc
	AuthorizationURL string          `json:"authorizationURL,omitempty"` //nolint:tagliatelle // oauth2
	TokenURL         string          `json:"tokenURL,omitempty"`         //nolint:tagliatelle // oauth2
	ClientID         string          `json:"clientID,omitempty"`         //nolint:tagliatelle // oidc, oauth2
	Scopes           []string        `json:"scopes,omitempty"`           // oidc, oauth2
}

// resourceModel is a resource of which the caller may do something.
type resourceModel struct {
	Name       string            `json:"name"`
	Singular   string            `json:"singular"`
	Plural     string            `json:"plural"`
	Help       string            `json:"help"`
	Path       string            `json:"path"`
	Item       string            `json:"item"`
	Suffixes   []string          `json:"suffixes,omitempty"` // of Item
	Identifier []string          `json:"identifier"`
	Title      string            `json:"title"`
	Composed   []titlePart       `json:"composed"` // instead of Title
	Columns    []string          `json:"columns"`
	Groups     []groupModel      `json:"groups"`
	Query      string            `json:"query"` // of a list that is opened without one
	Fields     []fieldModel      `json:"fields"`
	List       *operationModel   `json:"list"`
	Get        *operationModel   `json:"get"`
	Create     *operationModel   `json:"create"`
	Update     *operationModel   `json:"update"`
	Remove     *operationModel   `json:"remove"`
	Aggregate  *operationModel   `json:"aggregate"`
	Import     *importModel      `json:"import"`
	Custom     []*operationModel `json:"custom"`
	History    *operationModel   `json:"history"`
	Deleted    string            `json:"deleted"` // the field with the time of the trash; "" for none
	Tabs       []tabModel        `json:"tabs"`
	Takes      []takesModel      `json:"takes"`
}

// groupModel is a part of a form.
type groupModel struct {
	Title   string   `json:"title"`
	Fields  []string `json:"fields"`
	Columns int      `json:"columns"`
}

// fieldModel is a field that the caller may see or set in some record.
type fieldModel struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Reference   *referenceModel `json:"reference"`
	Readable    bool            `json:"readable"`
	Create      bool            `json:"create"`
	Update      bool            `json:"update"`
	Required    bool            `json:"required"`
	WriteOnly   bool            `json:"writeOnly"`
	// Widget, Width, Values and Currency are those of the config.
	Widget   string            `json:"widget"`
	Width    int               `json:"width"`
	Values   map[string]string `json:"values"`
	Currency string            `json:"currency,omitempty"`
	// ShownOnce reports that only the response of create has the field, such as a new token.
	ShownOnce bool `json:"shownOnce"`

	field  *invoke.Field  // nil for a field of another type than the record
	schema *schema.Schema // as the caller may see it
}

type referenceModel struct {
	Resource    string `json:"resource"`
	Many        bool   `json:"many"`
	Inverse     bool   `json:"inverse"`
	Identifiers bool   `json:"identifiers"`
}

// tabModel is a list of other records on the page of a record.
type tabModel struct {
	Kind     string          `json:"kind"` // see tab
	Title    string          `json:"title"`
	Resource string          `json:"resource"`
	Field    string          `json:"field,omitempty"`
	Path     string          `json:"path,omitempty"`   // all but inverse
	List     *operationModel `json:"list,omitempty"`   // subresource, inverse
	Create   *operationModel `json:"create,omitempty"` // subresource
	Add      *operationModel `json:"add,omitempty"`    // to and from the list
	Remove   *operationModel `json:"remove,omitempty"` // to and from the list

	label string // of the field
}

// takesModel is what deleting a record does to others.
type takesModel struct {
	Resource string `json:"resource"`
	Field    string `json:"field"`
	Effect   string `json:"effect"` // "delete", "clear" or "restrict"
}

// operationModel is an operation that the caller may call.
type operationModel struct {
	ID             string           `json:"id"`
	Method         string           `json:"method"`
	Path           string           `json:"path"`
	Title          string           `json:"title"`
	Description    string           `json:"description"`
	Item           bool             `json:"item"`
	Input          json.RawMessage  `json:"input"`
	InputIsList    bool             `json:"inputIsList"`
	ContentType    string           `json:"contentType"`
	Output         json.RawMessage  `json:"output"`
	Types          []string         `json:"types"`
	IfMatch        bool             `json:"ifMatch"`
	IdempotencyKey bool             `json:"idempotencyKey"`
	Destructive    bool             `json:"destructive"`
	Danger         bool             `json:"danger"`             // its button is red
	Effect         string           `json:"effect,omitempty"`   // on many records: "create" or "change"
	Merges         bool             `json:"merges,omitempty"`   // its body is a merge patch, also that of a Put
	Suffixes       []string         `json:"suffixes,omitempty"` // behind an identifier at the end of Path
	Parameters     []parameterModel `json:"parameters"`
	Tree           string           `json:"tree"` // the parameter that takes a tree of conditions, "" for none
}

type parameterModel struct {
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Field    string          `json:"field"`
	Operator string          `json:"operator"`
	Many     bool            `json:"many"`
	Schema   json.RawMessage `json:"schema"`
}
