// Package report writes measurements as Markdown tables.
package report

import (
	"fmt"
	"io"
	"strings"
)

// table writes a table. The first column is aligned left, the others right.
func table(out io.Writer, header []string, rows [][]string) error {
	rule := []string{"---"}
	for range header[1:] {
		rule = append(rule, "---:")
	}
	var text strings.Builder
	for _, row := range append([][]string{header, rule}, rows...) {
		text.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	_, err := fmt.Fprintln(out, text.String())
	return err
}
