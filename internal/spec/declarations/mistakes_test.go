package declarations_test

import (
	"context"
	"errors"
	"flag"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

var update = flag.Bool("update", false, "write the golden files")

type (
	noID       struct{ Name string }
	floatID    struct{ ID float64 }
	pointerID  struct{ ID *int64 }
	tooManyIDs struct {
		A int64 `api:"id"`
		B int64 `api:"id"`
		C int64 `api:"id"`
		D int64 `api:"id"`
		E int64 `api:"id"`
	}
	mistakenParts struct {
		A *int64  `api:"id"`
		B float64 `api:"id"`
		C string  `api:"id,readonly"`
		D int64   `api:"id,version"`
	}
	unknownWord struct {
		ID   int64
		Name string `api:"sorted,filter=parital,id=3"`
	}
	contradiction struct {
		ID   int64
		Both string `api:"readonly,writeonly"`
		Key  string `api:"writeonly,filter,sort"`
	}
	changes struct {
		ID int64
		A  string     `api:"version"`
		B  *time.Time `api:"modified"`
		C  string     `api:"created"`
	}
	twoVersions struct {
		ID int64
		A  int `api:"version" validate:"gte=1"`
		B  int `api:"version"`
	}
	versionID struct {
		ID int64 `api:"id,version"`
	}
	wordsWithin struct {
		ID     int64 `api:"id"`
		Size   int   `api:"header"`
		Engine partOfVessel
		Decks  map[string][]*partOfVessel
		Parts  []struct {
			Bolt struct {
				Rev int `api:"version"`
			}
		}
	}
	partOfVessel struct {
		ID     int64     `api:"id"`
		Serial string    `api:"unique"`
		Built  time.Time `api:"created"`
		Seen   time.Time `api:"modified"`
		Yard   string    `api:"createonly,filter"`
	}
	unencodable struct {
		ID   int64
		C    chan int
		F    func()
		D    time.Duration
		P    **int
		M    map[int]string
		L    []chan int
		Face error
		Self selfish
		Deep map[string][]selfish
	}
	selfish  []selfish
	sameName struct {
		ID int64
		A  string `json:"B"`
		B  string
	}
	jsonOption struct {
		ID int64 `json:"id,omitemtpy"`
	}
	hiddenRule struct {
		ID int64
		A  string `json:"-" validate:"required"`
		b  string `api:"sort"`
	}
	misspeltRule struct {
		ID   int64
		Name string `json:"name" validate:"notblak,max=abc"`
	}
	misspeltState struct {
		ID     int64
		From   time.Time `json:"from"`
		To     time.Time `json:"to"`
		Status string    `json:"status" validate:"oneof=open cancelled"`
	}
	misplacedRule struct {
		ID   int64
		Flag bool    `validate:"email"`
		List []*deep `validate:"dive"`
		None *deep
	}
	deep struct {
		Name int `validate:"emial"`
	}
	badDefault struct {
		ID    int64
		Count int    `json:"count" default:"many"`
		Small int    `json:"small" default:"1" validate:"gte=5"`
		Text  string `json:"text" example:"x" validate:"min=2"`
	}
	badMessage struct {
		ID   int64
		Name string `validate:"notblank,max=5" message:"notblank: x | mx: y"`
	}
)

type broken struct{ store.Store[spec.Vessel] }

func (broken) Check(context.Context) error { return errors.New("the table has no column note") }

// mistaken are declarations that New rejects, by the name of their golden file.
func mistaken() map[string]func() error {
	declare := func(declarations ...resource.Declaration) func() error {
		return func() error {
			_, err := resource.New(resource.Config{}, declarations...)
			return err
		}
	}
	operations := func(o ...operation.Operation) func() error {
		return declare(resource.Of[spec.Vessel]{Operations: o})
	}
	handle := func(_ context.Context, _ *spec.Vessel, _ spec.Discount) (spec.Receipt, error) {
		return spec.Receipt{}, nil
	}
	var nilHandle func(context.Context, *spec.Vessel, spec.Discount) (spec.Receipt, error)
	return map[string]func() error{
		"config": func() error {
			_, err := resource.New(resource.Config{
				Prefix: "api/", Middleware: []func(http.Handler) http.Handler{nil}, Errors: 9,
				IgnoreParameters: []string{"[", ""}, MaxBodyBytes: -1,
				MaxBodyDepth: -1, MaxBodyValues: -1, MaxURLBytes: -1, MaxConcurrent: -1, Observers: []observe.Observer{nil},
				Rules: []validation.Rule{{Name: "email"}, {}, validation.Struct[int](nil)},
			})
			return err
		},
		"around": func() error {
			unchanged := func(next http.Handler) http.Handler { return next }
			_, err := resource.New(resource.Config{Around: []resource.Around{
				{Operations: []string{"createVessel"}},
				{Middleware: unchanged},
				{Operations: []string{"createVesel", "/api/vessels"}, Middleware: unchanged},
				{Operations: []string{"getVessel"}, Middleware: func(http.Handler) http.Handler { return nil }},
			}}, resource.Of[spec.Vessel]{})
			return err
		},
		"nil_entries": declare(nil, (*resource.Of[spec.Vessel])(nil), resource.Of[spec.Vessel]{
			Operations: []operation.Operation{nil, (*operation.Get)(nil)},
		}),
		"nil_store":   declare(resource.Of[spec.Vessel]{Store: (*memory.Store[spec.Vessel])(nil)}),
		"store_check": declare(resource.Of[spec.Vessel]{Store: broken{memory.New[spec.Vessel]()}}),
		"types":       declare(resource.Of[int]{}, resource.Of[*spec.Vessel]{}, resource.Of[time.Time]{}, resource.Of[any]{}),
		"identifiers": declare(resource.Of[noID]{}, resource.Of[floatID]{}, resource.Of[pointerID]{}, resource.Of[tooManyIDs]{}, resource.Of[mistakenParts]{}),
		"tags": declare(resource.Of[unknownWord]{}, resource.Of[contradiction]{}, resource.Of[unencodable]{},
			resource.Of[sameName]{}, resource.Of[jsonOption]{}, resource.Of[hiddenRule]{}),
		"rules": declare(resource.Of[misspeltRule]{}, resource.Of[misspeltState]{Operations: []operation.Operation{
			operation.Delete{When: access.Where("status", "", "open", "Cancelled", "done")},
		}}, resource.Of[misplacedRule]{}, resource.Of[badDefault]{}, resource.Of[badMessage]{}),
		"names": declare(resource.Of[spec.Vessel]{}, resource.Of[spec.Vessel]{}, resource.Of[spec.Vessel]{ShortName: "two words"},
			resource.Of[spec.DragonTreasure]{ShortName: "Cup", Errors: 7}),
		"paths": declare(
			resource.Of[spec.DragonTreasure]{Operations: []operation.Operation{
				operation.GetCollection{URITemplate: "/loot"}, operation.Get{URITemplate: "/loot/{id}"},
			}},
			resource.Of[spec.Programmer]{Operations: []operation.Operation{
				operation.GetCollection{URITemplate: "/loot"}, operation.Get{URITemplate: "/loot/{nickname}"},
			}}),
		"phases": declare(
			resource.Of[spec.Vessel]{Operations: []operation.Operation{operation.Get{URITemplate: "/a"}}},
			nil, resource.Of[unknownWord]{}, resource.Of[badDefault]{}, resource.Of[spec.Vessel]{Errors: 7},
		),
		"same_name": declare(resource.Of[badDefault]{ShortName: "Vessel"}, resource.Of[spec.Vessel]{}),
		"same_id":   operations(operation.Get{}, operation.Get{URITemplate: "/peek/{id}"}),
		"templates": operations(
			operation.Get{URITemplate: "no-slash/{id}"}, operation.Get{URITemplate: "/a/{isbn}"}, operation.Get{URITemplate: "/a"},
			operation.Get{URITemplate: "/a/{ID}"}, operation.Get{URITemplate: "/a/x{id}"}, operation.Get{URITemplate: "/a/{id}/{id}"},
			operation.Get{URITemplate: "/a/{user}/{id}"}, operation.Get{URITemplate: "/a//{id}"}, operation.Get{URITemplate: "/a b/{id}"},
			operation.GetCollection{URITemplate: "/a/{user}"}, operation.Post{URITemplate: "/a/{id}"}, operation.Get{URITemplate: "/a/*"},
		),
		"metadata": operations(
			operation.Get{Name: "Not Good"}, operation.Post{Status: 404}, operation.Get{Status: 204},
			operation.Post{AllowCreate: true}, operation.Put{AllowCreate: true},
			operation.Patch{ExtraProperties: map[string]any{"standard_put": "yes", "standardPut": true}},
		),
		"http": operations(
			operation.Get{RequirePrecondition: true}, operation.Post{CacheControl: "no-store"},
			operation.GetCollection{CacheControl: "no-store\r\nSet-Cookie: a=b"}, operation.Delete{Idempotency: time.Hour, MaxBodyBytes: 7},
			operation.Put{MaxBodyBytes: -7, DeprecationLink: "https://example.com"},
			operation.Patch{Deprecated: time.Unix(1e9, 0), Sunset: time.Unix(1, 0)},
			operation.Patch{Name: "other", URITemplate: "/other/{id}", Deprecated: time.Unix(1e9, 0), DeprecationLink: "<here>"},
		),
		"levels": func() error {
			_, err := resource.New(resource.Config{Pagination: operation.Pagination{ItemsPerPage: -1, MaxItemsPerPage: 20}},
				resource.Of[spec.Vessel]{
					Pagination: operation.Pagination{ItemsPerPage: -1, MaxPage: -1}, Sunset: time.Unix(1, 0), Deprecated: time.Unix(1e9, 0),
					DeprecationLink: "<here>", CacheControl: " no-store",
				},
				resource.Of[spec.Programmer]{
					Pagination: operation.Pagination{ItemsPerPage: 50}, Sunset: time.Unix(1<<40, 0),
					Operations: []operation.Operation{
						operation.GetCollection{Pagination: operation.Pagination{MaxPage: -1}},
						operation.Get{Deprecated: time.Unix(1<<41, 0)},
					},
				},
				resource.Of[spec.DragonTreasure]{DeprecationLink: "https://example.com", Operations: []operation.Operation{}})
			return err
		},
		"no_answers": declare(resource.Of[spec.Vessel]{Store: struct{ store.Store[spec.Vessel] }{memory.New[spec.Vessel]()}, Idempotency: time.Hour}),
		"within":     declare(resource.Of[wordsWithin]{}),
		"changes":    declare(resource.Of[changes]{}, resource.Of[twoVersions]{}, resource.Of[versionID]{}),
		"handlers": operations(
			operation.Get{Name: "a", Handler: operation.Handle(handle)},
			operation.Post{Name: "b", URITemplate: "/b", Handler: operation.Handle(nilHandle)},
			operation.Post{Name: "c", URITemplate: "/c", Handler: operation.Handle(
				func(_ context.Context, _ *spec.Programmer, _ []int) (chan int, error) { return nil, nil })},
			operation.Get{Name: "d", Processor: operation.Process(
				func(context.Context, *operation.Request, *spec.Vessel, operation.Save[spec.Vessel]) error { return nil })},
			operation.Delete{Processor: operation.Process(
				func(context.Context, *operation.Request, *spec.Programmer, operation.Save[spec.Programmer]) error {
					return nil
				})},
			operation.Post{Processor: operation.Process[spec.Vessel](nil)},
		),
	}
}

func TestNewReportsAllErrorsAtOnce(t *testing.T) {
	t.Parallel()
	all := mistaken()
	maps.Copy(all, newcomers())
	for name, try := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := try()
			if err == nil {
				t.Fatal("New accepts the mistake")
			}
			path := filepath.Join("testdata", "mistakes", name+".txt")
			got := err.Error() + "\n"
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("the text differs (-want +got):\n%s", diff)
			}
		})
	}
}

// Keg refers to a resource whose identifier has another type.
type Keg struct {
	ID    string `json:"id" api:"id" validate:"max=9"`
	Owner string `json:"owner" api:"ref=Pennant"`
	Size  int    `json:"size" validate:"email"`
}

func TestMessagesOfMistakesHaveNoArticleBeforeATypeName(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Keg]{}, resource.Of[spec.Pennant]{})
	for _, want := range []string{
		"the type of the key is string, but the identifier of Pennant is int64",
		`validate rule "email" does not apply to the type int; allowed: a string`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New returns %v, want %q", err, want)
		}
	}
}

func TestOneMistakeOfAResourceIsOneLineAndNotOneForEachOperation(t *testing.T) {
	t.Parallel()
	for want, declared := range map[string]resource.Declaration{
		`Pennant: Path has the variable {b}; variables must be references of the record, and spec.Pennant has none`: resource.Of[spec.Pennant]{Path: "/a/{b}/pennants"},
		`Pennant: Input (chan int): chan int: the type chan int cannot be encoded`: resource.Of[spec.Pennant]{
			Input: operation.InputOf(func(*spec.Pennant) chan int { return nil }, func(context.Context, chan int, *spec.Pennant) error { return nil }),
		},
		`Mark: Path has the unknown variable {kog}; did you mean "keg"?`: resource.Of[struct {
			ID  int64 `json:"id"`
			Keg int64 `json:"keg" api:"ref=Mark"`
		}]{ShortName: "Mark", Path: "/kegs/{kog}/marks"},
	} {
		_, err := resource.New(resource.Config{}, declared)
		spec.WantLine(t, err, want)
	}
}

func TestAMistakeIsNotFollowedByThoseThatItCauses(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[struct {
		ID  int64    `json:"id"`
		Box spec.Box `json:"box" api:"sort"`
	}]{ShortName: "Pot"})
	spec.WantLine(t, err, "struct{…}.Box: sort does not support the type spec.Box; allowed: a bool, number, string, time.Time or a type that marshals itself as text")
	_, err = resource.New(resource.Config{}, resource.Of[struct {
		ID  int64 `json:"id"`
		Lid int64 `json:"lid" api:"ref=Lid,expand,filter,through=keg"`
	}]{ShortName: "Cap"}, resource.Of[struct {
		ID spec.Box `json:"id"`
	}]{ShortName: "Lid"})
	spec.WantLine(t, err, "Lid: struct{…}.ID: the identifier cannot have the type spec.Box; allowed: an integer, a string or a type that marshals itself as text", "struct{…}.ID: the identifier cannot have the type spec.Box; allowed: an integer, a string or a type that marshals itself as text")
}

func TestEverythingWrongWithAStampIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	type stamped struct {
		ID int64   `json:"id"`
		A  *string `json:"a" api:"created" validate:"required"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[stamped]{})
	for _, want := range []string{"created does not support the type *string", "cannot be a pointer", "cannot have rules"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %s", err, want)
		}
	}
}

func (misspeltState) Constraints() []store.Constraint {
	return []store.Constraint{store.NoOverlap("from", "to").Except("status", "canceled"), store.Unique("from").Only("status", "", "open")}
}
