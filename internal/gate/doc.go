// Package gate asks rules of access. [Compile] checks a rule against the struct of its resource
// and makes a tree of it, in which negations stand at the leaves alone. That one tree answers
// three questions:
//
//	Ask         what can be told of a caller without a record: yes, no, or that it depends
//	Conditions  which records a query may find for a caller
//	Holds       whether one record passes
//
// so that what a collection shows and what a single record answers cannot differ. [Confine] puts
// the conditions into a query, and sees that nothing in it tells of members that are hidden; [Through] does so for what records refer to.
package gate
