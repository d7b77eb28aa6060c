// Package describe makes schemas, texts and examples for documents and agents from the compiled model. It does not
// know the form in which they are published, so that all describe an API in the same way.
package describe
