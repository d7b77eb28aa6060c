package resource

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteRoutes writes [API.Routes] as a table for people: method, path, operation and status, a line each below a line
// that names these columns. Its error is that of the writer.
func (a *API) WriteRoutes(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	// A tabwriter keeps all text until it is flushed, and its error with it.
	_, _ = fmt.Fprintln(table, "METHOD\tPATH\tOPERATION\tSTATUS")
	for _, route := range a.Routes() {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", route.Method, route.Path, route.Operation, route.Status)
	}
	return table.Flush()
}
