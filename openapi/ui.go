package openapi

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/openapi/internal/page"
)

// UI is the page that shows the document. The zero value is Swagger UI. Packages openapi/scalar and openapi/redoc have
// others, and you can write your own. A UI is read by [Mount] only.
type UI struct {
	// HTML is the page. Mount replaces these placeholders, and escapes their values for text and quoted attributes:
	//
	//	{title} {version}  those of the API
	//	{document}         the path of the document as JSON; required
	//	{docs}             the path of the page, below which the files are
	//	{file:NAME}        the path of a file, with its version, so that browsers keep it
	//	{pages}            an <a> element for each page of the program; that of the documentation has aria-current
	//	{documents}        an <a> element for each document of the program
	//	{links}            both, without the documentation
	//	{initial}          the first letter of the title
	//	{mark}             an element for the head: the logo of the admin, else that letter
	//	{style}            the <link> element of Config.Style; required if that is set
	//
	// A brace that begins anything else is text, if no lower-case word follows it up to the closing brace.
	HTML string
	// Files are what the page loads; a page cannot load anything else. A file NAME.gz is served as NAME, compressed if
	// the client accepts gzip. They are public, also with Config.Access. In addition there are the files that Trove's own
	// pages share, unless yours have their names: look.css with the color of the admin, theme.js and icon.svg, which is the icon of the home page, too.
	// Default: none.
	Files fs.FS
	// Policy adds sources to directives of the Content-Security-Policy: {"style-src": "'unsafe-inline'"}. Without them
	// the page loads scripts, styles and images from its own origin, and has no inline script or style. Allowed
	// directives: connect-src, font-src, img-src, script-src, style-src, worker-src. Default: none.
	Policy map[string]string
}

// newPage makes the page of the documentation.
func newPage(api *compiled.API, config Config, docs string) (*page.Page, error) {
	ui := page.UI(config.UI)
	if ui.HTML == "" {
		if ui.Files != nil || ui.Policy != nil {
			return nil, errors.New("openapi: config: UI: HTML is empty; set it together with Files and Policy")
		}
		ui = page.Swagger()
	}
	made, err := page.New(ui, page.Settings{
		Title: config.title(), Version: config.version(), Docs: docs, Style: config.Style, Origins: page.Origins(config.Servers),
		Links: func() []page.Link { return linksOf(api) }, Logo: func() string { return api.Logo }, Accent: func() string { return api.Accent },
	})
	if err != nil {
		return nil, fmt.Errorf("openapi: config: UI: %w", err)
	}
	return made, nil
}

// linksOf lists what the program serves next to its operations.
func linksOf(api *compiled.API) []page.Link {
	links := []page.Link{{Title: "Home", Path: api.HomePath(), IsPage: true}}
	for _, link := range api.Links() {
		links = append(links, page.Link{Title: link.Title, Path: link.Path, Hint: link.Type, IsPage: link.Rel == "" || link.Rel == "service-doc"})
	}
	return links
}
