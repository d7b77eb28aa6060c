// Package authz compiles and evaluates access rules. [Compiler.Compile] checks a rule against the struct of its resource
// and compiles it to a tree in which only leaves are negated. Three methods evaluate that tree, so that a collection and a
// single record cannot differ:
//
//	Decide      for a caller without a record: allowed, denied, or dependent on the record
//	Conditions  as conditions of a query
//	Holds       for one record
//
// [Caller.Confine] adds the conditions to a query, and restricts it so that it reveals nothing of hidden fields. [Through]
// does the same for referenced records.
package authz
