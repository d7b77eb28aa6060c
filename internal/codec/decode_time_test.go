package codec_test

import (
	"encoding/base64"
	"testing"
	"time"
)

func TestTimesAreThoseOfRFC3339(t *testing.T) {
	t.Parallel()
	type event struct {
		At time.Time `json:"at"`
	}
	c := codecOf[event](t)
	for text, want := range map[string]string{
		"2024-02-29T23:59:59Z":                "2024-02-29T23:59:59Z",
		"2024-02-29T23:59:59.123456789+05:30": "2024-02-29T18:29:59.123456789Z",
		"2024-02-29T23:59:59.1234567899Z":     "2024-02-29T23:59:59.123456789Z",
		"2024-01-01t00:00:00z":                "2024-01-01T00:00:00Z",
		"2024-01-01T00:00:00-00:00":           "2024-01-01T00:00:00Z",
		"2024-01-01T00:00:00+23:59":           "2023-12-31T00:01:00Z",
		"0000-01-01T00:00:00Z":                "0000-01-01T00:00:00Z",
		"2016-12-31T23:59:60Z":                "2017-01-01T00:00:00Z",
		"2016-12-31T15:59:60.5-08:00":         "2017-01-01T00:00:00Z",
		"2017-01-01t00:59:60+01:00":           "2017-01-01T00:00:00Z",
		"2016-12-31T12:59:60Z":                "",
		"2016-12-31T23:58:60Z":                "",
		"2016-12-31T23:59:61Z":                "",
		"2024-02-30T00:00:00Z":                "",
		"2023-02-29T00:00:00Z":                "",
		"2024-01-01T24:00:00Z":                "",
		"2024-01-01T1:00:00Z":                 "",
		"2024-01-01T00:00:00,5Z":              "",
		"2024-01-01T00:00:00.Z":               "",
		"2024-01-01T00:00:00+24:00":           "",
		"2024-01-01T00:00:00+00:60":           "",
		"2024-01-01T00:00:00+0100":            "",
		"2024-01-01T00:00:00":                 "",
		"2024-01-01 00:00:00Z":                "",
		"2024-01-01":                          "",
		"24-01-01T00:00:00Z":                  "",
		"12024-01-01T00:00:00Z":               "",
		"2024-01-01T00:00:00Z ":               "",
		"":                                    "",
		"60":                                  "",
	} {
		into := new(event)
		decoded := decode(t, c, `{"at":"`+text+`"}`, into, create)
		if want == "" {
			wantLines(t, text, decoded, "at: at must be a date and time such as 2006-01-02T15:04:05Z (type)")
			continue
		}
		wantLines(t, text, decoded)
		if got := into.At.UTC().Format(time.RFC3339Nano); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
		encode(t, c, into)
	}
}

func TestATimeIsCheckedInTheZoneInWhichItIsStored(t *testing.T) {
	t.Parallel()
	type event struct {
		At time.Time `json:"at"`
	}
	c := codecOf[event](t)
	for text, fits := range map[string]bool{
		"9999-12-31T23:59:60Z":                false,
		"9999-12-31T23:59:59-00:01":           false,
		"9999-12-31T23:59:59-23:59":           false,
		"9999-12-31T00:01:00-23:59":           false,
		"9999-12-31T00:00:59-23:59":           true,
		"9999-12-31T23:59:59.999999999+23:59": true,
		"0000-01-01T00:00:00+00:01":           false,
		"0000-01-01T23:58:59+23:59":           false,
		"0000-01-01T23:59:00+23:59":           true,
		"0000-01-01T00:00:00-23:59":           true,
	} {
		into := new(event)
		decoded := decode(t, c, `{"at":"`+text+`"}`, into, create)
		if !fits {
			wantLines(t, text, decoded, "at: at must be within the years from 0000 to 9999 in UTC (type)")
			continue
		}
		wantLines(t, text, decoded)
		into.At = into.At.UTC()
		encode(t, c, into)
	}
}

func TestBytesArePaddedBase64OfTheStandardAlphabet(t *testing.T) {
	t.Parallel()
	type file struct {
		Data []byte `json:"data"`
	}
	c := codecOf[file](t)
	for text, want := range map[string]string{
		"": "", "AA==": "\x00", "+/8=": "\xfb\xff", base64.StdEncoding.EncodeToString([]byte("Trove")): "Trove",
	} {
		into := new(file)
		wantLines(t, text, decode(t, c, `{"data":"`+text+`"}`, into, create))
		if into.Data == nil || string(into.Data) != want {
			t.Errorf("%s is %q, want %q", text, into.Data, want)
		}
	}
	for _, text := range []string{"AA", "A===", "-_8=", "AA==AA==", `AA\n==`, `AA==\r\n`, "AA ==", "ä"} {
		wantLines(t, text, decode(t, c, `{"data":"`+text+`"}`, c.New(), create), "data: data must be a base64 string (type)")
	}
}

func TestSlicesOfANamedByteAreBase64Too(t *testing.T) {
	t.Parallel()
	type pixel uint8
	type image struct {
		Pixels []pixel `json:"pixels"`
	}
	c := codecOf[image](t)
	into := new(image)
	wantLines(t, "pixels", decode(t, c, `{"pixels":"AQI="}`, into, create))
	if got, want := encode(t, c, c.Clone(into)), `{"pixels":"AQI="}`; got != want || len(into.Pixels) != 2 {
		t.Errorf("%v is written as %s, want %s", into.Pixels, got, want)
	}
}
