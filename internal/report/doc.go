// Package report gathers what is wrong with a body, and knows where in it. Decoder, checker
// and the answer share one form of a place: segments. Text is made of them once for each
// violation that is told, and never read again.
//
// What a client sends is never multiplied: a report has a budget, a name in it is cut where
// it is long, and what is only remembered refers to the segments above it (see [Place]).
package report
