package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/validation"
)

// receive reads the whole body, before any lock is held for it.
func receive(_ context.Context, c *call) error {
	at, types := -1, c.r.Header["Content-Type"]
	if len(types) == 1 && c.r.Header["Content-Encoding"] == nil {
		at = slices.Index(c.op.MediaTypes, types[0]) // as most clients write it
	}
	if at < 0 {
		var err error
		if at, err = c.op.readMediaType(c.r, types); err != nil {
			return err
		}
	}
	if err := c.readBody(); err != nil {
		return err
	}
	if at >= 0 && !c.op.Readers[at].JSON {
		var err error
		if c.body, err = c.readAsJSON(c.body, c.op.MediaTypes[at], c.op.Readers[at]); err != nil {
			return err
		}
	}
	return checkExtent(c.body, c.op.API.MaxBodyDepth, c.op.API.MaxBodyValues)
}

// readBody reads the whole body into the buffer of requests.
func (c *call) readBody() error {
	limit := c.op.MaxBodyBytes
	if c.r.ContentLength > limit {
		return tooLarge(c.r, limit)
	}
	var unlimit func()
	if c.op.Timeout > 0 {
		unlimit = c.op.limitReading(c.w, c.r)
	}
	body, err := readAll(c.r.Body, c.buffers.request[:0], c.r.ContentLength, limit)
	c.buffers.request, c.body = body, body
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		late := problemOfKind(problem.Timeout)
		late.Header = []string{"Connection", "close"}
		return late
	case int64(len(body)) > limit:
		return tooLarge(c.r, limit)
	case err != nil:
		return problem.New(http.StatusBadRequest, "The request body is incomplete.")
	}
	if unlimit != nil {
		unlimit()
	}
	return nil
}

// readAsJSON has the format that reads a media type turn a body into JSON.
func (c *call) readAsJSON(body []byte, mediaType string, reader *compiled.Format) ([]byte, error) {
	// Limits also apply to values that the format ignores.
	if strings.HasSuffix(mediaType, "json") {
		if err := checkExtent(body, c.op.API.MaxBodyDepth, c.op.API.MaxBodyValues); err != nil {
			return nil, err
		}
	}
	asked := &format.Body{Bytes: body, MediaType: mediaType, Method: c.r.Method}
	if !c.op.Custom {
		asked.Type = c.op.Resource.ShortName
	}
	if c.op.Item {
		if id, ok := c.op.identifier(c.path); ok {
			asked.ID, _ = c.op.Resource.ID.Text(id)
		}
		if address := c.op.Resource.RecordPath; address != nil {
			asked.Path = string(address.Append(nil, asked.ID))
		} else if get := c.op.Resource.Get(); get != nil && get.Template == c.op.Template {
			asked.Path = c.path
		}
	}
	text, err := reader.Read(asked)
	if err == nil {
		return text, nil
	}
	return nil, formatError(err, "The request body is not well-formed "+mediaType+".")
}

// formatError returns the response to an error of a format that reads a body: the detail of the format, or otherwise if the
// error has no text for clients.
func formatError(err error, otherwise string) error {
	if own, ok := errors.AsType[*format.Error](err); ok {
		p := problem.New(http.StatusBadRequest, naming.Sentence(own.Detail))
		if own.Status >= http.StatusBadRequest && own.Status < http.StatusInternalServerError {
			p.Status = own.Status
		}
		switch {
		case own.Pointer != "":
			p.Fields = []problem.Field{{Name: "pointer", Value: own.Pointer}}
		case own.Parameter != "":
			p.Fields = []problem.Field{{Name: "parameters", Value: []wrongParameter{{Name: own.Parameter, In: "query", Message: own.Detail}}}}
		}
		return p
	}
	_, isOwn := errors.AsType[operation.Error](err)
	if _, only := validation.Violations(err); only || isOwn {
		return err
	}
	return problem.New(http.StatusBadRequest, otherwise)
}

// firstRead is the initial size in bytes of the buffer for a body.
const firstRead = 4 << 10

// readAll appends the body to b, up to one byte more than the limit. The declared length, -1 for none, saves small bodies an
// allocation. The buffer never exceeds twice the bytes received.
func readAll(body io.Reader, b []byte, declared, limit int64) ([]byte, error) {
	for int64(len(b)) <= limit {
		if len(b) == cap(b) {
			room := max(firstRead, 2*len(b))
			if declared >= int64(len(b)) {
				room = int(min(int64(room), declared+1)) // one more, to see the end
			}
			b = append(make([]byte, 0, room), b...)
		}
		n, err := body.Read(b[len(b):min(int64(cap(b)), limit+1)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// limitReading sets a deadline for reading the body, because reads ignore contexts. A shorter limit of the server stays. It
// returns a function that removes the deadline after the last read. Writers without deadlines are not limited.
func (o *Operation) limitReading(w http.ResponseWriter, r *http.Request) func() {
	server, _ := r.Context().Value(http.ServerContextKey).(*http.Server)
	if server != nil && 0 < server.ReadTimeout && server.ReadTimeout < o.Timeout {
		return nil
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(o.Timeout))
	return func() { _ = control.SetReadDeadline(time.Time{}) }
}

// readMediaType returns the index of the body's media type in the operation's list, and an error for an unsupported type,
// charset or coding. Without a type and a body it returns -1: that the body is empty is the clearer error.
func (o *Operation) readMediaType(r *http.Request, types []string) (int, error) {
	if len(types) > 1 {
		return 0, o.unsupported(r, "The request has more than one Content-Type. Send only one.")
	}
	coding := strings.Join(r.Header["Content-Encoding"], ",")
	if coding != "" && !strings.EqualFold(coding, "identity") {
		p := o.unsupported(r, "Content-Encoding is not supported. Send the body uncompressed.")
		p.Header = append(p.Header, "Accept-Encoding", "identity") // RFC 9110, section 15.5.16
		return 0, p
	}
	header := strings.Join(types, "")
	if header == "" && r.ContentLength == 0 {
		return -1, nil
	}
	if mediaType, ok := httpfield.ContentType(header, o.MediaTypes, o.meansOfBody); ok {
		return slices.Index(o.MediaTypes, mediaType), nil
	}
	name, _, _ := mime.ParseMediaType(header)
	if i := slices.Index(o.MediaTypes, name); i >= 0 && o.Readers[i].ContentType != name {
		return 0, o.unsupported(r, "The parameters of the Content-Type are not supported. Send "+o.Readers[i].ContentType+".")
	}
	return 0, o.unsupported(r, problem.UnsupportedMediaType.Detail(strings.Join(o.MediaTypes, " or ")))
}

// meansOfBody returns the function that checks the parameters of a media type, nil for none.
func (o *Operation) meansOfBody(mediaType string) httpfield.Means {
	i := slices.Index(o.MediaTypes, mediaType)
	if i < 0 || o.Readers[i].Supports == nil {
		return nil
	}
	return func(_ string, parameters map[string]string) bool { return o.Readers[i].Supports(parameters) }
}

// unsupported returns a 415 that lists what is supported (RFC 9110, section 15.5.16).
func (o *Operation) unsupported(r *http.Request, detail string) *problem.Problem {
	supported := o.MediaTypes
	p := problem.New(problem.UnsupportedMediaType.Status(), detail, problem.Field{Name: "supported", Value: supported})
	names := map[string]string{http.MethodPatch: "Accept-Patch", http.MethodPost: "Accept-Post", MethodQuery: "Accept-Query"}
	if name := names[r.Method]; name != "" {
		p.Header = []string{name, strings.Join(supported, ", ")}
	}
	return p
}

// tooLarge returns the error of a large body, the rest of which is not read. It closes an HTTP/1 connection, because keeping
// it would require reading the rest; in HTTP/2, only the stream ends.
func tooLarge(r *http.Request, limit int64) error {
	p := problemOfKind(problem.TooLarge, limit)
	if r.ProtoMajor == 1 {
		p.Header = []string{"Connection", "close"}
	}
	return p
}

// checkExtent rejects a body that is nested too deeply or has too many fields and elements, before it is decoded. Most bodies
// have too few brackets and commas for either, which is quick to check.
func checkExtent(body []byte, maxDepth, maxValues int) error {
	// bytes.Count uses SIMD instructions, so this costs almost nothing. Brackets and commas in strings make the count too
	// high, never too low.
	brackets := bytes.Count(body, []byte("{")) + bytes.Count(body, []byte("["))
	if brackets <= maxDepth && bytes.Count(body, []byte(","))+brackets <= maxValues {
		return nil
	}
	depth, values := extent(body)
	switch {
	case depth > maxDepth:
		return problemOfKind(problem.TooDeep, maxDepth)
	case values > maxValues:
		return problemOfKind(problem.TooMany, maxValues)
	}
	return nil
}

// extent returns the depth of a JSON text, and the number of fields and elements in it. It does not validate the text, because
// the decoder does. It runs before the decoder, which would need much memory for a million small fields.
func extent(text []byte) (deepest, values int) {
	depth, opened := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			continue
		}
		if opened && c != '}' && c != ']' {
			values++
		}
		opened = false
		switch c {
		case ',':
			values++
		case '{', '[':
			depth++
			deepest, opened = max(deepest, depth), true
		case '}', ']':
			depth--
		case '"':
			i = endOfString(text, i)
		}
	}
	return deepest, values
}

// endOfString returns the index of the quotation mark that ends the string which begins at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
