package codec

import (
	"encoding/binary"
	"time"
)

// Seconds from 1970 to the beginning of the year 0, and to that of the year 10000: RFC 3339
// has no other years.
const (
	firstSecond = -62167219200
	endOfTime   = 253402300800
)

func encodeTime(b []byte, at address, _ int) ([]byte, error) {
	t := as[time.Time](at)
	b = append(b, '"')
	// Stores keep UTC, so that nearly all times are in it. AppendText tells of years that RFC 3339 lacks.
	if second := t.Unix(); t.Location() == time.UTC && firstSecond <= second && second < endOfTime {
		b = appendSecond(b, uint64(second-firstSecond))
		if nanosecond := t.Nanosecond(); nanosecond != 0 {
			b = appendFraction(b, uint32(nanosecond)) //nolint:gosec // less than a thousand million
		}
		return append(b, 'Z', '"'), nil
	}
	b, err := t.AppendText(b)
	return append(b, '"'), err
}

// appendSecond appends the time which is so many seconds behind the beginning of the year
// 0, as RFC 3339 has it. With appendFraction it does what [time.Time.AppendText] does, in a
// third of the time.
func appendSecond(b []byte, second uint64) []byte {
	const day = 24 * 60 * 60
	year, month, ofMonth := dateOf(uint32(second / day)) //nolint:gosec // fewer than four million days
	ofDay := uint32(second % day)
	// The separators are there then, and the digits are put between them.
	b = append(b, "0000-00-00T00:00:00"...)
	text := b[len(b)-len("0000-00-00T00:00:00"):]
	putTwo(text[0:2], year/100)
	putTwo(text[2:4], year%100)
	putTwo(text[5:7], month)
	putTwo(text[8:10], ofMonth)
	putTwo(text[11:13], ofDay/3600)
	putTwo(text[14:16], ofDay/60%60)
	putTwo(text[17:19], ofDay%60)
	return b
}

// dateOf returns the date of a day, counted from the first of the year 0. It counts years
// from March, so that a leap day is the last of its year, and in quarters of a day, of which
// a year has 1461 and a century 146097: as many as four centuries have days.
func dateOf(day uint32) (year, month, ofMonth uint32) {
	const janAndFeb = 60                     // days of the two months in the year 0
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

// putTwo writes a number of two digits.
func putTwo(text []byte, n uint32) {
	tens := n / 10
	digits := uint16('0'+tens) | uint16('0'+n-10*tens)<<8 //nolint:gosec // digits
	binary.LittleEndian.PutUint16(text, digits)
}

// appendFraction appends a fraction of a second, which is not 0, without zeros behind.
func appendFraction(b []byte, nanosecond uint32) []byte {
	digits := 9
	// By threes first: databases and people round to milliseconds or microseconds.
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
