// Package observeotel reports requests and databases as spans and metrics of OpenTelemetry, named as in its semantic
// conventions. It needs only the API of OpenTelemetry; the program chooses the SDK and the exporters. Attributes never have
// values that clients sent: spans have the route of a request instead of its path, statements with placeholders, and the
// kind of an error instead of its text.
package observeotel

// scope is the instrumentation scope of the spans and metrics.
const scope = "github.com/trove-api/trove/operation/observe/observeotel"
