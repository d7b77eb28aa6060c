package admin_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/admin"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Piece has fields with names that occur nowhere else, so that their bytes show whether a model mentions them.
type Piece struct {
	ID     int64   `json:"id"`
	Owner  int64   `json:"owner" api:"ref=Keeper,filter"`
	Open   bool    `json:"open" api:"filter"`
	Alfa   string  `json:"alfa" validate:"notblank" api:"filter=partial,sort,search" doc:"The first." example:"one"`
	Bravo  string  `json:"bravo" validate:"required_with=Alfa,max=40" api:"filter,sort,search,unique" doc:"The second."`
	Coral  int     `json:"coral" validate:"gtefield=Depth" api:"filter=range,sort,aggregate" default:"7"`
	Depth  int     `json:"depth" api:"filter=range,sort,group"`
	Quartz *int64  `json:"quartz" api:"ref=Keeper,expand,filter,through=codename,ondelete=null"`
	Flint  Flint   `json:"flint" doc:"The sixth."`
	Haven  []int64 `json:"haven" validate:"max=5" api:"ref=Keeper,filter,ondelete=null"`
}

// Flint is a nested object.
type Flint struct {
	Grain string `json:"grain" api:"filter"`
}

// guarded are the fields of a Piece that have rules, each with what else only it explains in a model.
var guarded = map[string][]string{
	"alfa": {"The first."}, "bravo": {"The second."}, "coral": nil, "depth": nil, "quartz": nil, "flint": {"grain", "The sixth."}, "haven": nil,
}

// generated is a random rule, with what it decides for each caller without a record: 0 denied, 1 by the record, 2 allowed.
type generated struct {
	access.Rule

	by map[string]int
}

var callers = []string{"", "ann", "root"}

// leaves are rules without parts.
func leaves() []generated {
	return []generated{
		{access.Public, map[string]int{"": 2, "ann": 2, "root": 2}},
		{access.Authenticated, map[string]int{"": 0, "ann": 2, "root": 2}},
		{isAdmin, map[string]int{"": 0, "ann": 0, "root": 2}},
		{isOwner, map[string]int{"": 0, "ann": 1, "root": 1}},
		{access.Where("open", true), map[string]int{"": 1, "ann": 1, "root": 1}},
	}
}

// newRule returns a random rule.
func newRule(r *rand.Rand, depth int) generated {
	all := leaves()
	if depth == 0 || r.IntN(2) == 0 {
		return all[r.IntN(len(all))]
	}
	a, b := newRule(r, depth-1), newRule(r, depth-1)
	made := generated{by: map[string]int{}}
	isAny := r.IntN(2) == 0
	for _, who := range callers {
		if made.by[who] = min(a.by[who], b.by[who]); isAny {
			made.by[who] = max(a.by[who], b.by[who])
		}
	}
	if made.Rule = access.All(a.Rule, b.Rule); isAny {
		made.Rule = access.Any(a.Rule, b.Rule)
	}
	return made
}

// gallery is an API with random rules.
type gallery struct {
	read, create, update generated
	members              map[string][2]generated // read and write
}

// serve serves the gallery.
func (g *gallery) serve(t *testing.T) *site {
	t.Helper()
	members := map[string]access.Field{}
	for name, rules := range g.members {
		members[name] = access.Field{Read: rules[0].Rule, Write: rules[1].Rule}
	}
	public := access.Rules{Read: access.Public, Create: isAdmin, Update: isAdmin, Delete: access.Public}
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}},
		resource.Of[Keeper]{Access: public, Store: memory.New(*keepers["ann"], *keepers["bob"], *keepers["root"])},
		resource.Of[Piece]{
			Access: access.Rules{Read: g.read.Rule, Create: g.create.Rule, Update: g.update.Rule, Delete: g.update.Rule, Fields: members},
			Operations: standard(
				operation.Aggregate{}, operation.Get{Name: "peek", URITemplate: "/pieces/{id}/peek", Hidden: true},
				operation.GetCollection{URITemplate: "/keepers/{owner}/pieces"}, operation.Post{URITemplate: "/keepers/{owner}/pieces"},
				operation.Put{URITemplate: "/pieces/{id}/haven/{haven}"}, operation.Delete{URITemplate: "/pieces/{id}/haven/{haven}", Access: isAdmin},
			),
		})
	columns := slices.Sorted(maps.Keys(guarded))
	fields := map[string]admin.Field{}
	for name, others := range guarded {
		fields[name] = admin.Field{Width: 9}
		if others != nil {
			fields[name] = admin.Field{Help: others[len(others)-1]}
		}
	}
	return serve(t, api, admin.Config{
		Resources: []admin.Resource{{
			Name: "Piece", Columns: columns, Fields: fields, Groups: []admin.Group{{Fields: columns[:3]}, {Title: "Rest", Fields: columns[3:]}},
			RecordTitle: "{alfa} {bravo}, {quartz.codename}", Filter: "coral[gte]=1&open=true&flint.grain=x", Sort: "-depth,alfa",
		}},
		Texts: map[string]string{"field.alfa": "x", "field.coral": "x", "field.grain": "x"},
		Dashboard: []admin.Panel{
			admin.Bars{Resource: "Piece", Group: "depth", Sum: "coral", Filter: "bravo=x"},
			admin.Number{Resource: "Piece", Filter: "alfa=x"},
			admin.Newest{Resource: "Piece", Sort: "-depth"},
		},
	})
}

// TestAModelHasNoByteOfWhatRulesHide compares models with what random rules decide: a field is in the model of a caller if
// and only if they may read or set it in some record.
func TestAModelHasNoByteOfWhatRulesHide(t *testing.T) {
	t.Parallel()
	shown, hidden := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 34))
		g := &gallery{newRule(r, 2), newRule(r, 2), newRule(r, 2), map[string][2]generated{}}
		for _, name := range slices.Sorted(maps.Keys(guarded)) {
			g.members[name] = [2]generated{newRule(r, 2), newRule(r, 2)}
		}
		s := g.serve(t)
		for _, who := range callers {
			body := s.get(who, "/admin/model")
			reads, creates := g.read.by[who] > 0, g.create.by[who] > 0
			updates := reads && g.update.by[who] > 0
			if has := strings.Contains(body, `"Piece"`); has != (reads || creates) {
				t.Fatalf("seed %d: the model of %q has the resource: %v, want %v\n%s", seed, who, has, reads || creates, body)
			}
			for name, rules := range g.members {
				sees := rules[0].by[who] > 0 && (reads || creates)
				sets := rules[1].by[who] > 0 && (creates || updates)
				for _, text := range append([]string{name}, guarded[name]...) {
					has := strings.Contains(body, text)
					if has && !sees && !sets || !has && (sees || sets) && text == name {
						t.Errorf("seed %d: the model of %q has %q: %v, but they see it: %v, and set it: %v", seed, who, text, has, sees, sets)
					}
				}
				if shown++; !sees && !sets {
					hidden++
				}
			}
			for id, may := range map[string]bool{
				"listPieces": reads, "getPiece": reads, "createPiece": creates, "patchPiece": updates, "deletePiece": updates,
				"listKeeperPieces": reads, "createKeeperPiece": creates && reads,
				"addPieceKeeper": updates && g.members["haven"][1].by[who] > 0, "removePieceKeeper": reads && who == "root",
			} {
				if has := strings.Contains(body, `"`+id+`"`); has && !may || !has && may && !strings.HasSuffix(id, "Keeper") {
					t.Errorf("seed %d: the model of %q has %s: %v, want %v", seed, who, id, has, may)
				}
			}
			if strings.Contains(body, "peek") {
				t.Errorf("seed %d: the model of %q has a hidden operation", seed, who)
			}
		}
	}
	if hidden < shown/10 {
		t.Errorf("only %d of %d fields were hidden", hidden, shown)
	}
}

// TestPermissionsAreWhatTheAPIAllows compares the permissions of records with what the API does.
func TestPermissionsAreWhatTheAPIAllows(t *testing.T) {
	t.Parallel()
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 35))
		public := leaves()[0]
		g := &gallery{newRule(r, 2), public, newRule(r, 2), map[string][2]generated{"coral": {newRule(r, 1), newRule(r, 1)}}}
		for _, name := range []string{"bravo", "depth", "flint"} {
			g.members[name] = [2]generated{newRule(r, 2), public}
		}
		g.create = public
		s := g.serve(t)
		var paths []string
		for i, body := range []string{`"owner":"/api/keepers/1","open":true`, `"owner":"/api/keepers/2","open":false`, `"owner":"/api/keepers/2","open":true`} {
			body = fmt.Sprintf(`{"alfa":"a%d","bravo":"b%d","flint":{"grain":""},%s}`, i, i, body)
			if status, got, _ := s.exchange("root", http.MethodPost, "/api/pieces", body); status != http.StatusCreated {
				t.Fatalf("seed %d: %d %s", seed, status, got)
			}
			paths = append(paths, fmt.Sprintf("/api/pieces/%d", i+1))
		}
		paths = append(paths, "/api/pieces/9", "/api/pieces/9", "/api/nothing/1", "/api/pieces/1/peek", "")
		for _, who := range callers {
			s.comparePermissions(who, paths)
			s.compareFields(who)
		}
	}
}

// comparePermissions compares the permissions of records with what the API lets a caller do.
func (s *site) comparePermissions(who string, paths []string) {
	s.t.Helper()
	allowed := s.permissions(who, paths...)
	for _, path := range paths {
		made, has := allowed[path]
		if path == "" || strings.Contains(path, "peek") || strings.Contains(path, "nothing") {
			if has {
				s.t.Errorf("%s as %q: %v, want nothing", path, who, made)
			}
			continue
		}
		status, body, _ := s.exchange(who, http.MethodGet, path, "")
		if has != (status == http.StatusOK) {
			s.t.Errorf("%s as %q: in the permissions: %v, but GET returns %d", path, who, has, status)
		}
		if !has {
			continue
		}
		for _, name := range made.Locked {
			if s.model(who).resource("Piece").field(name).Name == "" {
				s.t.Errorf("%s as %q: the permissions name %s, which the model does not have", path, who, name)
			}
		}
		change, _, _ := s.exchange(who, http.MethodPatch, path, `{}`)
		if may := contains(made.Operations, "patchPiece"); may != (change == http.StatusOK) {
			s.t.Errorf("%s as %q: patchPiece is allowed: %v, but an empty PATCH returns %d", path, who, may, change)
		}
		if contains(made.Operations, "peekPiece") {
			s.t.Errorf("%s as %q: the permissions have a hidden operation", path, who)
		}
		if change == http.StatusOK {
			value := "8"
			if strings.Contains(body, `"coral":8`) {
				value = "9"
			}
			status, _, _ := s.exchange(who, http.MethodPatch, path, `{"coral":`+value+`}`)
			if locked := contains(made.Locked, "coral"); locked && status == http.StatusOK || !locked && status == http.StatusForbidden && s.model(who).resource("Piece").field("coral").Update {
				s.t.Errorf("%s as %q: coral is locked: %v, but a change returns %d", path, who, locked, status)
			}
		}
	}
}

// compareFields compares the fields that lists of a caller show with the model.
func (s *site) compareFields(who string) {
	s.t.Helper()
	status, body, _ := s.exchange(who, http.MethodGet, "/api/pieces", "")
	piece := s.model(who).resource("Piece")
	if (status == http.StatusOK) != (piece.List != nil) {
		s.t.Errorf("%q: the list returns %d, but the model has %v", who, status, piece.List)
	}
	if status != http.StatusOK {
		return
	}
	var records []map[string]any
	if err := json.Unmarshal([]byte(body), &records); err != nil {
		s.t.Fatal(err)
	}
	for _, record := range records {
		for name := range record {
			if !piece.field(name).Readable {
				s.t.Errorf("%q: a record has %s, which is not readable in the model", who, name)
			}
		}
	}
	for _, column := range piece.Columns {
		if len(records) > 0 && !piece.field(column).Readable {
			s.t.Errorf("%q: the column %s is not readable", who, column)
		}
	}
}

func TestADescriptionDoesNotNameAHiddenFieldWithASpaceInItsName(t *testing.T) {
	t.Parallel()
	type Trip struct {
		ID    int64     `json:"id"`
		Start time.Time `json:"start date"`
		End   time.Time `json:"end" validate:"gtefield=Start"`
	}
	api := newAPI(t, resource.Config{Authentication: []access.Scheme{bearer}}, resource.Of[Keeper]{Access: access.Only(access.Public), Store: memory.New(*keepers["bob"], *keepers["root"])},
		resource.Of[Trip]{Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
			Fields: map[string]access.Field{"start date": {Read: isAdmin, Write: isAdmin}},
		}})
	s := serve(t, api, admin.Config{})
	for who, want := range map[string]bool{"bob": false, "root": true} {
		if has := strings.Contains(s.get(who, "/admin/model"), "start date"); has != want {
			t.Errorf("the model of %s has the name: %v, want %v", who, has, want)
		}
	}
}
