// Package look is what the pages for people have in common: colors, text, header and buttons, the switch between light and
// dark, and the icon.
package look

import (
	"embed"
	"io/fs"
	"regexp"
	"strings"
)

//go:embed look.css theme.js icon.svg
var files embed.FS

// Names of the files. A page loads Script before everything else, and Style before its own styles.
const (
	Style  = "look.css"
	Script = "theme.js"
	Icon   = "icon.svg"
)

// Names lists the files.
func Names() []string { return []string{Style, Script, Icon} }

// Files returns the files, for pages that serve them. Style ends with the styles that a function returns.
func Files(accent func() string) fs.FS { return accented{files, accent} }

// accented are files whose style sheet ends with the color of a service.
type accented struct {
	embed.FS

	accent func() string
}

func (a accented) ReadFile(name string) ([]byte, error) {
	text, err := a.FS.ReadFile(name)
	if name == Style {
		text = append(text, a.accent()...)
	}
	return text, err //nolint:wrapcheck // it names the file
}

// Text returns a file, for pages that contain it.
func Text(name string) string {
	text, _ := files.ReadFile(name) // it is embedded
	return string(text)
}

// article is the word before a title that says nothing about it.
var article = regexp.MustCompile(`(?i)^(?:the|an?)\s+`)

// Initial returns the letter that represents a service without a logo: the first of its title, "" for none.
func Initial(title string) string {
	for _, letter := range article.ReplaceAllString(strings.TrimSpace(title), "") {
		return string(letter)
	}
	return ""
}
