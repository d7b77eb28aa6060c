package collections_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

// cents is an integer that is written as text.
type cents int64

func (c cents) MarshalText() ([]byte, error) {
	return []byte(strconv.FormatFloat(float64(c)/100, 'f', 2, 64)), nil
}

func (c *cents) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	*c = cents(n * 100)
	return err
}

func (c cents) OrderKey() string { return store.NumberKey(strconv.FormatInt(int64(c), 10)) }

type ware struct {
	ID    int64        `json:"id"`
	Price spec.Amount  `json:"price" api:"filter=exact|range,sort"`
	Least *spec.Amount `json:"least" api:"filter=range|exists,sort,unique"`
	Fee   cents        `json:"fee" api:"filter=range,sort"`
	Deal  struct {
		Price spec.Amount `json:"price" api:"filter=exact|range,sort"`
	} `json:"deal"`
}

func TestTypesWithAnOrderKeyAreInItsOrderInEveryStore(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[ware]{}, func(c spec.Client) {
		for i, price := range []string{"9", "10.00", "-1.5", "10", "-10", "0.001", "123456789012345678901234567890", "123456789012345678901234567889.9", "0"} {
			body := `{"price":"` + price + `","fee":"` + strconv.Itoa(i*7-20) + `.25","deal":{"price":"` + price + `"}}`
			if answer := c.Send("POST /api/things", body).HasStatus(201); !strings.Contains(answer.Body, `"price":"`+price+`"`) {
				t.Errorf("%s returns %s", price, answer.Body)
			}
		}
		for query, want := range map[string]string{
			"price=10": "2 4", "price=10.000&price=-1.50": "2 3 4", "price[ne]=10.0&price[gte]=9": "1 7 8", "price=1e1": "2 4",
			"price[gte]=10": "2 4 7 8", "price[gt]=10": "7 8", "price[lt]=0": "3 5", "price[lte]=-1.50": "3 5", "price[between]=-1.5..9.0": "1 3 6 9",
			"deal.price[gt]=9.99": "2 4 7 8", "deal.price=10.0": "2 4", "fee[lt]=0": "1 2 3", "fee[gte]=14.5": "6 7 8 9",
			"sort=price": "5 3 9 6 1 2 4 8 7", "sort=-price": "7 8 4 2 1 6 9 3 5", "sort=deal.price": "5 3 9 6 1 2 4 8 7", "sort=-fee": "9 8 7 6 5 4 3 2 1",
		} {
			query = strings.NewReplacer("[", "%5B", "]", "%5D").Replace(query)
			if got := idsIn(c, "/api/things?"+query); got != want {
				t.Errorf("%s finds %s, want %s", query, got, want)
			}
			if got := walkBack(c, "/api/things?itemsPerPage=1&cursor=&"+query); got != want {
				t.Errorf("%s, walked to the end and back by cursors, has %s, want %s", query, got, want)
			}
		}
		c.Send("GET /api/things?price[gte]=much", "").IsProblem(400).Mentions("price[gte] must be an amount like 12.50")
		c.Send("PATCH /api/things/4", `{"price":"10.0"}`).HasStatus(200).Mentions(`"price":"10.0"`)
		if got := idsIn(c, "/api/things?price=10"); got != "2 4" {
			t.Errorf("a text that changes within its number is found as %s", got)
		}
		c.Send("POST /api/things", `{"price":"`+strings.Repeat("1", 401)+`"}`).IsInvalid("price", "price must be at most 400 characters long")
	})
}

func TestWhatHasOneOrderKeyIsTakenOnce(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[ware]{}, func(c spec.Client) {
		c.Send("POST /api/things", `{"price":"1","least":"1.0"}`).HasStatus(201)
		c.Send("POST /api/things", `{"price":"1"}`).HasStatus(201)
		c.Send("POST /api/things", `{"price":"1"}`).HasStatus(201)
		c.Send("POST /api/things", `{"price":"1","least":"1.00"}`).IsProblem(409).Mentions(`"field":"least"`)
		c.Send("PATCH /api/things/2", `{"least":"1e0"}`).IsProblem(409)
		c.Send("PATCH /api/things/1", `{"least":"1.000"}`).HasStatus(200).Mentions(`"least":"1.000"`)
		if got := idsIn(c, "/api/things?sort=least"); got != "2 3 1" {
			t.Errorf("null first is %s", got)
		}
	})
}

func TestRulesOfAccessCompareByOrderKeys(t *testing.T) {
	t.Parallel()
	free := resource.Of[ware]{Access: access.Rules{
		Read: access.Where("price", spec.Amount{Text: "1.0"}, spec.Amount{Text: "-0"}), Create: access.Public, Update: access.Public, Delete: access.Public,
	}, Operations: []operation.Operation{
		operation.GetCollection{}, operation.Get{}, operation.Post{},
	}}
	spec.Alike(t, free, func(c spec.Client) {
		for _, price := range []string{"1", "1.00", "10", "0", "0.0"} {
			c.Send("POST /api/things", `{"price":"`+price+`"}`).HasStatus(201)
		}
		if got := idsIn(c, "/api/things"); got != "1 2 4 5" {
			t.Errorf("the page has %s", got)
		}
		for id, status := range map[string]int{"1": 200, "2": 200, "3": 404, "4": 200, "5": 200} {
			c.Send("GET /api/things/"+id, "").HasStatus(status)
		}
	})
}

// grade is a word in another order than its letters.
type grade string

func (r grade) OrderKey() string { return map[grade]string{"low": "1", "high": "2"}[r] }

func TestMistakesWithOrderKeysAreErrorsOfNew(t *testing.T) {
	t.Parallel()
	type coin struct {
		ID spec.Amount `json:"id"`
	}
	type purse struct {
		ID    int64         `json:"id"`
		Coins []spec.Amount `json:"coins" api:"filter=contains"`
		Rank  grade         `json:"rank" api:"sort"`
	}
	_, err := resource.New(resource.Config{}, resource.Of[coin]{}, resource.Of[purse]{})
	for _, want := range []string{
		"coin.ID: the identifier cannot have the type spec.Amount with an OrderKey method, because two texts with one key would be two paths of one record",
		`purse.Coins: filter "contains" does not support the type []spec.Amount; allowed: a slice of integers, strings or a type that marshals itself as text and has no method OrderKey`,
		"purse.Rank: the type collections_test.grade has an OrderKey method but does not marshal itself as text; add MarshalText and UnmarshalText, or remove OrderKey",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v\nwant %s", err, want)
		}
	}
}

// idsIn returns the identifiers of a page.
func idsIn(c spec.Client, address string) string {
	c.T.Helper()
	return strings.Trim(fmt.Sprint(spec.IDsOf(c.T, c.Send("GET "+address, "").HasStatus(200).Body)), "[]")
}
