package csv_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestColumnsFollowTheOrderOfTheView(t *testing.T) {
	t.Parallel()
	for rule, test := range map[string]struct {
		view []string
		want string
	}{
		"own fields":                   {[]string{"name", "id"}, "name,id\r\nGull,1\r\nTern,2\r\n"},
		"embedded before own":          {[]string{"owner.username", "name", "id"}, "owner.username,name,id\r\nann,Gull,1\r\n,Tern,2\r\n"},
		"embedded next to a reference": {[]string{"owner.username", "id", "owner"}, "owner.username,id,owner\r\nann,1,/api/captains/1\r\n,2,/api/captains/2\r\n"},
		"objects of embedded records":  {[]string{"owner.home", "owner.username", "id"}, "owner.home.city,owner.home.zip,owner.username,id\r\n\"Rome, old\",,ann,1\r\n,,,2\r\n"},
		"one record at several places": {[]string{"owner.home", "id", "owner.username"}, "owner.home.city,owner.home.zip,id,owner.username\r\n\"Rome, old\",,1,ann\r\n,,2,\r\n"},
		"two records":                  {[]string{"heir.username", "id", "owner.username"}, "heir.username,id,owner.username\r\nann,1,ann\r\n,2,\r\n"},
		"lists of records":             {[]string{"marks.name", "id", "marks.id"}, "marks.name,id,marks.id\r\n\"[\"\"Reds\"\",\"\"Blue, big\"\"]\",1,1 2\r\n[],2,[]\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			api := boatsSeen(t, test.view...)
			send(t, api, "GET /api/cards.csv", "").Is(200, test.want)
			first, _, _ := strings.Cut(test.want, "2,")
			if got := send(t, api, "GET /api/cards/1.csv", ""); !strings.HasPrefix(first, strings.TrimSuffix(got.Body, "\r\n")) {
				t.Errorf("one record is %q, want the start of %q", got.Body, test.want)
			}
			doc, err := openapi.Document(api, openapi.Config{Title: "Boats", Version: "1"})
			if err != nil {
				t.Fatal(err)
			}
			header, _, _ := strings.Cut(test.want, "\r\n")
			described := doc.Paths.Value("/api/cards").Get.Responses.Value("200").Value.Content[asCSV].Schema.Value.Description
			if want := "Columns: " + strings.ReplaceAll(header, ",", ", ") + "."; !strings.HasSuffix(described, want) {
				t.Errorf("the document says %q, want %q", described, want)
			}
		})
	}
}

// gemsSeen is an API of gems whose view lists the fields in another order than the struct.
func gemsSeen(t *testing.T) *resource.API {
	t.Helper()
	type ring struct {
		ID  int64 `json:"id"`
		Gem int64 `json:"gem" api:"ref=Gem"`
	}
	one := gem{ID: 1, Name: "a", Carats: 2, From: place{City: "Oslo"}}
	everyone := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)},
		resource.Of[gem]{
			ShortName: "Gem", SparseFields: true, Store: memory.New(one), Access: everyone,
			View: &operation.View{Name: "Cut", Fields: []string{"from", "twice", "name", "id"}},
			Computed: []operation.Computed{operation.Compute("twice", "Twice the carats.", func(_ context.Context, g *gem) (float64, error) {
				return 2 * g.Carats, nil
			})},
			Operations: append(operation.Standard(),
				operation.Post{Name: "all", URITemplate: "/gems/all{._format}", Handler: operation.Handle(
					func(context.Context, *gem, struct{}) ([]*gem, error) { return []*gem{&one, &one}, nil })},
				operation.Post{Name: "best", URITemplate: "/gems/best{._format}", Handler: operation.Handle(
					func(context.Context, *gem, struct{}) (*gem, error) { return &one, nil })},
				operation.GetCollection{
					Name: "backwards", URITemplate: "/gems/backwards{._format}",
					View: &operation.View{Name: "Cut", Fields: []string{"id", "name", "twice", "from"}},
				}),
		},
		resource.Of[ring]{
			ShortName: "Ring", Store: memory.New(ring{1, 1}), Access: everyone,
			Operations: []operation.Operation{operation.GetCollection{Expand: []string{"gem"}}},
		})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestTheViewOfAResourceOrdersTheColumnsOfAllItsResponses(t *testing.T) {
	t.Parallel()
	api := gemsSeen(t)
	const header, row = "from.city,from.zip,twice,name,id\r\n", "Oslo,,4,a,1\r\n"
	send(t, api, "GET /api/gems.csv", "").Is(200, header+row)
	send(t, api, "GET /api/gems/1.csv", "").Is(200, header+row)
	send(t, api, "POST /api/gems/all.csv", "").Is(200, header+row+row)
	send(t, api, "POST /api/gems/best.csv", "").Is(200, header+row)
	send(t, api, "GET /api/gems/backwards.csv", "").Is(200, "id,name,twice,from.city,from.zip\r\n1,a,4,Oslo,\r\n")
	send(t, api, "GET /api/gems.csv?fields=id,name,from", "").Is(200, "from.city,from.zip,name,id\r\nOslo,,a,1\r\n")
	send(t, api, "GET /api/rings.csv", "").Is(200, "id,gem,gem.from.city,gem.from.zip,gem.twice,gem.name,gem.id\r\n1,/api/gems/1,Oslo,,4,a,1\r\n")
	send(t, api, "GET /api/gems/1", "").Is(200, `{"id":1,"name":"a","from":{"city":"Oslo","zip":null},"twice":4}`)
}

func TestABodyHasColumnsInAnyOrder(t *testing.T) {
	t.Parallel()
	api := gemsSeen(t)
	for i, body := range []string{"name,carats,from.city\nb,3,Rome", "from.city,carats,name\nRome,3,b", "carats,from.city,twice,id,name\n3,Rome,9,,b"} {
		want := "from.city,from.zip,twice,name,id\r\nRome,,6,b," + string(rune('2'+i)) + "\r\n"
		send(t, api, "POST /api/gems.csv", body).Is(201, want)
	}
}
