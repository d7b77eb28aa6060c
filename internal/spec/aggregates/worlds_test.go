package aggregates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
)

// price keeps the digits of its text, so that two texts can be one number.
type price string

func (price) DecimalDigits() (precision, scale int) { return 20, 2 }

func (p price) MarshalText() ([]byte, error) {
	if p == "" {
		return []byte("0"), nil
	}
	return []byte(p), nil
}

func (p *price) UnmarshalText(text []byte) error {
	*p = price(text)
	return nil
}

// shop is what sales refer to. Callers see some, and the rank only as owners.
type shop struct {
	ID    int64  `json:"id"`
	Owner int64  `json:"owner"`
	Open  bool   `json:"open"`
	City  string `json:"city" api:"group"`
	Rank  *int   `json:"rank" api:"group,aggregate"`

	Deleted *time.Time `json:"deleted" api:"deleted"`
}

// sale has a value of each type. Callers see some, and the price, the shop and the day only as owners.
type sale struct {
	ID     int64      `json:"id"`
	Owner  int64      `json:"owner" api:"filter"`
	Open   bool       `json:"open" api:"group"`
	Status string     `json:"status" api:"filter,group"`
	Shop   *int64     `json:"shop" api:"ref=Shop,ondelete=null,group,through=city|rank"`
	Count  int64      `json:"total" api:"aggregate,group"`
	Price  *price     `json:"price" api:"group,aggregate,filter=range"`
	Weight *float64   `json:"weight" api:"aggregate"`
	At     *time.Time `json:"at" api:"group,aggregate"`
	Day    *date.Date `json:"day" api:"group,aggregate"`
	Size   *struct {
		Room *int `json:"room" api:"group,aggregate"`
	} `json:"size"`

	Deleted *time.Time `json:"deleted" api:"deleted"`
}

// Records in the trash, which do not count.
const (
	deletedSale = 3
	deletedShop = 2
)

// world is all records, as one caller may see them.
type world struct {
	caller int64
	sales  []*sale
	shops  []*shop
}

func maybe[T any](r *rand.Rand, value T) *T {
	if r.IntN(4) == 0 {
		return nil
	}
	return &value
}

// invented makes a world. Only what the caller may not see depends on the secrets.
func invented(caller int64, random, secrets *rand.Rand) *world {
	w := &world{caller: caller}
	city := func(r *rand.Rand) string { return []string{"Ulm", "Ürzig", "ulm"}[r.IntN(3)] }
	for i := range 5 {
		s := &shop{ID: int64(i + 1), Owner: random.Int64N(2) + 1, Open: random.IntN(3) > 0, City: city(random), Rank: maybe(random, random.IntN(3))}
		w.shops = append(w.shops, s)
		if !w.sees(s.Open, s.Owner) {
			s.City = city(secrets)
		}
		if s.Owner != caller {
			s.Rank = maybe(secrets, secrets.IntN(3))
		}
	}
	money := func(r *rand.Rand) price {
		return []price{"1.5", "1.50", "-0.05", "123456789012345678.99", "0", "7"}[r.IntN(6)]
	}
	begin := time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC)
	for i := range 30 {
		s := &sale{
			ID: int64(i + 1), Owner: random.Int64N(2) + 1, Open: random.IntN(2) == 0, Shop: maybe(random, random.Int64N(5)+1), Price: maybe(random, money(random)),
			Day: maybe(random, date.New(2024+random.IntN(3), time.Month(1+random.IntN(12)), 1+random.IntN(31))),
		}
		r := random
		if !w.sees(s.Open, s.Owner) {
			r = secrets
		}
		if s.Owner != caller {
			s.Shop, s.Price, s.Day = maybe(secrets, secrets.Int64N(5)+1), maybe(secrets, money(secrets)), maybe(secrets, date.New(2026, time.Month(secrets.IntN(12)), 3))
		}
		s.Status, s.Count, s.Weight = []string{"new", "sold"}[r.IntN(2)], r.Int64N(3)-1, maybe(r, float64(r.IntN(9))/4)
		if r.IntN(6) == 0 {
			s.Count = 9_223_372_036_854_775_807 - r.Int64N(2)
		}
		// Around the end of summer time, in which an hour occurs twice, and around a new year.
		s.At = maybe(r, begin.Add(time.Duration(r.IntN(48*4))*15*time.Minute+time.Duration(r.IntN(3))*time.Microsecond))
		if s.At != nil && r.IntN(3) == 0 {
			s.At = new(s.At.AddDate(r.IntN(2), 2, 9))
		}
		s.Size = maybe(r, struct {
			Room *int `json:"room" api:"group,aggregate"`
		}{maybe(r, r.IntN(3))})
		w.sales = append(w.sales, s)
	}
	return w
}

func (w *world) sees(isOpen bool, owner int64) bool { return isOpen || owner == w.caller }

// client makes an API with the records of the world.
func (w *world) client(t *testing.T, sales store.Store[sale], shops store.Store[shop]) spec.Client {
	t.Helper()
	owner := access.Equal("owner", func(k int64) int64 { return k })
	everything := access.If("everything", func(k int64) bool { return k == 9 })
	own := access.Field{Read: access.Any(owner, everything), Write: access.Public}
	rules := func(fields ...string) access.Rules {
		made := spec.Open()
		made.Read, made.Fields = access.Any(access.Where("open", true), owner, everything), map[string]access.Field{}
		for _, name := range fields {
			made.Fields[name] = own
		}
		return made
	}
	key := access.APIKey("key", "X-API-Key", func(_ context.Context, key string) (int64, access.Scopes, error) {
		n, err := strconv.ParseInt(key, 10, 64)
		return n, nil, err
	})
	all := append(operation.Standard(), operation.Aggregate{})
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{key}, CursorKey: []byte("the key of both worlds")},
		resource.Of[sale]{ShortName: "Sale", Store: sales, Access: rules("price", "shop", "day"), Operations: all},
		resource.Of[shop]{ShortName: "Shop", Store: shops, Access: rules("rank"), Operations: all})
	post := func(path string, record any) {
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		c.Send("POST /api/"+path, string(text), "X-API-Key", "9").HasStatus(http.StatusCreated)
	}
	for _, s := range w.shops {
		post("shops", s)
	}
	for _, s := range w.sales {
		body := struct {
			*sale
			Shop *string `json:"shop"`
		}{sale: s}
		if s.Shop != nil {
			body.Shop = new(shopPath(*s.Shop))
		}
		post("sales", body)
	}
	c.Send(fmt.Sprint("DELETE /api/sales/", deletedSale), "", "X-API-Key", "9").HasStatus(http.StatusNoContent)
	c.Send("DELETE "+shopPath(deletedShop), "", "X-API-Key", "9").HasStatus(http.StatusNoContent)
	return c
}

func shopPath(id int64) string { return "/api/shops/" + strconv.FormatInt(id, 10) }

// value is a value that the oracle groups, with its number for sums and its place in the order.
type value struct {
	shown any
	sort  any // nil, a *big.Rat, a string or a time
}

func number(r *big.Rat, shown any) value { return value{shown, r} }

func integer(n int64) value { return number(new(big.Rat).SetInt64(n), n) }

// of returns what the caller sees of a field of a sale.
func (w *world) of(s *sale, name string) value {
	isOwn := s.Owner == w.caller
	if top, _, _ := strings.Cut(name, "."); !isOwn && (name == "price" || top == "shop" || name == "day") {
		return value{}
	}
	switch name {
	case "open":
		return integer(map[bool]int64{true: 1}[s.Open]).as(s.Open)
	case "status":
		return value{s.Status, s.Status}
	case "total":
		return integer(s.Count)
	case "price":
		if s.Price != nil {
			r, _ := new(big.Rat).SetString(string(*s.Price))
			return number(r, r.FloatString(2)) // as bodies are read
		}
	case "weight":
		if s.Weight != nil {
			return number(new(big.Rat).SetFloat64(*s.Weight), *s.Weight)
		}
	case "at":
		if s.At != nil {
			return value{s.At.Format(time.RFC3339Nano), *s.At}
		}
	case "day":
		if s.Day != nil {
			return value{s.Day.String(), s.Day.String()}
		}
	case "size.room":
		if s.Size != nil && s.Size.Room != nil {
			return integer(int64(*s.Size.Room))
		}
	case "shop":
		if s.Shop != nil {
			return integer(*s.Shop).as(shopPath(*s.Shop))
		}
	case "shop.city", "shop.rank":
		if s.Shop == nil {
			break
		}
		of := w.shops[*s.Shop-1]
		switch {
		case !w.sees(of.Open, of.Owner) || of.ID == deletedShop:
		case name == "shop.city":
			return value{of.City, of.City}
		case of.Rank != nil && of.Owner == w.caller:
			return integer(int64(*of.Rank))
		}
	}
	return value{}
}

func (v value) as(shown any) value { return value{shown, v.sort} }

// in returns the unit of a value.
func (v value) in(unit string, zone *time.Location) value {
	at, isTime := v.sort.(time.Time)
	if day, isText := v.sort.(string); isText && unit != "" {
		at, _ = time.Parse(time.DateOnly, day)
		zone = time.UTC
	} else if !isTime || unit == "" {
		return v
	}
	at = at.In(zone)
	year, week := at.ISOWeek()
	text := map[string]string{
		"year": at.Format("2006"), "quarter": fmt.Sprintf("%d-Q%d", at.Year(), 1+(int(at.Month())-1)/3), "month": at.Format("2006-01"),
		"week": fmt.Sprintf("%d-W%02d", year, week), "day": at.Format("2006-01-02"),
	}[unit]
	if unit == "hour" {
		for at.Minute() > 0 || at.Second() > 0 || at.Nanosecond() > 0 {
			at = at.Add(-at.Sub(at.Truncate(time.Minute)))
			if at.Minute() > 0 {
				at = at.Add(-time.Minute)
			}
		}
		return value{at.Format(time.RFC3339), at}
	}
	return value{text, text}
}

func (v value) compare(other value) int {
	switch a := v.sort.(type) {
	case nil:
		if other.sort == nil {
			return 0
		}
		return -1
	case *big.Rat:
		if b, ok := other.sort.(*big.Rat); ok {
			return a.Cmp(b)
		}
	case string:
		if b, ok := other.sort.(string); ok {
			return strings.Compare(a, b)
		}
	case time.Time:
		if b, ok := other.sort.(time.Time); ok {
			return a.Compare(b)
		}
	}
	return 1
}

// asked is a request.
type asked struct {
	groups, units []string
	functions     [][2]string
	sorts         []string
	zone          string
	cheap         bool
	page, size    int
}

var (
	times = []string{"", "year", "quarter", "month", "week", "day", "hour"}
	units = map[string][]string{"at": times, "day": times[:6]}
	sums  = []string{"total", "price", "weight", "size.room", "shop.rank"}
)

func invent(r *rand.Rand) (a asked) {
	groups := []string{"open", "status", "shop", "price", "at", "day", "size.room", "shop.city", "shop.rank", "total"}
	for _, i := range r.Perm(len(groups))[:r.IntN(3)] {
		of := append(slices.Clone(units[groups[i]]), "")
		a.groups, a.units = append(a.groups, groups[i]), append(a.units, of[r.IntN(len(of))])
	}
	function := func() [2]string {
		name, fields := []string{"sum", "avg", "min", "max"}[r.IntN(4)], sums
		if name[0] == 'm' {
			fields = append(slices.Clone(sums), "at", "day")
		}
		return [2]string{name, fields[r.IntN(len(fields))]}
	}
	for range r.IntN(4) {
		if f := function(); !slices.Contains(a.functions, f) {
			a.functions = append(a.functions, f)
		}
	}
	for range r.IntN(3) {
		key := "count"
		switch f := function(); r.IntN(3) {
		case 0:
			key = f[0] + "." + f[1]
		case 1:
			key = groups[r.IntN(len(groups))]
		}
		a.sorts = append(a.sorts, []string{"", "-"}[r.IntN(2)]+key)
	}
	a.zone = []string{"", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"}[r.IntN(4)]
	a.cheap, a.page, a.size = r.IntN(4) == 0, 1, 30
	if r.IntN(3) == 0 {
		a.page, a.size = 1+r.IntN(3), 1+r.IntN(4)
	}
	return a
}

// query returns the parameters.
func (a *asked) query() string {
	list := []string{fmt.Sprintf("page=%d&itemsPerPage=%d", a.page, a.size)}
	add := func(name string, values []string) {
		if len(values) > 0 {
			list = append(list, name+"="+strings.Join(values, ","))
		}
	}
	var names []string
	for i, name := range a.groups {
		if a.units[i] != "" {
			name += ":" + a.units[i]
		}
		names = append(names, name)
	}
	add("group", names)
	by := map[string][]string{}
	for _, f := range a.functions {
		by[f[0]] = append(by[f[0]], f[1])
	}
	for _, name := range []string{"sum", "avg", "min", "max"} {
		add(name, by[name])
	}
	add("sort", a.sorts)
	if a.zone != "" {
		add("timezone", []string{a.zone})
	}
	if a.cheap {
		list = append(list, "price[lt]=5")
	}
	return strings.Join(list, "&")
}

// exactly returns JSON with its objects sorted, and numbers as they are written unless they are fractions.
func exactly(t *testing.T, text string) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var parsed any
	if err := decoder.Decode(&parsed); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var visit func(any) any
	visit = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name := range v {
				v[name] = visit(v[name])
			}
		case []any:
			for i := range v {
				v[i] = visit(v[i])
			}
		case json.Number:
			if strings.ContainsAny(v.String(), ".eE") {
				f, _ := v.Float64()
				return f
			}
		}
		return v
	}
	return fmt.Sprintf("%#v", visit(parsed))
}

// Two worlds that differ only in what a caller may not see give equal bytes, and an oracle computes the same.
func TestAggregatesCountWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	requests := 1500
	if testing.Short() {
		requests = 150
	}
	stores := spec.Databases(t)
	stores["memory"] = nil
	for _, caller := range []int64{1, 7} {
		for name, open := range stores {
			t.Run(fmt.Sprint(caller, name), func(t *testing.T) {
				t.Parallel()
				var worlds [2]*world
				var clients [2]spec.Client
				for i := range worlds {
					var sales store.Store[sale]
					var shops store.Store[shop]
					if open != nil {
						db := open(t)
						a, b := sqlstore.Table[sale](db), sqlstore.Table[shop](db)
						if err := db.Create(t.Context(), a, b); err != nil {
							t.Fatal(err)
						}
						sales, shops = a, b
					}
					worlds[i] = invented(caller, rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, uint64(i))))
					clients[i] = worlds[i].client(t, sales, shops)
				}
				random := rand.New(rand.NewPCG(5, 6))
				for range requests {
					a := invent(random)
					path := "GET /api/sales/aggregate?" + a.query()
					got := clients[0].Send(path, "", "X-API-Key", fmt.Sprint(caller)).HasStatus(http.StatusOK)
					other := clients[1].Send(path, "", "X-API-Key", fmt.Sprint(caller))
					if got.Body != other.Body || !maps.EqualFunc(got.Header, other.Header, slices.Equal) {
						t.Fatalf("%s tells the worlds apart:\n%s %v\n%s %v", path, got.Body, got.Header, other.Body, other.Header)
					}
					want, total := worlds[0].rows(t, &a)
					if exactly(t, got.Body) != exactly(t, want) || got.Header.Get("X-Total-Count") != strconv.Itoa(total) {
						t.Fatalf("%s: of %s groups\n%s\nwant %d\n%s", path, got.Header.Get("X-Total-Count"), exactly(t, got.Body), total, exactly(t, want))
					}
				}
			})
		}
	}
}
