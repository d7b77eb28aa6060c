package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/trove-api/trove/resource"
)

// printRoutes prints a table of the operations.
func printRoutes(out io.Writer, routes []resource.Route) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "METHOD\tPATH\tOPERATION\tSTATUS")
	for _, route := range routes {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", route.Method, route.Path, route.Operation, route.Status)
	}
	return table.Flush()
}
