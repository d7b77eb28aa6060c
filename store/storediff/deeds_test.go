package storediff_test

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/date"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// deed has a trash, dates and decimals. It references deeds in each way, and lands with a key K.
type deed[K any] struct {
	ID        string     `json:"deedId" api:"id"`
	Code      string     `json:"code" validate:"max=20" api:"unique,filter=partial,sort,group"`
	Under     *string    `json:"under" api:"ref=Deed,ondelete=cascade,filter=exact|exists,expand,through=code|fee,group"`
	By        *string    `json:"by" api:"ref=Deed,filter"`
	Beside    *string    `json:"beside" api:"ref=Deed,ondelete=null,filter=exact|exists"`
	Land      *K         `json:"land" api:"ref=Land,ondelete=null,filter,expand,through=name"`
	From      *date.Date `json:"from" api:"filter=exact|range|exists,sort,group,aggregate"`
	Until     *date.Date `json:"until" api:"filter=range,sort,aggregate"`
	Fee       *fee       `json:"fee" api:"filter=exact|range|exists,sort,group,aggregate"`
	Size      int64      `json:"size" api:"filter=exact|range,sort,group,aggregate"`
	Text      string     `json:"text" api:"search=fulltext:english"`
	Secret    *string    `json:"secret" api:"search=fulltext"`
	Version   int64      `json:"version" api:"version"`
	DeletedAt *time.Time `json:"deletedAt" api:"deleted"`
}

// Constraints lists one of each kind.
func (deed[K]) Constraints() []store.Constraint {
	return []store.Constraint{
		store.Unique("size", "fee").Message("A deed conflicts."),
		store.NoOverlap("from", "until", "land").Except("size", int64(0)).Message("A deed conflicts."),
		store.Index("size", "code"),
	}
}

// fee is a decimal number.
type fee struct{ cents int64 }

func (fee) DecimalDigits() (precision, scale int) { return 6, 2 }

func (f fee) MarshalText() ([]byte, error) {
	return []byte(big.NewRat(f.cents, 100).FloatString(2)), nil
}

func (f *fee) UnmarshalText(text []byte) error {
	number, err := strconv.ParseFloat(string(text), 64)
	f.cents = int64(number*100 + 0.5)
	return err
}

// deeds declares them, with the access rules of a world.
func deeds[K any](w world) resource.Of[deed[K]] {
	rules := public
	rules.Deleted = access.Public
	if w.rules > 0 {
		admin := access.If("admin", func(p *person) bool { return p.Admin })
		rules.Read = access.Any(access.Where("size", int64(0), int64(1)), access.Through("land", access.Where("open", true)), access.Related("Deed.beside", access.Where("size", int64(2))), admin)
		rules.Fields = map[string]access.Field{"fee": {Read: access.Authenticated}, "secret": {Read: access.Any(access.Where("size", int64(1)), admin)}}
		if w.rules > 1 {
			rules.Deleted = admin
		}
	}
	return resource.Of[deed[K]]{
		ShortName: "Deed", Access: rules, History: true,
		Operations: append(operation.Standard(),
			operation.Post{Name: "restore", URITemplate: "/deeds/{deedId}/restore", Handler: operation.Restore()},
			operation.Delete{Name: "purge", URITemplate: "/deeds/{deedId}/trash", Handler: operation.Purge()},
			operation.Aggregate{URITemplate: "/totals/deeds"},
		),
	}
}

// nextDeed returns a random request about deeds.
func (p *program) nextDeed(r request) request {
	path := "/api/deeds/" + p.id("deed")
	p.deleted = cmp.Or(p.deleted, path)
	switch n := p.random.IntN(20); {
	case n < 5, p.made["deed"] < 3:
		r.method, r.path, r.body, r.creates = "POST", "/api/deeds", p.deed(true), "deed"
	case n < 7:
		r.method, r.path, r.body = p.one("PUT", "PATCH"), path, p.deed(false)
	case n < 9:
		r.method, r.path, p.deleted = "DELETE", path, path
	case n < 11:
		r.method, r.path = "POST", p.one(path, p.deleted, p.deleted)+"/restore"
	case n < 12:
		r.method, r.path = "DELETE", p.one(path, p.deleted)+"/trash"
	case n < 13:
		r.method, r.path = "GET", path+p.one("", "?expand=under", "?expand=under.land,land", "?deleted=with", "?deleted=only")
	case n < 14:
		r.method, r.path, r.accept = "GET", path+"/history"+p.one("", "?deleted=with", "?itemsPerPage=2&page=2"), ""
	case n < 16:
		r.method, r.path, r.accept = "GET", p.totals(), p.one("", "application/json", "application/x-ndjson")
	default:
		r.method, r.path = "GET", "/api/deeds?"+p.deedFilters()+"&itemsPerPage="+p.one("1", "3", "30")+
			p.one("", "&page=2", "&deleted=with", "&deleted=only", "&deleted=only", "&expand=under")+
			p.one("", "", "&sort=fee", "&sort=-from,code", "&sort=size,-fee", "&sort=under.fee", "&sort=-until")
	}
	return r
}

// deed returns the body of a deed.
func (p *program) deed(isNew bool) string {
	identifier := ""
	if isNew {
		identifier = `"deedId":"` + p.idOf("deed", p.made["deed"]) + `"`
	}
	day := func() string { return p.one("null", `"2026-01-01"`, `"2026-01-31"`, `"2026-03-01"`, `"2027-12-31"`) }
	return p.object(isNew, 2, identifier, `"code":"`+p.one("a", "b", "é", "A")+strconv.Itoa(p.random.IntN(9))+`"`, `"size":`+strconv.Itoa(p.random.IntN(4)), `"under":`+p.maybe("deed"), `"by":`+p.maybe("deed"),
		`"beside":`+p.maybe("deed"), `"land":`+p.maybe("land"), `"from":`+day(), `"until":`+day(), `"fee":`+p.one("null", `"0.5"`, `"10.00"`, `"9.99"`, `"9"`, `"0.005"`),
		`"text":`+p.one(`""`, `"The kings' gold, twice: GOLD"`, `"é king of old rings"`, `"golden_ring"`, `"ring\u0000 old"`), `"secret":`+p.one("null", `"king"`, `"Old gold!"`))
}

// deedFilters returns the filters of a list of deeds, or of their aggregate.
func (p *program) deedFilters() string {
	return p.one("", escaped("code", p.one("a", "é")), escaped("from[gte]", "2026-01-31"), escaped("fee[lt]", "9.99"), escaped("fee", "9"), "exists[under]=true",
		escaped("q", p.one("king", "gold -ring", `"old ring"`, "GOLDEN OR É", "-king", "é", `"' & | !"`)), escaped("q", p.one("old", `king "old gold"`)),
		"land=/api/lands/"+p.id("land"), "by=/api/deeds/"+p.id("deed"), escaped("under.fee[gt]", "1"), escaped("filter", p.tree("deeds", 3)), escaped("filter", p.tree("deeds", 3)))
}

// totals returns the path of an aggregate.
func (p *program) totals() string {
	groups, query := []string{"code", "under", "from:month", "from:week", "from", "fee", "size", "under.code"}, []string{p.deedFilters()}
	if p.coin() {
		query = append(query, "group="+p.one(groups...)+p.one("", "", ",size"))
	}
	for _, function := range []string{"sum", "avg", "min"} {
		if p.coin() {
			query = append(query, function+"="+p.one("fee", "size", "fee,size"))
		}
	}
	return "/api/totals/deeds?" + strings.Join(append(query, p.one("", "sort=-count", "max=from,until", "itemsPerPage=2", "itemsPerPage=2&page=2")), "&")
}

// leaves are conditions of trees.
var leaves = map[string][]string{
	"lands": {`{"name":{"partial":"a"}}`, `{"size":{"gte":0,"lt":3}}`, `{"size":[1,2]}`, `{"keeper":"ann"}`, `{"open":true}`, `{"note":{"exists":false}}`, `{"note":"x"}`, `{"up.size":{"gt":0}}`, `{"up":{"exists":true}}`},
	"towns": {`{"name":"a"}`, `{"size":{"lt":3}}`, `{"size":{"exists":false}}`, `{"land.size":{"gt":0}}`, `{"next":{"exists":true}}`, `{"lands.name":"b"}`, `{"land.name":"a"}`},
	"deeds": {
		`{"code":"a"}`, `{"size":[0,2]}`, `{"fee":{"lt":"9.99"}}`, `{"fee":{"exists":false}}`, `{"fee":"9"}`, `{"from":{"gte":"2026-01-31"}}`, `{"from":"2026-01-01"}`, `{"under":{"exists":true}}`,
		`{"under.fee":{"gt":"1"}}`, `{"under.code":"a"}`, `{"land.name":"b"}`, `{"beside":{"exists":false}}`,
	},
}

// tree returns a random tree of conditions.
func (p *program) tree(of string, depth int) string {
	if depth == 0 || p.random.IntN(4) == 0 {
		return p.one(leaves[of]...)
	}
	inner := func() string { return p.tree(of, depth-1) }
	return p.one(`{"any":[`+inner()+","+inner()+"]}", `{"all":[`+inner()+","+inner()+"]}", `{"not":`+inner()+"}", `{"not":`+inner()+"}", `{"any":[]}`, `{"all":[]}`)
}
