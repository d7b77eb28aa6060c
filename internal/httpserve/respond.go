package httpserve

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
)

// Header values that responses share; they are never changed.
var (
	varyAccept = [...]string{"Accept"}
	noSniff    = [...]string{"nosniff"}
)

// headersOf returns the functions that write the header fields of successful responses of an operation.
func headersOf(op *compiled.Operation, vary []string) (list []func(x *exchange, header http.Header)) {
	add := func(declared bool, write func(x *exchange, header http.Header)) {
		if declared {
			list = append(list, write)
		}
	}
	add(op.Creates || op.AllowCreate || op.IsLocated, (*exchange).setLocations)
	add(op.Cache != nil, func(_ *exchange, header http.Header) { header["Cache-Control"] = op.Cache })
	add(vary != nil, func(_ *exchange, header http.Header) { addField(header, "Vary", vary) })
	add(op.HasResponseBody() && op.Pages, func(x *exchange, header http.Header) {
		if x.link != "" {
			addField(header, "Link", x.line(x.link))
		}
		if x.result.Total != execute.NoTotal {
			header["X-Total-Count"] = x.line(x.total)
		}
	})
	add(op.HasResponseBody(), func(x *exchange, header http.Header) {
		if x.tag != "" {
			header["Etag"] = x.line(x.tag)
		}
		if !x.modified.IsZero() {
			header["Last-Modified"] = []string{x.modified.UTC().Format(http.TimeFormat)} // RFC 9110, section 5.6.7
		}
	})
	// Fields of functions replace those of middleware, except fields whose lines are independent.
	add(op.Observed, func(x *exchange, header http.Header) {
		for name, lines := range x.call.Request.ResponseHeader {
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
			add(true, (*exchange).writeLeads)
			break
		}
	}
	return list
}

// setHeader writes the header fields of a success.
func (x *exchange) setHeader(header http.Header) {
	for _, write := range x.headers {
		write(x, header)
	}
}

// setLocations writes Location for a new record, and Content-Location if a Get returns the record in the same form (RFC
// 9110, sections 10.2.2 and 8.7).
func (x *exchange) setLocations(header http.Header) {
	location := ""
	if x.result.Created && x.status == http.StatusCreated {
		if location = x.location(x.result.Record); location != "" {
			header["Location"] = x.line(location)
		}
	}
	if !x.op.IsLocated {
		return
	}
	isItsPath := x.isHome && x.suffix == "" && strings.IndexByte(x.path, '%') < 0
	switch {
	case location != "":
	case !x.result.Created && isItsPath:
		location = x.path
	default:
		location = x.location(x.result.Record)
	}
	if location != "" {
		header["Content-Location"] = x.line(location)
	}
}

// location returns the path of the record's first Get, or "" without one.
func (x *exchange) location(record any) string {
	var room [128]byte
	r := x.op.Resource
	switch {
	case r.Home != nil:
		return string(r.Home.Append(room[:0], reflect.ValueOf(record).Elem()))
	case r.RecordPath == nil:
		return ""
	}
	if id, ok := r.ID.Int64(record); ok {
		return string(r.RecordPath.AppendInt(room[:0], id))
	}
	text, err := r.ID.Text(r.ID.Of(record))
	if err != nil {
		return ""
	}
	return string(r.RecordPath.Append(room[:0], text))
}

// line returns a header value, which the writer may keep. All values of a response share one allocation.
func (x *exchange) line(text string) []string {
	if x.lines == nil {
		x.lines = make([]string, 0, x.lineCount)
	}
	n := len(x.lines)
	x.lines = append(x.lines, text)
	return x.lines[n : n+1 : n+1]
}

// addField adds a line of a field after those of middleware. A shared line has no spare capacity, so append copies it.
func addField(header http.Header, name string, line []string) {
	if there := header[name]; there != nil {
		line = append(there, line...)
	}
	header[name] = line
}

// writeLeads writes links to documents that describe the format of the response.
func (x *exchange) writeLeads(header http.Header) {
	if x.format.Leads != nil {
		AddLeads(header, x.op.API, x.r, *x.format.Leads)
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
func (x *exchange) send(header http.Header, contentTypes []string) {
	header["X-Content-Type-Options"] = noSniff[:]
	hasBody := x.answers && x.status != http.StatusNotModified
	if hasBody {
		header["Content-Type"] = contentTypes
		if x.length == "" {
			x.length = strconv.Itoa(len(x.body))
		}
		header["Content-Length"] = x.line(x.length)
	}
	x.begun = true
	x.w.WriteHeader(x.status)
	if hasBody && x.r.Method != http.MethodHead {
		n, _ := x.w.Write(x.body) // the client may be gone, which is not a failure
		x.bytes += int64(n)
	}
}
