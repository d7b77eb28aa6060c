package home

import (
	"regexp"
	"strings"
)

// paragraph is text, of which every second part is code.
type paragraph []string

// Marks of Markdown that the page leaves out.
var (
	linked     = regexp.MustCompile(`\[([^\]\n]+)\]\([^)\s]*\)`)
	emphasized = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	heading    = regexp.MustCompile(`^#{1,6} +`)
	listed     = regexp.MustCompile(`^[-*+] +`)
)

// paragraphs returns Markdown as paragraphs: those between blank lines, headings, and elements of lists. Code is kept, of
// links and emphasis only the text. Anything else appears as it is written, which readers of Markdown expect.
func paragraphs(markdown string) []paragraph {
	var list []paragraph
	var text string
	end := func() {
		if text = strings.TrimSpace(text); text != "" {
			text = emphasized.ReplaceAllString(linked.ReplaceAllString(text, "$1"), "$1")
			list = append(list, strings.Split(text, "`"))
		}
		text = ""
	}
	for line := range strings.SplitSeq(markdown, "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "":
			end()
		case heading.MatchString(line):
			end()
			text = heading.ReplaceAllString(line, "")
			end()
		case listed.MatchString(line):
			end()
			text = listed.ReplaceAllString(line, "• ")
		default:
			text += " " + line
		}
	}
	end()
	return list
}
