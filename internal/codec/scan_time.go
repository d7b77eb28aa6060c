package codec

import "time"

func scanTime(d *decoding, at address, i int) int {
	text, end := d.quoted(i)
	if end == gaveUp {
		return gaveUp
	}
	// Nearly all clients write UTC with a Z; the long way is for the others.
	t, ok := parseUTC(text)
	if !ok {
		t, ok = ParseTime(text)
	}
	if !ok {
		return gaveUp
	}
	*as[time.Time](at) = t
	return end
}

// parseUTC parses what ParseTime does in a third of the time, if it has the form
// "2006-01-02T15:04:05Z" with as many digits of a fraction as a nanosecond has, or fewer.
func parseUTC(text []byte) (t time.Time, ok bool) {
	const form = "0000-00-00T00:00:00"
	last := len(text) - 1
	if last < len(form) || text[last] != 'Z' || !hasForm(text, form) {
		return t, false
	}
	nanosecond, ok := parseFraction(text[len(form):last])
	year, month, day := two(text)*100+two(text[2:]), time.Month(two(text[5:])), two(text[8:])
	hour, minute, second := two(text[11:]), two(text[14:]), two(text[17:])
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return t, false
	}
	t = time.Date(year, month, day, hour, minute, second, nanosecond, time.UTC)
	_, ofMonth, ofDay := t.Date()
	return t, ofMonth == month && ofDay == day // a day that there is not would be another one
}

// two returns the number that the first two digits of text are.
// hasForm has seen that both are digits.
func two(text []byte) int { return int(text[0]-'0')*10 + int(text[1]-'0') }

// parseFraction parses a fraction of a second, ".5" or none at all, as nanoseconds.
func parseFraction(text []byte) (nanosecond int, ok bool) {
	const longest = len(".000000000")
	if len(text) == 0 {
		return 0, true
	}
	if text[0] != '.' || len(text) < 2 || len(text) > longest {
		return 0, false
	}
	for i := 1; i < longest; i++ {
		nanosecond *= 10
		if i >= len(text) {
			continue
		}
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		nanosecond += int(digit)
	}
	return nanosecond, true
}
