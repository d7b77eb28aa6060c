package codec

import (
	"encoding/binary"
	"time"
)

// ParseDate parses a date or time in a layout of package time. It is stricter for the layout of RFC 3339: package time
// also accepts "T9:05:00,5Z" there, which the format date-time does not allow.
func ParseDate(layout, text string) (time.Time, bool) {
	if layout == time.RFC3339 {
		return parseTime([]byte(text))
	}
	at, err := time.Parse(layout, text)
	return at, err == nil
}

// parseTime parses an RFC 3339 date-time, and reports whether it is one that can be written again in UTC. It
// accepts lowercase T and Z, and leap seconds, which become the following second. If only the local year has four
// digits, it returns the time and false.
func parseTime(text []byte) (time.Time, bool) {
	var at time.Time
	// A copy, which is changed for lowercase letters and leap seconds.
	var room [64]byte
	text = append(room[:0], text...)
	for i, c := range text {
		if c == 't' || c == 'z' {
			text[i] = c - 'a' + 'A'
		}
	}
	// Package time also reads hours of one digit, fractions after a comma, and offsets of more than a day.
	const hour, local = "2006-01-02T15", "2006-01-02T15:04:05"
	if len(text) <= len(local) || text[len(hour)] != ':' || text[len(local)] == ',' {
		return at, false
	}
	if offset := text[len(text)-len("00:00"):]; text[len(text)-1] != 'Z' && (string(offset[:2]) >= "24" || string(offset[3:]) >= "60") {
		return at, false
	}
	// Package time has no second 60. RFC 3339, section 5.6 and appendix D, allows it at the end of a day in UTC.
	second := text[len("2006-01-02T15:04:"):][:2]
	leap := string(second) == "60"
	if leap {
		copy(second, "59")
	}
	if at.UnmarshalText(text) != nil {
		return time.Time{}, false
	}
	if leap {
		if hour, minute, _ := at.UTC().Clock(); hour != 23 || minute != 59 {
			return time.Time{}, false
		}
		at = at.Truncate(time.Second).Add(time.Second)
	}
	return at, IsWritable(at)
}

// IsWritable reports whether a time can be written in UTC: RFC 3339 has the years 0000 to 9999.
func IsWritable(at time.Time) bool {
	second := at.Unix()
	return firstSecond <= second && second < endOfTime
}

// Seconds from 1970 to the start of the year 0, and to that of the year 10000: RFC 3339 has no other years.
const (
	firstSecond = -62167219200
	endOfTime   = 253402300800
)

func encodeTime(b []byte, at address, _ int) ([]byte, error) {
	t := (*time.Time)(at)
	b = append(b, '"')
	// Stores keep UTC, so nearly all times are in it. AppendText reports other years.
	if t.Location() == time.UTC && IsWritable(*t) {
		b = appendUTC(b, uint64(t.Unix()-firstSecond), uint32(t.Nanosecond())) //nolint:gosec // not negative
		return append(b, 'Z', '"'), nil
	}
	b, err := t.AppendText(b)
	return append(b, '"'), err
}

// appendUTC appends a time, given as seconds since the start of the year 0 and nanoseconds, as RFC 3339. It does the same
// as [time.Time.AppendText] in half of the time.
func appendUTC(b []byte, second uint64, nanosecond uint32) []byte {
	const day = 24 * 60 * 60
	year, month, ofMonth := dateOf(uint32(second / day)) //nolint:gosec // fewer than four million days
	ofDay := uint32(second % day)
	// The separators are in place, and the digits go between them.
	b = append(b, "0000-00-00T00:00:00"...)
	text := b[len(b)-len("0000-00-00T00:00:00"):]
	putTwo(text[0:2], year/100)
	putTwo(text[2:4], year%100)
	putTwo(text[5:7], month)
	putTwo(text[8:10], ofMonth)
	putTwo(text[11:13], ofDay/3600)
	putTwo(text[14:16], ofDay/60%60)
	putTwo(text[17:19], ofDay%60)
	if nanosecond == 0 {
		return b
	}
	digits := 9 // without trailing zeros, by threes first, because most times are in milliseconds or microseconds
	for ; nanosecond%1000 == 0; nanosecond /= 1000 {
		digits -= 3
	}
	for ; nanosecond%10 == 0; nanosecond /= 10 {
		digits--
	}
	b = append(b, ".000000000"[:1+digits]...)
	for i := len(b) - 1; nanosecond > 0; i-- {
		b[i] = byte('0' + nanosecond%10)
		nanosecond /= 10
	}
	return b
}

// dateOf returns the date of a day, counted from the first of the year 0. It counts years from March, so that a
// leap day is the last of its year, in quarters of a day: a year has 1461, a century 146097, as many as four
// centuries have days.
func dateOf(day uint32) (year, month, ofMonth uint32) {
	const janAndFeb = 60                     // the days of January and February in the year 0
	quarters := 4*(day+146097-janAndFeb) + 3 // of the last quarter, from March of the year -400
	century, quarters := quarters/146097, quarters%146097|3
	ofCentury, ofYear := quarters/1461, quarters%1461/4
	fromMarch := (5*ofYear + 2) / 153 // five months from March, or from August, have 153 days
	year, month, ofMonth = 100*century+ofCentury-400, fromMarch+3, ofYear-(153*fromMarch+2)/5+1
	if month > 12 {
		return year + 1, month - 12, ofMonth
	}
	return year, month, ofMonth
}

// putTwo writes a two-digit number.
func putTwo(text []byte, n uint32) {
	tens := n / 10
	digits := uint16('0'+tens) | uint16('0'+n-10*tens)<<8 //nolint:gosec // digits
	binary.LittleEndian.PutUint16(text, digits)
}
