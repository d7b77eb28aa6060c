package httpserve

import "net/http"

// counted is a writer that notes the status and counts the bytes of the body.
type counted struct {
	http.ResponseWriter

	status int
	bytes  int64
}

// Fields of the header are the writer's own, so that nothing else is wrapped.
func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(body []byte) (int, error) {
	n, err := c.ResponseWriter.Write(body)
	c.bytes += int64(n)
	return n, err
}
