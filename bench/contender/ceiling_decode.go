package contender

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/trove-api/trove/bench/catalog"
)

var (
	errSyntax  = errors.New("this is not valid JSON, or not of the right type")
	errUnknown = errors.New("there is no such member")
)

// decodeInput sets the fields of the input that the JSON text has.
func decodeInput(text string, in *catalog.Input) error {
	s := scanner{text: text}
	if !s.take('{') {
		return errSyntax
	}
	for more := !s.take('}'); more; {
		name, ok := s.string()
		if !ok || !s.take(':') {
			return errSyntax
		}
		if err := s.member(name, in); err != nil {
			return err
		}
		if more = s.take(','); !more && !s.take('}') {
			return errSyntax
		}
	}
	if s.at < len(text) {
		return errSyntax
	}
	return nil
}

// member reads the value of a field.
func (s *scanner) member(name string, in *catalog.Input) error {
	var ok bool
	switch name {
	case "name":
		in.Name, ok = s.string()
	case "description":
		in.Description, ok = s.string()
	case "category":
		in.Category, ok = s.string()
	case "email":
		in.Email, ok = s.string()
	case "price":
		in.Price, ok = s.integer()
	case "foundAt":
		in.FoundAt, ok = s.time()
	case "rating":
		in.Rating, ok = s.integer()
	case "available":
		in.Available, ok = s.bool()
	default:
		return errUnknown
	}
	if !ok {
		return errSyntax
	}
	return nil
}

// scanner reads JSON from the left to the right.
type scanner struct {
	text string
	at   int
}

func (s *scanner) space() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// take skips a character, if it is the next one, and the space around it.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	s.space()
	return true
}

// string reads a string. A string of plain characters is returned without a copy.
func (s *scanner) string() (string, bool) {
	start := s.at
	if start == len(s.text) || s.text[start] != '"' {
		return "", false
	}
	isPlain := true
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if !plain(s.text[s.at]) {
			isPlain = false
			if s.text[s.at] == '\\' {
				s.at++
			}
		}
	}
	if s.at >= len(s.text) {
		return "", false
	}
	s.at++
	if isPlain {
		return s.text[start+1 : s.at-1], true
	}
	return unquote(s.text[start:s.at])
}

// unquote reads a string with escapes or with characters beyond ASCII.
func unquote(text string) (value string, ok bool) {
	return value, json.Unmarshal([]byte(text), &value) == nil
}

// integer reads a number without a fraction, of 18 digits at most.
func (s *scanner) integer() (value int, ok bool) {
	negative := s.at < len(s.text) && s.text[s.at] == '-'
	if negative {
		s.at++
	}
	start := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' && s.at-start < 18 {
		value = 10*value + int(s.text[s.at]-'0')
		s.at++
	}
	if negative {
		value = -value
	}
	digits := s.at - start
	return value, digits == 1 || digits > 1 && s.text[start] != '0'
}

// time reads a time of RFC 3339.
func (s *scanner) time() (time.Time, bool) {
	text, ok := s.string()
	value, err := time.Parse(time.RFC3339, text)
	return value, ok && err == nil
}

func (s *scanner) bool() (value, ok bool) {
	rest := s.text[s.at:]
	switch {
	case strings.HasPrefix(rest, "true"):
		s.at += len("true")
		return true, true
	case strings.HasPrefix(rest, "false"):
		s.at += len("false")
		return false, true
	}
	return false, false
}
