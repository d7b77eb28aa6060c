// Package report writes measurements as tables of Markdown.
package report

import (
	"fmt"
	"io"
	"strings"
)

// table writes a table: what is in the first column is on the left, all else on the right.
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
