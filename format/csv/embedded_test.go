package csv_test

import (
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

type crew struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type captain struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Home     place  `json:"home"`
	Crew     int64  `json:"crew" api:"ref=Crew"`
	Open     bool   `json:"open"`
}

type boat struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Owner int64   `json:"owner" api:"ref=Captain,expand"`
	Heir  *int64  `json:"heir" api:"ref=Captain"`
	Marks []int64 `json:"marks" validate:"max=9" api:"ref=Crew"`
}

func boatsSeen(t *testing.T, view ...string) *resource.API {
	t.Helper()
	api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)},
		resource.Of[crew]{ShortName: "Crew", Store: memory.New(crew{1, "Reds"}, crew{2, "Blue, big"}), Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
		}},
		resource.Of[captain]{
			ShortName: "Captain", Store: memory.New(captain{1, "ann", place{City: "Rome, old"}, 1, true}, captain{2, "=bob", place{City: "Oslo"}, 2, false}),
			Access: access.Rules{Read: access.Where("open", true), Create: access.Public, Update: access.Public, Delete: access.Public},
		},
		resource.Of[boat]{
			ShortName: "Boat", Store: memory.New(boat{1, "Gull", 1, new(int64(1)), []int64{1, 2}}, boat{2, "Tern", 2, nil, nil}),
			Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public},
			Operations: append(operation.Standard(), operation.GetCollection{
				Name: "card", URITemplate: "/cards{._format}", View: &operation.View{Name: "Card", Fields: view},
			}, operation.Get{Name: "one", URITemplate: "/cards/{id}{._format}", View: &operation.View{Name: "Card", Fields: view}}),
		})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestAViewsEmbeddedFieldsAreDottedColumns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		view []string
		want string
	}{
		{[]string{"id", "owner.username"}, "id,owner.username\r\n1,ann\r\n2,\r\n"},
		{[]string{"id", "owner", "owner.username", "name"}, "id,owner,owner.username,name\r\n1,/api/captains/1,ann,Gull\r\n2,/api/captains/2,,Tern\r\n"},
		{[]string{"id", "owner.username", "owner.home"}, "id,owner.username,owner.home.city,owner.home.zip\r\n1,ann,\"Rome, old\",\r\n2,,,\r\n"},
		{[]string{"id", "heir.username"}, "id,heir.username\r\n1,ann\r\n2,\r\n"},
		{[]string{"id", "marks.id"}, "id,marks.id\r\n1,1 2\r\n2,[]\r\n"},
		{[]string{"id", "marks.name"}, "id,marks.name\r\n1,\"[\"\"Reds\"\",\"\"Blue, big\"\"]\"\r\n2,[]\r\n"},
	} {
		api := boatsSeen(t, test.view...)
		send(t, api, "GET /api/cards.csv", "").Is(200, test.want)
	}
	send(t, boatsSeen(t, "id", "owner.username"), "GET /api/cards/1.csv", "").Is(200, "id,owner.username\r\n1,ann\r\n")
}

func TestWhatAClientExpandsHasNoColumns(t *testing.T) {
	t.Parallel()
	send(t, boatsSeen(t, "id"), "GET /api/boats.csv?expand=owner", "").
		Is(200, "id,name,owner,heir,marks\r\n1,Gull,/api/captains/1,/api/captains/1,/api/crews/1 /api/crews/2\r\n2,Tern,/api/captains/2,,[]\r\n")
}
