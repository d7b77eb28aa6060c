package serve

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
)

// Header values that responses share; they are never changed.
var (
	varyAccept = [...]string{"Accept"}
	noSniff    = [...]string{"nosniff"}
)

// headersOf returns the functions that write the header fields of successful responses of an operation.
func headersOf(op *compiled.Operation, vary []string) (list []func(c *call, header http.Header)) {
	add := func(declared bool, write func(c *call, header http.Header)) {
		if declared {
			list = append(list, write)
		}
	}
	add(op.Creates || op.AllowCreate || op.IsLocated, (*call).setLocations)
	add(op.Cache != nil, func(_ *call, header http.Header) { header["Cache-Control"] = op.Cache })
	add(vary != nil, func(_ *call, header http.Header) { addField(header, "Vary", vary) })
	add(op.HasResponseBody() && op.Pages, func(c *call, header http.Header) {
		if c.link != "" {
			addField(header, "Link", c.line(c.link))
		}
		if c.total != noTotal {
			header["X-Total-Count"] = c.line(c.totalCount)
		}
	})
	add(op.HasResponseBody(), func(c *call, header http.Header) {
		if c.tag != "" {
			header["Etag"] = c.line(c.tag)
		}
		if !c.modified.IsZero() {
			header["Last-Modified"] = []string{c.modified.UTC().Format(http.TimeFormat)} // RFC 9110, section 5.6.7
		}
	})
	// Fields of functions replace those of middleware, except fields whose lines are independent.
	add(op.Observed, func(c *call, header http.Header) {
		for name, lines := range c.request.ResponseHeader {
			switch name {
			case "Link", "Set-Cookie", "Vary":
				addField(header, name, lines)
			default:
				header[name] = lines
			}
		}
	})
	for _, f := range op.Formats {
		if f.Leads != nil {
			add(true, (*call).writeLeads)
			break
		}
	}
	return list
}

// setHeader sets the status of a success, and writes its header fields. A Put that has created returns 201 (RFC 9110,
// section 9.3.4), one that has changed the operation's own status.
func (c *call) setHeader(header http.Header) {
	switch {
	case c.status != 0: // 304
	case c.created && c.id != nil:
		c.status = http.StatusCreated
	default:
		c.status = c.op.Status
	}
	for _, write := range c.op.headers {
		write(c, header)
	}
}

// setLocations writes Location for a new record, and Content-Location if a Get returns the record in the same form (RFC
// 9110, sections 10.2.2 and 8.7).
func (c *call) setLocations(header http.Header) {
	location := ""
	if c.created && c.status == http.StatusCreated {
		if location = c.location(c.record); location != "" {
			header["Location"] = c.line(location)
		}
	}
	if !c.op.IsLocated {
		return
	}
	isItsPath := c.op.isHome && c.suffix == "" && strings.IndexByte(c.path, '%') < 0
	switch {
	case location != "":
	case !c.created && isItsPath:
		location = c.path
	default:
		location = c.location(c.record)
	}
	if location != "" {
		header["Content-Location"] = c.line(location)
	}
}

// location returns the path of the record's first Get, or "" without one.
func (c *call) location(record any) string {
	written := item{record: c.op.Resource, value: record}
	return written.Path()
}

// line returns a header value, which the writer may keep. All values of a response share one allocation.
func (c *call) line(text string) []string {
	if c.lines == nil {
		c.lines = make([]string, 0, c.op.lineCount)
	}
	n := len(c.lines)
	c.lines = append(c.lines, text)
	return c.lines[n : n+1 : n+1]
}

// addField adds a line of a field after those of middleware. A shared line has no spare capacity, so append copies it.
func addField(header http.Header, name string, line []string) {
	if there := header[name]; there != nil {
		line = append(there, line...)
	}
	header[name] = line
}

// writeLeads writes links to documents that describe the format of the response.
func (c *call) writeLeads(header http.Header) {
	if c.format.Leads != nil {
		AddLeads(header, c.op.API, c.r, *c.format.Leads)
	}
}

// AddLeads adds a field Link for each document that responses of a format lead to (RFC 8288).
func AddLeads(header http.Header, api *compiled.API, r *http.Request, leads []compiled.Lead) {
	origin := Origin(api, r)
	for _, lead := range leads {
		addField(header, "Link", []string{"<" + origin + lead.Path + `>; rel="` + lead.Rel + `"`})
	}
}

// send sends the status and the body, with Content-Type and nosniff, so that browsers never interpret a value as a page with
// scripts.
func (c *call) send(header http.Header, contentTypes []string) {
	header["X-Content-Type-Options"] = noSniff[:]
	hasBody := c.op.HasResponseBody() && c.status != http.StatusNotModified
	if hasBody {
		header["Content-Type"] = contentTypes
		if c.length == "" {
			c.length = strconv.Itoa(len(c.response))
		}
		header["Content-Length"] = c.line(c.length)
	}
	c.begun = true
	c.w.WriteHeader(c.status)
	if hasBody && c.r.Method != http.MethodHead {
		n, _ := c.w.Write(c.response) // the client may be gone, which is not a failure
		c.bytes += int64(n)
	}
}
