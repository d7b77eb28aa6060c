package codec_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/alloctest"
)

type stash struct {
	Flat    place                      `json:"flat"`
	Pointer *place                     `json:"pointer"`
	Words   []string                   `json:"words"`
	Nested  [][]*int                   `json:"nested"`
	Grid    [2][]int                   `json:"grid"`
	Map     map[string][]string        `json:"map"`
	Structs map[string]place           `json:"structs"`
	Any     any                        `json:"any"`
	Bytes   []byte                     `json:"bytes"`
	Raw     jsontext.Value             `json:"raw"`
	Score   scores                     `json:"score"`
	At      time.Time                  `json:"at"`
	Host    *netip.Addr                `json:"host"`
	Next    *stash                     `json:"next"`
	ByName  map[string]map[string]*int `json:"byName"`
}

func newStash() *stash {
	return &stash{
		Flat: place{"Bree", new(1)}, Pointer: &place{"Shire", new(2)}, Words: []string{"a", "b"},
		Nested: [][]*int{{new(3), nil}, nil, {}}, Grid: [2][]int{{1}, {2}}, Map: map[string][]string{"a": {"b"}, "nil": nil},
		Structs: map[string]place{"a": {"Bree", new(4)}}, Bytes: []byte{1, 2}, Raw: jsontext.Value(`{"a":1}`),
		Any:   map[string]any{"a": []any{map[string]any{"b": 1.0}}, "c": []any(nil), "d": map[string]any(nil)},
		Score: scores{"n": 1}, At: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Host: new(netip.IPv6Loopback()),
		Next: &stash{Words: []string{"x"}}, ByName: map[string]map[string]*int{"a": {"b": new(5)}},
	}
}

func TestACloneIsEqualAndSharesNoMemory(t *testing.T) {
	t.Parallel()
	c := codecOf[stash](t)
	original := newStash()
	clone := c.Clone(original).(*stash)
	if !reflect.DeepEqual(original, clone) {
		t.Errorf("the clone differs (-want +got):\n%s", cmp.Diff(original, clone, cmp.Comparer(func(x, y netip.Addr) bool { return x == y })))
	}
	*clone.Flat.Zip, *clone.Pointer.Zip, clone.Pointer.City = 9, 9, "x"
	clone.Words[0], *clone.Nested[0][0], clone.Grid[0][0], clone.Map["a"][0] = "x", 9, 9, "x"
	*clone.Structs["a"].Zip, clone.Bytes[0], clone.Raw[1], clone.Score["n"] = 9, 9, 'x', 9
	clone.Any.(map[string]any)["a"].([]any)[0].(map[string]any)["b"] = 9.0
	*clone.Host, clone.Next.Words[0], *clone.ByName["a"]["b"] = netip.Addr{}, "x", 9
	clone.Map["new"], clone.Structs["new"], clone.ByName["new"] = nil, place{}, nil
	if want := newStash(); !reflect.DeepEqual(want, original) {
		t.Errorf("the original changed (-want +got):\n%s", cmp.Diff(want, original, cmp.Comparer(func(x, y netip.Addr) bool { return x == y })))
	}
}

func TestACloneKeepsNilAndEmptyApart(t *testing.T) {
	t.Parallel()
	c := codecOf[stash](t)
	for name, original := range map[string]*stash{
		"nil":   {},
		"empty": {Words: []string{}, Map: map[string][]string{}, Any: map[string]any{}, Bytes: []byte{}, Nested: [][]*int{}, Score: scores{}},
	} {
		if clone := c.Clone(original); !reflect.DeepEqual(original, clone) {
			t.Errorf("%s: %+v became %+v", name, original, clone)
		}
	}
}

//nolint:paralleltest // counts the allocations of the whole process
func TestAFlatStructIsClonedInOneAllocation(t *testing.T) {
	type flat struct {
		A string    `json:"a"`
		B time.Time `json:"b"`
		C [4]int    `json:"c"`
		D size      `json:"d"`
	}
	c := codecOf[flat](t)
	original := &flat{A: "a", C: [4]int{1, 2, 3, 4}, D: size{1, 2, "m"}}
	if allocs, _ := alloctest.Count(100, func() { c.Clone(original) }); allocs > 1 {
		t.Errorf("%v allocations, want 1", allocs)
	}
}

func TestGoFieldsWithoutJSONAreAssigned(t *testing.T) {
	t.Parallel()
	type hidden struct {
		Name  string `json:"name"`
		Hash  []byte `json:"-"`
		cache map[string]int
	}
	c := codecOf[hidden](t)
	original := &hidden{Name: "a", Hash: []byte{1}, cache: map[string]int{"a": 1}}
	clone := c.Clone(original).(*hidden)
	if !reflect.DeepEqual(original, clone) {
		t.Errorf("the clone is %+v, want %+v", clone, original)
	}
}

func TestAValueThatContainsItselfIsClonedWithoutEnd(t *testing.T) {
	t.Parallel()
	loop := &node{Name: "loop"}
	loop.Next = loop
	clone := codecOf[node](t).Clone(loop).(*node)
	if clone == loop || clone.Next == loop || clone.Next.Next.Name != "loop" {
		t.Error("the first levels of the clone are not its own")
	}
	list := []any{nil}
	list[0] = list
	codecOf[node](t).Clone(&node{Any: list})
}

type account struct {
	ID       int64    `json:"id" api:"id,readonly"`
	Name     string   `json:"name" default:"nobody"`
	Password string   `json:"password" api:"writeonly"`
	Created  string   `json:"created" api:"readonly" default:"never"`
	Tags     []string `json:"tags"`
	Profile  profile  `json:"profile"`
	Extra    *profile `json:"extra"`
	Hash     string   `json:"-"`
	version  int
}

type profile struct {
	Nick   string   `json:"nick" default:"nick"`
	Secret []string `json:"secret" api:"writeonly"`
	Score  int      `json:"score" api:"readonly"`
	hidden string
}

func TestRenewResetsWhatClientsSetAndKeepsTheRest(t *testing.T) {
	t.Parallel()
	c := codecOf[account](t)
	stored := &account{
		ID: 7, Name: "Ann", Password: "pw", Created: "today", Tags: []string{"a"}, Hash: "h", version: 3,
		Profile: profile{Nick: "A", Secret: []string{"s"}, Score: 5, hidden: "h"}, Extra: &profile{Nick: "B", Score: 6},
	}
	renewed := c.Renew(stored).(*account)
	want := &account{
		ID: 7, Name: "nobody", Password: "pw", Created: "today", Hash: "h", version: 3,
		Profile: profile{Nick: "nick", Secret: []string{"s"}, Score: 5, hidden: "h"},
	}
	if !reflect.DeepEqual(want, renewed) {
		t.Errorf("Renew is\n%+v, want\n%+v", renewed, want)
	}
	renewed.Profile.Secret[0] = "x"
	if stored.Profile.Secret[0] != "s" || stored.Name != "Ann" {
		t.Error("the stored record changed")
	}
}

func TestRenewLeavesAnIdentifierOfTheClientZero(t *testing.T) {
	t.Parallel()
	type programmer struct {
		Nickname string `json:"nickname" api:"id"`
		Avatar   int    `json:"avatar"`
	}
	renewed := codecOf[programmer](t).Renew(&programmer{"ann", 7}).(*programmer)
	if *renewed != (programmer{}) {
		t.Errorf("Renew is %+v, want nothing", renewed)
	}
}

func TestReplaceKeepsNestedSecretsUnderAFieldsOwnDefault(t *testing.T) {
	t.Parallel()
	type user struct {
		Profile profile `json:"profile" default:"{\"nick\":\"anon\"}"`
	}
	c := codecOf[user](t)
	renewed := c.Renew(&user{profile{Nick: "A", Secret: []string{"s"}, Score: 5}}).(*user)
	if renewed.Profile.Nick != "anon" || renewed.Profile.Score != 5 {
		t.Errorf("Renew is %+v, want the default beside what stays", renewed)
	}
	decode(t, c, `{"profile":{}}`, renewed, replace)
	if want := (profile{Nick: "nick", Secret: []string{"s"}, Score: 5}); !reflect.DeepEqual(want, renewed.Profile) {
		t.Errorf("replaced is %+v, want %+v", renewed.Profile, want)
	}
}

func TestACodecOfAListMakesAndClonesLists(t *testing.T) {
	t.Parallel()
	c := codecOf[[]*place](t)
	if made, ok := c.New().(*[]*place); !ok || *made != nil {
		t.Errorf("New is %v, want a pointer to no list", made)
	}
	original := []*place{{City: "a"}, nil}
	clone := c.Clone(&original).(*[]*place)
	if !reflect.DeepEqual(original, *clone) || original[0] == (*clone)[0] {
		t.Errorf("the clone is %v, want one like %v", *clone, original)
	}
	if renewed := c.Renew(&original).(*[]*place); !reflect.DeepEqual(original, *renewed) {
		t.Errorf("Renew is %v, want a clone", *renewed)
	}
}
