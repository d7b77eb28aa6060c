package codec_test

import "testing"

type coder struct {
	Nickname string            `json:"nickname" api:"id" validate:"required" message:"Please enter a nickname"`
	Avatar   int               `json:"avatar" validate:"omitempty,gte=1"`
	Tagline  *string           `json:"tagline"`
	Theme    string            `json:"theme" default:"dark"`
	UserID   int64             `json:"userId" api:"readonly"`
	Token    string            `json:"token" api:"writeonly"`
	Links    map[string]string `json:"links"`
	Home     home              `json:"home"`
}

type home struct {
	Town string `json:"town"`
	Pin  string `json:"pin" api:"writeonly"`
}

// storedCoder is a record as stores have it.
func storedCoder() *coder {
	return &coder{
		Nickname: "ann", Avatar: 3, Tagline: new("hi"), Theme: "light", UserID: 7, Token: "t",
		Links: map[string]string{"a": "/a", "b": "/b"}, Home: home{Town: "Bree", Pin: "1234"},
	}
}

func TestABodyMeetsTheRecordByMode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		mode    mode
		body    string
		want    string
		secrets string // the write-only fields
		told    []string
	}{
		{
			"a new record has its defaults where the body says nothing", create, `{"nickname":"bob","userId":99,"home":{"pin":"1"}}`,
			`{"nickname":"bob","avatar":0,"tagline":null,"theme":"dark","userId":0,"links":{},"home":{"town":""}}`, " 1", nil,
		},
		{
			"a replaced one too, but for what clients cannot set or see", replace, `{"nickname":"ann","userId":99,"home":{}}`,
			`{"nickname":"ann","avatar":0,"tagline":null,"theme":"dark","userId":7,"links":{},"home":{"town":""}}`, "t 1234", nil,
		},
		{
			"a replaced one has new secrets where the body has", replace, `{"nickname":"ann","token":"new","home":{"pin":""}}`,
			`{"nickname":"ann","avatar":0,"tagline":null,"theme":"dark","userId":7,"links":{},"home":{"town":""}}`, "new ", nil,
		},
		{
			"a replaced one may leave out the identifier that the path has", replaceNamed, `{"avatar":5}`,
			`{"nickname":"","avatar":5,"tagline":null,"theme":"dark","userId":7,"links":{},"home":{"town":""}}`, "t 1234", nil,
		},
		{
			"but not take it away", replaceNamed, `{"avatar":5,"nickname":null}`,
			`{"nickname":"","avatar":5,"tagline":null,"theme":"dark","userId":7,"links":{},"home":{"town":""}}`, "t 1234",
			[]string{"nickname: Please enter a nickname (required)"},
		},
		{
			"a replaced one needs the client's identifier", replace, `{"avatar":5}`,
			`{"nickname":"","avatar":5,"tagline":null,"theme":"dark","userId":7,"links":{},"home":{"town":""}}`, "t 1234",
			[]string{"nickname: Please enter a nickname (required)"},
		},
		{
			"a patched one keeps what the body leaves out", merge, `{"avatar":5,"links":{"a":null,"c":"/c"},"home":{"pin":"0"}}`,
			`{"nickname":"ann","avatar":5,"tagline":"hi","theme":"light","userId":7,"links":{"b":"/b","c":"/c"},"home":{"town":"Bree"}}`, "t 0", nil,
		},
		{
			"a patched one is cleared by null", merge, `{"tagline":null,"nickname":null,"theme":null,"userId":null}`,
			`{"nickname":"ann","avatar":3,"tagline":null,"theme":"light","userId":7,"links":{"a":"/a","b":"/b"},"home":{"town":"Bree"}}`, "t 1234",
			[]string{"theme: theme must be a string (type)", "nickname: Please enter a nickname (required)"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := codecOf[coder](t, "nickname")
			record := map[mode]func() any{
				create:       c.New,
				replace:      func() any { return c.Renew(storedCoder()) },
				replaceNamed: func() any { return c.Renew(storedCoder()) },
				merge:        func() any { return c.Clone(storedCoder()) },
			}[test.mode]()
			wantLines(t, test.body, decode(t, c, test.body, record, test.mode), test.told...)
			if got := encode(t, c, record); got != test.want {
				t.Errorf("record\n%s, want\n%s", got, test.want)
			}
			if got := record.(*coder); got.Token+" "+got.Home.Pin != test.secrets {
				t.Errorf("write-only members are %q and %q, want %q", got.Token, got.Home.Pin, test.secrets)
			}
		})
	}
}
