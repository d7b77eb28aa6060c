package csv

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/trove-api/trove/format"
)

// cell is a cell as it is in the body.
type cell struct {
	text   []byte
	quoted bool // it has quotation marks
}

// parser reads rows. encoding/csv does not distinguish an empty cell from "", and changes line breaks within cells.
type parser struct {
	text  []byte
	at    int
	line  int // of the next byte, from 1
	width int // the number of cells in a row; 0 before the header
	most  int // the maximum number of cells in the header
}

func newParser(body []byte, most int) (*parser, error) {
	if !utf8.Valid(body) {
		line := 1
		for each := range bytes.Lines(body) {
			if !utf8.Valid(each) {
				break
			}
			line++
		}
		return nil, malformed(line, "invalid UTF-8")
	}
	return &parser{text: bytes.TrimPrefix(body, []byte("\ufeff")), line: 1, most: most}, nil
}

// malformed returns the error for a body that is not valid CSV, with the line.
func malformed(line int, what string) error {
	return &format.Error{Detail: fmt.Sprintf("The body is not well-formed CSV: %s in line %d.", what, line)}
}

// row returns the cells of the next row in room, nil at the end. It skips empty lines.
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
			return nil, malformed(begun, "more cells than columns")
		}
		if len(cells) > p.most {
			return nil, malformed(begun, "more columns than the record has")
		}
		if p.at < len(p.text) && p.text[p.at] == ',' {
			p.at++
			continue
		}
		if p.at < len(p.text) && !p.endLine() {
			return nil, malformed(p.line, "characters after a closing quotation mark")
		}
		break
	}
	if p.width > 0 && len(cells) < p.width {
		return nil, malformed(begun, "fewer cells than columns")
	}
	p.width = len(cells)
	return cells, nil
}

// endLine skips the end of a line, CRLF or LF, and reports whether there is one.
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
	end := bytes.IndexAny(rest, ",\r\n\"")
	switch {
	case end < 0:
		end = len(rest)
	case rest[end] == '"':
		return cell{}, malformed(p.line, "a quotation mark in a cell without quotation marks")
	}
	if end+1 < len(rest) && rest[end] == '\r' && rest[end+1] != '\n' {
		return cell{}, malformed(p.line, "a carriage return without a line feed")
	}
	p.at += end
	return cell{text: rest[:end:end]}, nil
}

// quoted reads a cell in quotation marks. It turns doubled marks into single ones in place, because the text only gets
// shorter.
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
	return cell{}, malformed(begun, "no closing quotation mark for the cell that begins")
}
