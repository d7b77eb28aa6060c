package format_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Visitor is the principal of the tests of permissions.
type Visitor struct {
	Name  string
	Chief bool
}

// Voucher belongs to a visitor. Its price is set by chiefs, and its code names it.
type Voucher struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Owner string `json:"owner"`
	Price int    `json:"price"`
	Code  string `json:"code" api:"title"`
}

// permissions is a format that writes what the caller may do.
func permissions() format.Format {
	return format.Format{
		MediaType: "text/x-permissions", Header: map[string]string{"X-Frame-Options": "DENY"},
		Item: func(b []byte, item format.Item) ([]byte, error) {
			allowed, err := item.Allowed()
			if err != nil {
				return b, err
			}
			locked, err := item.Locked()
			return fmt.Appendf(b, "%s|%s", strings.Join(allowed, " "), strings.Join(locked, " ")), err
		},
		Collection: format.Collection{
			Begin: func(b []byte, page format.Page) ([]byte, error) {
				return fmt.Append(b, strings.Join(page.Allowed(), " ")), nil
			},
			Item: func(b []byte, item format.Item) ([]byte, error) {
				allowed, err := item.Allowed()
				return fmt.Appendf(b, ";%d", len(allowed)), err
			},
		},
		WriteError: func(b []byte, response *format.ErrorResponse) ([]byte, error) {
			return fmt.Append(b, response.Status), nil
		},
	}
}

func voucherOffice(t *testing.T) http.Handler {
	t.Helper()
	chief := access.If("chief", func(v *Visitor) bool { return v.Chief })
	owner := access.Equal("owner", func(v *Visitor) string { return v.Name })
	cheap := access.Check("cheap", func(ctx context.Context, voucher *Voucher) (bool, error) {
		req, ok := operation.RequestFrom(ctx)
		return ok && req.HTTP() != nil && voucher.Price < 10, nil
	})
	vouchers := memory.New[Voucher]()
	for _, one := range []Voucher{{Name: "day", Owner: "ann", Price: 5, Code: "D"}, {Name: "year", Owner: "bob", Price: 50, Code: "Y"}} {
		if err := store.Insert(t.Context(), vouchers, &one); err != nil {
			t.Fatal(err)
		}
	}
	api, err := resource.New(resource.Config{
		Formats: append(format.Standard(), permissions()),
		Authentication: []access.Scheme{access.Basic("password", func(_ context.Context, user, _ string) (*Visitor, access.Scopes, error) {
			return &Visitor{Name: user, Chief: user == "root"}, nil, nil
		})},
	}, resource.Of[Voucher]{
		Store: vouchers,
		Access: access.Rules{
			Read: access.Public, Create: access.Authenticated, Update: access.Any(owner, chief), Delete: chief,
			Members: map[string]access.Member{"price": {Write: chief}, "owner": {Write: access.Any(owner, chief)}},
		},
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Post{},
			operation.Patch{},
			operation.Delete{},
			operation.Put{Hidden: true},
			operation.Post{Name: "stamp", URITemplate: "/vouchers/{id}/stamp", Access: cheap, Handler: operation.Handle(
				func(_ context.Context, _ *Voucher, _ struct{}) (struct{}, error) { return struct{}{}, nil })},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestFormatsLearnWhatTheCallerMayDoToARecord(t *testing.T) {
	t.Parallel()
	api := voucherOffice(t)
	for _, c := range []struct{ user, path, want string }{
		{"", "/api/vouchers/1", "getVoucher stampVoucher|owner price"},
		{"", "/api/vouchers/2", "getVoucher|owner price"},
		{"ann", "/api/vouchers/1", "getVoucher patchVoucher stampVoucher|price"},
		{"ann", "/api/vouchers/2", "getVoucher|owner price"},
		{"root", "/api/vouchers/2", "getVoucher patchVoucher deleteVoucher|"},
		{"", "/api/vouchers", "listVouchers;0;0"},
		{"ann", "/api/vouchers", "listVouchers createVoucher;0;0"},
		{"", "/api/vouchers/3", "404"},
	} {
		t.Run(c.user+c.path, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.path, http.NoBody)
			r.Header.Set("Accept", "text/x-permissions")
			if c.user != "" {
				r.SetBasicAuth(c.user, "secret")
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			body, _ := io.ReadAll(w.Body)
			if got := strings.Trim(string(body), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if got := w.Header().Get("X-Frame-Options"); got != "DENY" {
				t.Errorf("X-Frame-Options: got %q, want DENY", got)
			}
		})
	}
}

func TestHeadersOfFormatsAreOnlyOnTheirResponses(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	voucherOffice(t).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/vouchers/1", http.NoBody))
	if got := w.Header()["X-Frame-Options"]; got != nil || w.Code != http.StatusOK {
		t.Errorf("got status %d and X-Frame-Options %q, want 200 and none", w.Code, got)
	}
}

func TestNewChecksHeadersOfFormats(t *testing.T) {
	t.Parallel()
	f := permissions()
	f.Header = map[string]string{"x-frame-options": "DENY", "X-Ok": "a\r\nb"}
	_, err := resource.New(resource.Config{Formats: append(format.Standard(), f)}, resource.Of[Voucher]{})
	for _, want := range []string{`Formats[2].Header has "x-frame-options"`, `Formats[2].Header["X-Ok"] is not a valid value`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
