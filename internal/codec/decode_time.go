package codec

import (
	"bytes"
	"reflect"
	"time"
)

// timestamp decodes dates and times.
type timestamp struct{ want string }

func (t timestamp) decode(d *decoding, v reflect.Value) (bool, error) {
	text, ok, err := d.string(t.want)
	if !ok {
		return false, err
	}
	at, ok := ParseTime(text)
	switch {
	case !ok && !at.IsZero():
		d.wrong(codeType, badYear)
		return false, nil
	case !ok:
		d.wrong(codeType, "must be "+t.want)
		return false, nil
	}
	v.Set(reflect.ValueOf(at))
	return true, nil
}

// ParseTime parses a date-time of RFC 3339, and reports whether text is one that can
// be written again, in UTC too: a time that only has a year of four digits where the
// client is comes back with false. The RFC has small letters for T and Z, and leap seconds,
// which become the second that follows.
func ParseTime(text []byte) (time.Time, bool) {
	var at time.Time
	// A copy, which is written to where a second is a leap second.
	text = bytes.ToUpper(text)
	if !isTimestamp(text) {
		return at, false
	}
	// Package time knows no second 60. RFC 3339, section 5.6, has it, and appendix D where: at the
	// end of a day in UTC, whatever the offset says.
	second := text[len("2006-01-02T15:04:"):][:2]
	leap := string(second) == "60"
	if leap {
		copy(second, "59")
	}
	if at.UnmarshalText(text) != nil || leap && !endsDay(at) {
		return time.Time{}, false
	}
	if leap {
		at = at.Truncate(time.Second).Add(time.Second)
	}
	return at, IsWritable(at)
}

// IsWritable reports whether a time can be written in UTC, which is how stores keep it: RFC
// 3339 has the years from 0000 to 9999.
func IsWritable(at time.Time) bool {
	second := at.Unix()
	return firstSecond <= second && second < endOfTime
}

// isTimestamp reports whether text has the form of a date-time. Package time takes
// more: an hour of one digit, a comma, offsets of more than a day.
func isTimestamp(text []byte) bool {
	const form = "0000-00-00T00:00:00"
	if !hasForm(text, form) {
		return false
	}
	offset := text[len(form):]
	if digits, ok := bytes.CutPrefix(offset, []byte(".")); ok {
		offset = bytes.TrimLeft(digits, "0123456789")
		if len(offset) == len(digits) {
			return false
		}
	}
	switch {
	case string(offset) == "Z":
		return true
	case len(offset) != len("+00:00"), !hasForm(offset, "+00:00") && !hasForm(offset, "-00:00"):
		return false
	}
	return string(offset[1:3]) < "24" && string(offset[4:6]) < "60"
}

// hasForm reports whether text begins like the form, in which 0 is any digit.
func hasForm(text []byte, form string) bool {
	if len(text) < len(form) {
		return false
	}
	for i := range form {
		isDigit := '0' <= text[i] && text[i] <= '9'
		if form[i] == '0' && !isDigit || form[i] != '0' && form[i] != text[i] {
			return false
		}
	}
	return true
}

// endsDay reports whether a time stands in the last minute of a day in UTC, where leap
// seconds are.
func endsDay(at time.Time) bool {
	hour, minute, _ := at.UTC().Clock()
	return hour == 23 && minute == 59
}
