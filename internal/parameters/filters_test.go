package parameters_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/parameters"
)

func TestFiltersBecomeConditions(t *testing.T) {
	t.Parallel()
	set := compile(t, nil)
	for query, want := range map[string]string{
		"":                              "",
		"&&":                            "",
		"name=gold":                     "name contains [gold]",
		"name=a%25_%5C":                 `name contains [a%_\]`,
		"name=a+b%2Bc":                  "name contains [a b+c]",
		"name[gte]=a&name[lt]=b":        "name greater or equal [a], name less [b]",
		"name%5Bgte%5D=a":               "name greater or equal [a]",
		"name[between]=a..b":            "name greater or equal [a], name less or equal [b]",
		"name[between]=..b":             "name greater or equal [], name less or equal [b]",
		"alias=":                        "alias equal, folded []",
		"alias=ÉLAN":                    "alias equal, folded [ÉLAN]",
		"exists[alias]=true":            "alias exists [true]",
		"exists[score]=false":           "score exists [false]",
		"title=x":                       "title has prefix [x]",
		"motto=x":                       "motto has suffix [x]",
		"level=very+high":               "level equal [very high]",
		"level=low&level=low":           "level equal [low low]",
		"level[ne]=low":                 "level not equal [low]",
		"stars=2&stars=3":               "stars equal [2 3]",
		"exact=":                        "exact equal []",
		"open=true":                     "open equal [true]",
		"open=false":                    "open equal [false]",
		"known=false&known=true":        "known equal [false true]",
		"name=a&name=b":                 "name contains [a b]",
		"alias=a&alias=":                "alias equal, folded [a ]",
		"title=x&title=y":               "title has prefix [x y]",
		"motto=x&motto=y":               "motto has suffix [x y]",
		"lair.region=a&lair.region=b":   "lair.region has word prefix [a b]",
		"at=2024-02-29":                 "at equal [2024-02-29 00:00:00 +0000 UTC]",
		"at=2024-02-29&at=2024-03-01":   "at equal [2024-02-29 00:00:00 +0000 UTC 2024-03-01 00:00:00 +0000 UTC]",
		"at[gte]=2024-02-29":            "at greater or equal [2024-02-29 00:00:00 +0000 UTC]",
		"at[gt]=2024-02-29":             "at greater [2024-02-29 23:59:59.999999999 +0000 UTC]",
		"at[lt]=2024-02-29":             "at less [2024-02-29 00:00:00 +0000 UTC]",
		"at[lte]=9999-12-31":            "at less or equal [9999-12-31 23:59:59.999999999 +0000 UTC]",
		"known[ne]=true":                "known not equal [true]",
		"small=-128&small=127":          "small equal [-128 127]",
		"small=1.0&small=1e1":           "small equal [1 10]",
		"small[gt]=3":                   "small greater [3]",
		"size[lte]=65535":               "size less or equal [65535]",
		"score[lt]=1e300":               "score less [1e+300]",
		"score[between]=-1.5..2":        "score greater or equal [-1.5], score less or equal [2]",
		"at=2024-02-29T00:00:00Z":       "at equal [2024-02-29 00:00:00 +0000 UTC]",
		"lair.region=a":                 "lair.region has word prefix [a]",
		"lair.depth=3":                  "lair.depth equal [3]",
		"second.depth[gt]=3":            "second.depth greater [3]",
		"exists[second.depth]=true":     "second.depth exists [true]",
		"q=old+gold":                    "name|lair.region|second.region contains [old], name|lair.region|second.region contains [gold]",
		"q=+":                           "",
		"known=true&name=x&known=false": "known equal [true false], name contains [x]",
		"key=0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b":                          "key equal [0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b]",
		"at[gte]=2024-02-29T00:00:00.5%2B02:00&at[lt]=9999-12-31T00:00:00Z": "at greater or equal [2024-02-29 00:00:00.5 +0200 +0200], at less [9999-12-31 00:00:00 +0000 UTC]",
	} {
		if got := conditions(read(t, set, query).Query); got != want {
			t.Errorf("%s asks for %s, want %s", query, got, want)
		}
	}
}

func TestWrongValuesAreNamedAndNotEchoed(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) {
		o.Sparse = answerOf(o)
		o.Paging.ClientEnabled, o.Paging.ClientPartial = true, true
	})
	for query, want := range map[string]string{
		"name=":                        "name must not be empty",
		"title=":                       "title must not be empty",
		"name=a&name=":                 "name must not be empty",
		"exact=%00":                    "exact must not contain the character U+0000",
		"name=%00":                     "name must not contain the character U+0000",
		"q=%00x":                       "q must not contain the character U+0000",
		"exact=%ff":                    "exact must be UTF-8",
		"name=%ff":                     "name must be UTF-8",
		"level=middle":                 "level must be one of: low, very high",
		"level[ne]=LOW":                "level[ne] must be one of: low, very high",
		"stars=4":                      "stars must be one of: 1, 2, 3",
		"open=1":                       "open must be true or false",
		"open=0":                       "open must be true or false",
		"open=TRUE":                    "open must be true or false",
		"open=":                        "open must be true or false",
		"exists[alias]=yes":            "exists[alias] must be true or false",
		"small=zzz":                    "small must be an integer",
		"small=":                       "small must be an integer",
		"small=128":                    "small must be an integer",
		"small=1.5":                    "small must be an integer",
		"small=+1":                     "small must be an integer",
		"small=01":                     "small must be an integer",
		"small=0x1":                    "small must be an integer",
		"small=null":                   "small must be an integer",
		"small[gt]=1%20":               "small[gt] must be",
		"size[gt]=-1":                  "size[gt] must be",
		"score[gt]=NaN":                "score[gt] must be a number",
		"score[gt]=1e999":              "score[gt] must be",
		"score[between]=1":             "score[between] must have the form lower..upper",
		"score[between]=zz..1":         "score[between] has an invalid value before the ..: it must be a number",
		"score[between]=1..zz":         "score[between] has an invalid value after the ..: it must be a number",
		"at=2024-02-30T00:00:00Z":      "at must be",
		"at=2024-02-30":                "at must be a date and time such as 2006-01-02T15:04:05Z, or a date such as 2006-01-02",
		"at=2024-2-29":                 "at must be",
		"at=2024-02-29T":               "at must be",
		"at[between]=2024-02-29":       "at[between] must have the form",
		"at[between]=2024-02-28..zz":   "at[between] has an invalid value after the ..: it must be",
		"at=2024-02-29T00:00:00+02:00": "encode + as %2B in the URL",
		"key=zzz":                      "key has an invalid format",
		"lair.depth=zz":                "lair.depth must be",
		"page=0":                       "page must be an integer between 1 and 1000",
		"page=1001":                    "page must be an integer between 1 and 1000",
		"page=zz":                      "page must be an integer between 1 and 1000",
		"page=99999999999999999999":    "page must be an integer between 1 and 1000",
		"itemsPerPage=-1":              "itemsPerPage must be an integer between 0 and 100",
		"itemsPerPage=101":             "itemsPerPage must be an integer between 0 and 100",
		"pagination=no":                "pagination must be true or false",
		"partial=":                     "partial must be true or false",
		"cursor=zzzz":                  "cursor is not a valid cursor for this collection",
		"sort=zz":                      "sort must be a comma-separated list of: name, -name,",
		"sort=":                        "sort must be a comma-separated list",
		"sort=name,":                   "sort must be a comma-separated list",
		"sort=plain":                   "sort must be a comma-separated list",
		"order[name]=up":               "order[name] must be asc or desc",
		"order[name]=Asc":              "order[name] must be asc or desc",
		"fields=zz":                    "fields must be a comma-separated list of: id, name,",
		"fields=":                      "fields must be a comma-separated list",
		"fields=secret":                "fields must be a comma-separated list",
		"q=":                           "q must be 1 to 200 characters long",
		"plain=x":                      `Unknown parameter "plain"`,
		"order[plain]=asc":             `Unknown parameter "order[plain]"`,
		"secret=x":                     `Unknown parameter "secret"`,
		"open=true&open=true":          "open must be given only once",
		"open[ne]=true":                `Unknown parameter "open[ne]"`,
		"nam=x":                        `Unknown parameter "nam"; did you mean "name"?`,
		"name[]=x":                     `Unknown parameter "name[]"; did you mean "name"?`,
		"colour=red&small=zz&page=0":   "small must be an integer",
	} {
		_, err := set.Read(t.Context(), query, http.Header{}, none, nil)
		got := explain(err)
		if err == nil || !strings.Contains(got, want) {
			t.Errorf("%s returns %q, want %q", query, got, want)
		}
		if strings.Contains(got, "zz") {
			t.Errorf("%s repeats the value: %s", query, got)
		}
	}
}

func TestAllErrorsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := compile(t, nil).Read(t.Context(), "page=0&colour=red&small=x&page=2&page=3&stones=1&colour=blue", http.Header{}, none, nil)
	want := `page must be an integer between 1 and 1000; small must be an integer; Unknown parameter "colour"; Unknown parameter "stones"`
	if got := explain(err); got != want {
		t.Errorf("told: %s\nwant: %s", got, want)
	}
}

func TestAHundredValuesAreTakenAndNoMore(t *testing.T) {
	t.Parallel()
	set := compile(t, nil)
	values := url.Values{}
	for i := range parameters.MaxValues {
		values.Add("exact", strconv.Itoa(i))
	}
	if got := read(t, set, values.Encode()).Query.Where; len(got) != 1 || len(got[0].Values) != parameters.MaxValues {
		t.Errorf("a hundred values are %d conditions", len(got))
	}
	values.Add("exact", "one more")
	if _, err := set.Read(t.Context(), values.Encode(), http.Header{}, none, nil); explain(err) != "exact must be given at most 100 times" {
		t.Errorf("one more value returns %v", explain(err))
	}
	if _, err := set.Read(t.Context(), "q="+strings.Repeat("é", parameters.MaxSearch), http.Header{}, none, nil); err != nil {
		t.Errorf("a long search returns %v", explain(err))
	}
	if _, err := set.Read(t.Context(), "q="+strings.Repeat("é", parameters.MaxSearch+1), http.Header{}, none, nil); err == nil {
		t.Error("a search that is too long is taken")
	}
}

func TestMalformedQueries(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"name=%zz", "%zz=1", "name=a;b", "a;b=1", "name=%"} {
		if _, err := compile(t, nil).Read(t.Context(), query, http.Header{}, none, nil); err == nil || explain(err) != parameters.ErrMalformed.Error() {
			t.Errorf("%s returns %v", query, explain(err))
		}
	}
}

func TestUnknownParametersCanBeLetPass(t *testing.T) {
	t.Parallel()
	ignored := func(name string) bool { return strings.HasPrefix(name, "utm_") }
	if _, err := compile(t, nil).Read(t.Context(), "utm_source=x&utm_source=y&page=1", http.Header{}, ignored, nil); err != nil {
		t.Error(explain(err))
	}
}

func TestAtMostTwentyUnknownNamesAreReported(t *testing.T) {
	t.Parallel()
	var query []string
	for i := range 1000 {
		query = append(query, "unknown"+strconv.Itoa(i)+"=1")
	}
	_, err := compile(t, nil).Read(t.Context(), strings.Join(query, "&"), http.Header{}, none, nil)
	if n := strings.Count(explain(err), "Unknown parameter"); n != 20 {
		t.Errorf("%d names are reported", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"page=2&itemsPerPage=5", "cursor=", "name=a&name=b", "value[gte]=1", "sort=-name,open&fields=id", "q=a+b", "at=2024-02-29T00:00:00%2B02:00",
		"exists[alias]=true", "score[between]=1..2", "%5B%5D=&;", "small=1e1", "key=%00",
	} {
		f.Add(seed)
	}
	set := compile(f, func(o *parameters.Options) { o.Sparse = answerOf(o) })
	f.Fuzz(func(t *testing.T, query string) {
		values, err := set.Read(t.Context(), query, http.Header{}, none, nil)
		if err != nil {
			return
		}
		for _, c := range values.Query.Where {
			if len(c.Fields) == 0 || len(c.Values) == 0 || c.Operator == "" {
				t.Errorf("%q makes the condition %+v", query, c)
			}
		}
		if last := values.Query.Order[len(values.Query.Order)-1]; last.Field != "id" {
			t.Errorf("%q makes an order that ends with %s", query, last.Field)
		}
	})
}
