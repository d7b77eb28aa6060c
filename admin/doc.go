// Package admin serves an admin page for an API, from files that are embedded in the program.
package admin
