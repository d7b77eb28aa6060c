package csv

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/trove-api/trove/format"
)

// cell is a cell as it stands in a row.
type cell struct {
	text   []byte
	quoted bool // it stands in quotation marks
}

// isEmpty reports whether there is nothing, not even quotation marks.
func (c cell) isEmpty() bool { return len(c.text) == 0 && !c.quoted }

// parser reads rows. encoding/csv does not tell an empty cell from one in quotation marks, and
// changes line breaks within cells.
type parser struct {
	text  []byte
	at    int
	line  int // of the next byte, from 1
	width int // how many cells a row has; 0 before the header
	most  int // how many a header may have
}

func newParser(body []byte, most int) (*parser, error) {
	if i := firstInvalid(body); i >= 0 {
		return nil, malformed(1+bytes.Count(body[:i], []byte("\n")), "the text is not UTF-8")
	}
	return &parser{text: bytes.TrimPrefix(body, []byte("\ufeff")), line: 1, most: most}, nil
}

// firstInvalid returns the index of the first byte that is not of UTF-8, -1 for none.
func firstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// malformed tells the client in which line the body is none of CSV.
func malformed(line int, what string) error {
	return &format.Error{Detail: fmt.Sprintf("The body is not well-formed CSV: %s in line %d.", what, line)}
}

// row returns the cells of the next row in room, nil at the end. Empty lines are passed over.
func (p *parser) row(room []cell) ([]cell, error) {
	for p.at < len(p.text) && p.endLine() { //nolint:revive // the condition does it
	}
	if p.at >= len(p.text) {
		return nil, nil
	}
	begun, cells := p.line, room[:0]
	for {
		c, err := p.cell()
		if err != nil {
			return nil, err
		}
		if cells = append(cells, c); p.width > 0 && len(cells) > p.width {
			return nil, malformed(begun, "there are more cells than columns in the row")
		}
		if len(cells) > p.most {
			return nil, malformed(begun, "there are more columns than a record has")
		}
		if p.at < len(p.text) && p.text[p.at] == ',' {
			p.at++
			continue
		}
		if p.at < len(p.text) && !p.endLine() {
			return nil, malformed(p.line, "something stands behind a closing quotation mark")
		}
		break
	}
	if p.width > 0 && len(cells) < p.width {
		return nil, malformed(begun, "there are fewer cells than columns in the row")
	}
	p.width = len(cells)
	return cells, nil
}

// endLine passes over the end of a line, CRLF or LF, and reports whether there is one.
func (p *parser) endLine() bool {
	switch rest := p.text[p.at:]; {
	case rest[0] == '\n':
		p.at++
	case rest[0] == '\r' && len(rest) > 1 && rest[1] == '\n':
		p.at += 2
	case rest[0] == '\r' && len(rest) == 1:
		p.at++
	default:
		return false
	}
	p.line++
	return true
}

// cell reads one cell up to its comma or the end of the line.
func (p *parser) cell() (cell, error) {
	if p.at < len(p.text) && p.text[p.at] == '"' {
		return p.quoted()
	}
	rest := p.text[p.at:]
	end := bytes.IndexAny(rest, ",\n\"")
	switch {
	case end < 0:
		end = len(rest)
	case rest[end] == '"':
		return cell{}, malformed(p.line, "a quotation mark stands within a cell that does not begin with one")
	}
	ended := end == len(rest) || rest[end] == '\n'
	if ended && end > 0 && rest[end-1] == '\r' {
		end--
	}
	p.at += end
	return cell{text: rest[:end:end]}, nil
}

// quoted reads a cell in quotation marks. Those within, which are doubled, are made single in
// place: the text only gets shorter.
func (p *parser) quoted() (cell, error) {
	begun, made := p.line, p.at+1
	text := p.text[made:made]
	for i := made; i < len(p.text); {
		end := bytes.IndexByte(p.text[i:], '"')
		if end < 0 {
			break
		}
		p.line += bytes.Count(p.text[i:i+end], []byte("\n"))
		doubled := i+end+1 < len(p.text) && p.text[i+end+1] == '"'
		if !doubled {
			text = append(text, p.text[i:i+end]...)
			p.at = i + end + 1
			return cell{slices.Clip(text), true}, nil
		}
		text = append(text, p.text[i:i+end+1]...)
		i += end + 2
	}
	return cell{}, malformed(begun, "the closing quotation mark is missing of a cell that begins")
}
