package codec_test

import "testing"

type order struct {
	Number  string           `json:"number"`
	Note    *string          `json:"note"`
	Total   int              `json:"total"`
	Secret  string           `json:"secret" api:"writeonly"`
	Ship    address          `json:"ship"`
	Bill    *address         `json:"bill"`
	Lines   []line           `json:"lines"`
	ByLabel map[string]*line `json:"byLabel"`
}

type address struct {
	City string `json:"city"`
	Code string `json:"code" api:"writeonly"`
}

type line struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
}

func orderCodec(t *testing.T) subject {
	t.Helper()
	return codecOf[order](t, "number", "note", "total", "secret", "ship.city", "ship.code", "lines.sku", "lines.count")
}

func TestMissingFieldsAreReportedByMode(t *testing.T) {
	t.Parallel()
	const (
		number = "number: number is required (required)"
		note   = "note: note is required (required)"
		total  = "total: total is required (required)"
		secret = "secret: secret is required (required)"
	)
	for _, test := range []struct {
		name string
		mode mode
		body string
		want []string
	}{
		{"Create requires all", create, `{}`, []string{number, note, total, secret}},
		{"Replace forgives a write-only one", replace, `{}`, []string{number, note, total}},
		{"Merge forgives all", merge, `{}`, nil},
		{"null counts as missing in Create", create, `{"number":null,"note":null,"total":0,"secret":null}`, []string{number, note, secret}},
		{"null counts as missing in Replace, write-only or not", replace, `{"number":"","note":"","total":null,"secret":null}`, []string{total, secret}},
		{"null counts as missing in Merge", merge, `{"total":null,"number":null}`, []string{number, total}},
		{"explicit empty values are there", create, `{"number":"","note":"","total":0,"secret":""}`, nil},
		{
			"a mistyped member is there", create, `{"number":7,"note":"","total":0,"secret":""}`,
			[]string{"number: number must be a string (type)"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := orderCodec(t)
			decoded := decode(t, c, test.body, c.New(), test.mode)
			wantLines(t, test.body, decoded, test.want...)
			mistyped := test.name == "a mistyped member is there"
			if decoded.Mistyped != mistyped {
				t.Errorf("Mistyped is %v, want %v: missing members are no wrong types", decoded.Mistyped, mistyped)
			}
		})
	}
}

func TestNestedStructsHaveMissingFieldsOfTheirOwn(t *testing.T) {
	t.Parallel()
	all := `"number":"1","note":"","total":1,"secret":"s"`
	for _, test := range []struct {
		name string
		mode mode
		body string
		want []string
	}{
		{"one that is not in the body is not looked into", create, `{` + all + `}`, nil},
		{"in Create", create, `{"ship":{},` + all + `}`, []string{"ship.city: city is required (required)", "ship.code: code is required (required)"}},
		{"in Replace, what is stored forgives", replace, `{"ship":{},` + all + `}`, []string{"ship.city: city is required (required)"}},
		{"in Merge, what is stored forgives", merge, `{"ship":{}}`, nil},
		{
			"a pointer's struct is new in Replace", replace, `{"bill":{},` + all + `}`,
			[]string{"bill.city: city is required (required)", "bill.code: code is required (required)"},
		},
		{
			"a pointer's struct is new in Merge", merge, `{"bill":{"city":"Bree"}}`,
			[]string{"bill.code: code is required (required)"},
		},
		{
			"an element is new in Merge", merge, `{"lines":[{"sku":"a","count":1},{"sku":"b"}]}`,
			[]string{"lines[1].count: count is required (required)"},
		},
		{
			"a map's entry is new in Merge", merge, `{"byLabel":{"x":{}}}`,
			[]string{"byLabel[x].sku: sku is required (required)", "byLabel[x].count: count is required (required)"},
		},
		{
			"nested ones come as met, the outermost last", create, `{"lines":[{"sku":null}],"ship":{"code":""}}`,
			[]string{
				"lines[0].sku: sku is required (required)", "lines[0].count: count is required (required)",
				"ship.city: city is required (required)",
				"number: number is required (required)", "note: note is required (required)",
				"total: total is required (required)", "secret: secret is required (required)",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := orderCodec(t)
			wantLines(t, test.body, decode(t, c, test.body, c.New(), test.mode), test.want...)
		})
	}
}

func TestAMissingFieldGetsTheMessageOfItsTag(t *testing.T) {
	t.Parallel()
	type messages struct {
		Plain  string `json:"plain" validate:"notblank"`
		One    string `json:"one" validate:"notblank" message:"Please enter one"`
		Named  string `json:"named" validate:"max=5,required" message:"max: Too long | required: Please enter it"`
		First  string `json:"first" validate:"min=2,notblank,max=5" message:"max: Too long | notblank: Please enter first"`
		Others string `json:"others" validate:"max=5" message:"min: Too short"`
	}
	c := codecOf[messages](t, "plain", "one", "named", "first", "others")
	wantLines(t, "{}", decode(t, c, `{}`, c.New(), create),
		"plain: plain is required (required)",
		"one: Please enter one (required)",
		"named: Please enter it (required)",
		"first: Please enter first (required)",
		"others: others is required (required)",
	)
	wantLines(t, "type errors keep their own text", decode(t, c, `{"one":7,"named":7}`, c.New(), merge),
		"one: one must be a string (type)", "named: named must be a string (type)")
}

func TestWhatIsRequiredIsOfTheViewAlone(t *testing.T) {
	t.Parallel()
	free, strict := codecOf[place](t), codecOf[place](t, "city")
	wantLines(t, `{}`, decode(t, free, `{}`, free.New(), create))
	wantLines(t, `{}`, decode(t, strict, `{}`, strict.New(), create), "city: city is required (required)")
	wantLines(t, `{"city":null}`, decode(t, strict, `{"city":null}`, strict.New(), merge), "city: city is required (required)")
}
