package model

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// maxName is how many bytes of a client's name stand in an answer, about.
	maxName = 128
	// maxPath is how many bytes a path in an answer has, about.
	maxPath = 1 << 10
	// cut stands where something was left out of a text.
	cut = "…"
)

// Shorten cuts a text of more than most bytes in its middle, and never within a character.
func Shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := (most-len(cut))/2, len(text)-(most-len(cut))/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + cut + text[tail:]
}

// appendSegment appends a segment to a path by JSON names.
func appendSegment(b []byte, s *Segment, first bool) []byte {
	switch {
	case s.Kind == ToElement:
		return append(strconv.AppendInt(append(b, '['), int64(s.Index), 10), ']')
	case s.Kind == ToEntry:
		return append(append(append(b, '['), s.name()...), ']')
	case !first:
		b = append(b, '.')
	}
	return append(b, s.name()...)
}

// appendGo appends a segment by Go's names, as validator writes it.
func (s *Segment) appendGo(b []byte) []byte {
	switch {
	case s.Kind == ToElement:
		return append(strconv.AppendInt(append(b, '['), int64(s.Index), 10), ']')
	case s.Kind == ToEntry:
		return append(append(append(b, '['), s.Name...), ']')
	case len(b) > 0:
		b = append(b, '.')
	}
	if s.Field != nil {
		return append(b, s.Field.GoPath...)
	}
	return append(b, s.Name...)
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// appendToken appends a segment to a JSON Pointer (RFC 6901).
func appendToken(b []byte, s *Segment, _ bool) []byte {
	b = append(b, '/')
	if s.Kind == ToElement {
		return strconv.AppendInt(b, int64(s.Index), 10)
	}
	return append(b, escaper.Replace(s.name())...)
}

// render writes the segments from the first to the last, as many as there is room for, then
// those before the last.
func render(segments []Segment, appendOne func(b []byte, s *Segment, first bool) []byte) string {
	var room [256]byte
	b := room[:0]
	for i := range segments {
		if len(b) > maxPath/2 {
			tail := renderTail(segments[i:], appendOne)
			return string(append(b, tail...))
		}
		b = appendOne(b, &segments[i], i == 0)
	}
	return string(b)
}

// renderTail writes segments that others were written before: the last ones, where not all of
// them have room.
func renderTail(segments []Segment, appendOne func(b []byte, s *Segment, first bool) []byte) string {
	var parts []string
	size, i := 0, len(segments)
	for i > 0 && size <= maxPath/2 {
		i--
		part := string(appendOne(nil, &segments[i], false))
		parts = append(parts, part)
		size += len(part)
	}
	if i > 0 {
		parts = append(parts, cut)
	}
	var b strings.Builder
	for _, part := range slices.Backward(parts) {
		b.WriteString(part)
	}
	return b.String()
}

// parse reads the path in a text of the user's own. A key ends at the first bracket behind
// which the path can go on.
func parse(text string) []Segment {
	var segments []Segment
	for text != "" {
		s := Segment{Kind: ToMember}
		if text[0] == '[' {
			s.Kind = ToEntry
		}
		s.Name, text = cutStep(text)
		if n, err := strconv.Atoi(s.Name); s.Kind == ToEntry && err == nil && n >= 0 && strconv.Itoa(n) == s.Name {
			s = Segment{Kind: ToElement, Index: n}
		}
		segments = append(segments, s)
	}
	return segments
}

// cutStep cuts the first name, index or key off a path.
func cutStep(path string) (name, rest string) {
	if path[0] != '[' {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return path, ""
		}
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	for i := 1; i < len(path); i++ {
		if path[i] != ']' {
			continue
		}
		if rest := path[i+1:]; rest == "" || rest[0] == '.' || rest[0] == '[' {
			return path[1:i], strings.TrimPrefix(rest, ".")
		}
	}
	return path[1:], ""
}
