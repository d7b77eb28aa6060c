package home

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/guest"
	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/page"
	"github.com/trove-api/trove/operation"
)

// view is what the template shows.
type view struct {
	Frame       page.Frame
	Description []paragraph
	Expired     bool // the credentials of the request are invalid
	SignedIn    bool
	HasSchemes  bool
	Ways        []way
	SignIn      *form       // nil unless a form can sign in
	Pages       []page.Link // on which people can sign in instead; nil if there is a form
	SignOut     string
	Resources   []resource
	Base        string // the URL of the API
	Links       []link
	Formats     []string
}

// resource is a resource of which the caller may do something.
type resource struct {
	Title       string
	Description []paragraph
	Path        string // of its collection; "" if the caller may not list it
	Actions     []action
}

// action is what the caller may do.
type action struct {
	Text    string
	Changes bool
}

// link is a link for programs and their developers.
type link struct{ Title, Path, URL, Type string }

// form is a form that signs in.
type form struct {
	Path   string
	Fields []input
}

// input is a field of a form.
type input struct{ Name, Label, Type, Complete string }

// view makes the page of a caller.
func (h *Home) view(made *prepared, caller *guest.Caller, r *http.Request, expired bool) *view {
	reads := !h.config.Guarded || caller.MayReadDocs()
	v := &view{
		Frame:   page.Frame{Title: h.config.Title, API: h.config.Title, Home: h.api.HomePath(), IsHome: true, Icon: h.config.Icon},
		Expired: expired, SignedIn: !caller.IsAnonymous(), HasSchemes: made.guest.HasSchemes,
		Base: httpserve.Origin(h.api, r) + h.api.Prefix,
	}
	signIn, signOut := made.guest.SignIn()
	if v.SignedIn {
		v.SignOut = signOutPath(signOut)
	} else {
		v.Ways, v.SignIn = h.ways(signIn), formOf(signIn)
	}
	if reads {
		v.Description = made.description
	}
	for _, l := range h.api.Links() {
		switch isDocs := strings.HasPrefix(l.Rel, "service-d"); {
		case isDocs && !reads:
		case l.Rel == "service-doc":
			v.Frame.Links = slices.Insert(v.Frame.Links, 0, page.Link{Title: l.Title, Path: l.Path})
		case l.Rel == "":
			v.Frame.Links = append(v.Frame.Links, page.Link{Title: l.Title, Path: l.Path})
		default:
			v.Links = append(v.Links, link{l.Title, l.Path, httpserve.Origin(h.api, r) + l.Path, l.Type})
		}
	}
	if v.HasSchemes && !v.SignedIn && v.SignIn == nil {
		v.Pages = v.Frame.Links
	}
	for _, f := range h.api.Formats {
		v.Formats = append(v.Formats, f.MediaType)
	}
	v.Resources = h.resources(made, caller, reads)
	return v
}

// resources returns the resources of which the caller may do something, with texts of the documentation only if they may
// read it. Signing in and out has its own place on the page.
func (h *Home) resources(made *prepared, caller *guest.Caller, reads bool) []resource {
	signIn, signOut := made.guest.SignIn()
	allowed := map[string][]*guest.Operation{} // by resource
	for _, o := range made.guest.Operations {
		if !o.Hidden && o != signIn && o != signOut && caller.May(o) {
			allowed[o.Resource] = append(allowed[o.Resource], o)
		}
	}
	var list []resource
	for _, r := range h.api.Resources {
		if allowed[r.ShortName] == nil {
			continue
		}
		shown := resource{Title: naming.SentenceCase(r.PluralName), Actions: actions(allowed[r.ShortName], reads)}
		if reads {
			shown.Description = made.about[r.ShortName]
		}
		if of := r.Collection; of != nil && slices.ContainsFunc(allowed[r.ShortName], func(o *guest.Operation) bool { return o.ID == of.ID }) {
			shown.Path = of.Path()
		}
		list = append(list, shown)
	}
	return list
}

// verbs are the actions of operations without a handler.
var verbs = map[operation.Kind]string{
	operation.KindGet: "read", operation.KindGetCollection: "list", operation.KindPost: "create", operation.KindPut: "update",
	operation.KindPatch: "update", operation.KindDelete: "delete",
}

// actions returns what operations do, each once: reading first, then changes.
func actions(operations []*guest.Operation, named bool) []action {
	var list []action
	for _, o := range operations {
		a := action{Text: verbs[o.Kind], Changes: !o.Reads}
		switch {
		case o.Relationship != nil: // of JSON:API, for what an update does too
			continue
		case o.Membership != nil && o.Kind == operation.KindPut:
			a.Text = "add " + naming.Phrase(o.Membership.Field.Name)
		case o.Membership != nil:
			a.Text = "remove " + naming.Phrase(o.Membership.Field.Name)
		case o.Custom && named:
			a.Text = strings.TrimSuffix(o.Summary, ".")
		case o.Custom:
			a.Text = o.ID
		}
		if !slices.ContainsFunc(list, func(other action) bool { return other.Text == a.Text }) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b action) int {
		return cmp.Compare(rank(a), rank(b))
	})
	return list
}

// rank sorts actions.
func rank(a action) int {
	order := []string{"list", "read", "create", "update", "delete"}
	if i := slices.Index(order, a.Text); i >= 0 {
		return i
	}
	return len(order)
}

// signOutPath returns the path of the operation that ends a session, "" if a form cannot call it.
func signOutPath(o *guest.Operation) string {
	if o == nil || !o.HasForm() {
		return ""
	}
	return o.Path
}
