// Package parameters knows the query and header parameters of an operation: which there
// are, by the tags of the resource's struct and the operation's settings, and what those
// of a request ask for. Routes and document both walk a [Set].
//
// Every parameter that is given is checked, whatever the others are: those that are valid
// alone are valid together. Where two say different things, one goes before the other:
// pagination=false before all that turns pages, itemsPerPage=0 before cursor, page and
// partial, cursor before page, sort before order.
package parameters
