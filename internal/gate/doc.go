// Package gate checks access rules. [Compiler.Compile] checks a rule against the struct of its resource
// and makes a tree of it, in which only leaves are negated. That one tree answers
// three questions:
//
//	Ask         what is known of a caller without a record: yes, no, or that it depends
//	Conditions  which records a query may find for a caller
//	Holds       whether one record passes
//
// so that a collection and a single record cannot show different things. [Caller.Confine] puts
// the conditions into a query, and restricts it so that it reveals nothing of hidden fields; [Through] does so for what
// records refer to.
package gate
