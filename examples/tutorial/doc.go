// Package tutorial holds the programs of docs/tutorial.md, one for each step: go run ./examples/tutorial/step03. Its
// tests generate them from the page, and run every command that the page shows.
package tutorial
