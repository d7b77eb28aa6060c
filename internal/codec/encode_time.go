package codec

import "time"

func encodeTime(b []byte, at address, _ int) ([]byte, error) {
	t := as[time.Time](at)
	b = append(b, '"')
	if year, month, day := t.Date(); t.Location() == time.UTC && 0 <= year && year <= 9999 {
		b = appendDate(b, year, int(month), day)
		b = appendClock(b, *t)
		return append(b, 'Z', '"'), nil
	}
	b, err := t.AppendText(b)
	return append(b, '"'), err
}

// appendDate appends a date as RFC 3339 has it. With appendClock it does what
// [time.Time.AppendText] does, in half the time.
func appendDate(b []byte, year, month, day int) []byte {
	b = append(b, "0000-00-00T"...)
	text := b[len(b)-len("0000-00-00T"):]
	putTwo(text[0:2], year/100)
	putTwo(text[2:4], year%100)
	putTwo(text[5:7], month)
	putTwo(text[8:10], day)
	return b
}

// appendClock appends the time of the day.
func appendClock(b []byte, t time.Time) []byte {
	hour, minute, second := t.Clock()
	b = append(b, "00:00:00"...)
	text := b[len(b)-len("00:00:00"):]
	putTwo(text[0:2], hour)
	putTwo(text[3:5], minute)
	putTwo(text[6:8], second)
	if nanosecond := t.Nanosecond(); nanosecond != 0 {
		b = appendFraction(b, nanosecond)
	}
	return b
}

// putTwo writes a number of two digits.
func putTwo(text []byte, n int) {
	text[0], text[1] = byte('0'+n/10), byte('0'+n%10) //nolint:gosec // digits
}

// appendFraction appends a fraction of a second, which is not 0, without zeros behind.
func appendFraction(b []byte, nanosecond int) []byte {
	digits := len(".000000000")
	for ; nanosecond%10 == 0; nanosecond /= 10 {
		digits--
	}
	b = append(b, ".000000000"[:digits]...)
	for i := len(b) - 1; nanosecond > 0; i-- {
		b[i] = byte('0' + nanosecond%10)
		nanosecond /= 10
	}
	return b
}
