package describe

// ofRecord are the placeholders of a resource: "order", "an order", "orders" and its short name "Order".
const ofRecord = "one an many name"

// operationTexts are the summaries and descriptions of operations.
var operationTexts = []Text{
	{"operation.list.summary", "List {many}", "Summary of a GetCollection.", ofRecord},
	{"operation.list.page", "Returns a page of {many}.", "Description of a GetCollection.", ofRecord},
	{"operation.list.all", "Returns all {many}.", "Description of a GetCollection without pagination.", ofRecord},
	{"operation.get.summary", "Get {an}", "Summary of a Get.", ofRecord},
	{"operation.get.description", "Returns {an} by {id}.", "Description of a Get.", ofRecord + " id"},
	{"operation.create.summary", "Create {an}", "Summary of a Post.", ofRecord},
	{"operation.create.description", "Creates {an}.", "Description of a Post.", ofRecord},
	{"operation.update.summary", "Update {an}", "Summary of a Put that updates.", ofRecord},
	{
		"operation.update.description", "Updates {an}. Omitted fields keep their values; null clears a nullable field.",
		"Description of a Put that updates.", ofRecord,
	},
	{"operation.replace.summary", "Replace {an}", "Summary of a Put that replaces.", ofRecord},
	{
		"operation.replace.description", "Replaces {an}. Omitted fields get their default, or else null or their zero value; " +
			"read-only and write-only fields keep their values.",
		"Description of a Put that replaces.", ofRecord,
	},
	{"operation.patch.summary", "Patch {an}", "Summary of a Patch.", ofRecord},
	{
		"operation.patch.description", "Updates {an} with a JSON merge patch (RFC 7396): omitted fields keep their values; null clears a nullable field.",
		"Description of a Patch.", ofRecord,
	},
	{
		"operation.entries", "Omitted entries of maps and free JSON objects keep their values; null removes an entry.",
		"Description of a Patch, or of a Put that updates, last sentence if the body has maps or free JSON.", ofRecord,
	},
	{"operation.delete.summary", "Delete {an}", "Summary of a Delete.", ofRecord},
	{"operation.delete.description", "Deletes {an}.", "Description of a Delete.", ofRecord},
	{"operation.orCreate", "Creates it if it does not exist.", "Description of a Put with AllowCreate, second sentence.", ofRecord},
	{
		"operation.orCreateWith", "Creates it if it does not exist; the body then requires {fields}.",
		"The same, where creating requires more fields than updating.", ofRecord + " fields",
	},
	{
		"operation.under", "{summary} of {a-parent}", "Summary of an operation whose path names a record above its own, around the summary of its kind.",
		ofRecord + " summary parent a-parent",
	},
	{"operation.access", "Access: {rule}", "Description of an operation, last line: its access rule.", "rule"},
	{"operation.add.summary", "Add {a-target} to the {list} of {an}", "Summary of a Put that adds to a list of references.", ofMembership},
	{"operation.add.description", "Appends {a-target} to {field}, unless it is already there.", "Its description.", ofMembership},
	{"operation.remove.summary", "Remove {a-target} from the {list} of {an}", "Summary of a Delete that removes from a list of references.", ofMembership},
	{"operation.remove.description", "Removes {a-target} from {field}. The {target} itself is not deleted.", "Its description.", ofMembership},
	{"relationship.get.summary", "Get the {relation} of {an}", "Summary of a Get of a relationship.", ofRelationship},
	{"relationship.get.description", "Returns references, not the records themselves.", "Its description.", ofRelationship},
	{"relationship.add.summary", "Add to the {relation} of {an}", "Summary of a Post to a relationship.", ofRelationship},
	{"relationship.add.description", "Adds the references that {field} does not have yet.", "Its description.", ofRelationship},
	{"relationship.remove.summary", "Remove from the {relation} of {an}", "Summary of a Delete of a relationship.", ofRelationship},
	{"relationship.remove.description", "Removes references from {field}. Those that it does not have are ignored.", "Its description.", ofRelationship},
	{"relationship.replace.summary", "Replace the {relation} of {an}", "Summary of a Patch of a relationship to many records.", ofRelationship},
	{"relationship.change.summary", "Change the {relation} of {an}", "Summary of a Patch of a relationship to one record.", ofRelationship},
	{"relationship.change.description", "Replaces {field}. Other fields keep their values.", "Description of both.", ofRelationship},
	{"tag.description", "Operations on {many}.", "Tag of a resource that has no description.", ofRecord},
}

const (
	ofMembership   = ofRecord + " target a-target list field"
	ofRelationship = ofRecord + " relation field"
)

// parameterTexts are the descriptions of parameters.
var parameterTexts = []Text{
	{"parameter.id", "The {id} of the {one}.", "Parameter of the path: an identifier.", ofRecord + " id"},
	{
		"parameter.page", "Page number. After the maximum, `Link` continues with a cursor. Ignored with `cursor` and by streams.",
		"Parameter page.", "",
	},
	{
		"parameter.offset", "Number of records to skip. Takes precedence over `page`. Ignored with `cursor`, by streams, and if no records or all are returned.",
		"Parameter offset.", "",
	},
	{"parameter.itemsPerPage", "Maximum number of records per page. Ignored by streams.", "Parameter itemsPerPage.", ""},
	{
		"parameter.itemsPerPage.total", "`0` returns the total only, and takes precedence over `page`, `partial` and `cursor`.",
		"Parameter itemsPerPage if it can be 0, next sentence.", "",
	},
	{
		"parameter.pagination", "`false` returns all records at once, and takes precedence over all paging parameters. Streams are never paginated.",
		"Parameter pagination.", "",
	},
	{
		"parameter.partial", "`true` omits the total and the last page, which avoids counting. Ignored with `cursor` and by streams.",
		"Parameter partial.", "",
	},
	{"parameter.cursor", "Position in the collection, from the `Link` header; empty for the start.", "Parameter cursor.", ""},
	{"parameter.cursor.page", "Takes precedence over `page`.", "Parameter cursor, next sentence.", ""},
	{
		"parameter.cursor.sort", "Unless empty, it includes the sort order: `sort` and `order[…]` are ignored.",
		"Parameter cursor, next sentence.", "",
	},
	{
		"parameter.sort", "Fields to sort by, most significant first; `-` before a field sorts descending. Takes precedence over `order[…]`.",
		"Parameter sort.", "",
	},
	{
		"parameter.order", "Sort direction of {field}. Several `order[…]` parameters apply in the given order. Ignored with `sort`.",
		"Parameter order.", "field",
	},
	{
		"parameter.order.through", "If the caller can see no record in {reference}, the value counts as null.",
		"Parameter order through a reference, next sentence.", "reference",
	},
	{"parameter.fields", "Fields to return, always including {fields}.", "Parameter fields.", "fields"},
	{"parameter.expand", "References whose records to embed in `_embedded`. Missing records are null.", "Parameter expand.", ""},
	{"parameter.search", "Search words. Each must occur in {fields}, ignoring case.", "Parameter q.", "fields"},
	{"filter.exists", "Whether {field} has a value; `false` finds null.", "Filter exists.", ofFilter},
	{"filter.equal", "{field} equals one of the values.", "Filter for equality.", ofFilter},
	{"filter.equal.one", "{field} equals the value.", "Filter for equality that takes one value.", ofFilter},
	{"filter.equal.element", "{field} contains one of the values.", "Filter of a list.", ofFilter},
	{"filter.notEqual", "{field} equals none of the values.", "Filter ne.", ofFilter},
	{"filter.notEqual.null", "Null matches, too.", "Filter ne of a nullable field, next sentence.", ofFilter},
	{"filter.equalFold", "{field} equals one of the values, ignoring case.", "Filter iexact.", ofFilter},
	{"filter.contains", "{field} contains one of the values, ignoring case.", "Filter partial.", ofFilter},
	{"filter.hasPrefix", "{field} starts with one of the values, ignoring case.", "Filter start.", ofFilter},
	{"filter.hasSuffix", "{field} ends with one of the values, ignoring case.", "Filter end.", ofFilter},
	{"filter.hasWordPrefix", "{field} has a word that starts with one of the values, ignoring case.", "Filter word_start.", ofFilter},
	{"filter.less", "{field} is less than the value.", "Filter lt.", ofFilter},
	{"filter.lessEqual", "{field} is at most the value.", "Filter lte.", ofFilter},
	{"filter.greater", "{field} is greater than the value.", "Filter gt.", ofFilter},
	{"filter.greaterEqual", "{field} is at least the value.", "Filter gte.", ofFilter},
	{"filter.between", "{field} is between two values (inclusive), written `low..high`.", "Filter between.", ofFilter},
	{"filter.instant", "A date means its start in UTC.", "Filter of a time for equality, next sentence.", ofFilter},
	{"filter.wholeDay", "A date means the whole day in UTC.", "Filter of a time by range, next sentence.", ofFilter},
	{"filter.byValue", "Values are compared by value, not as text.", "Filter of a type with its own order, next sentence.", ofFilter},
	{
		"filter.through", "Matches only if the caller can see the record in {reference}.",
		"Filter through a reference, next sentence.", ofFilter,
	},
	{
		"filter.throughMany", "One record in {reference} that the caller can see must match all such filters.",
		"Filter through a list of references, next sentence.", ofFilter,
	},
	{
		"parameter.ifMatch", "Changes the record only if its current ETag is one of these; otherwise the response is 412.",
		"Request header If-Match.", "",
	},
	{
		"parameter.ifMatch.required", "Without it, the response is 428. `*` matches any version.",
		"Request header If-Match if it is required, next sentence.", "",
	},
	{
		"parameter.ifNoneMatch", "ETags of responses that the client has. If one is current, the response is 304.",
		"Request header If-None-Match.", "",
	},
	{
		"parameter.idempotencyKey", "Unique key of the request, such as a UUID. For {duration}, the same request with the same key returns the first " +
			"response and saves nothing; another request with that key returns 422.",
		"Request header Idempotency-Key.", "duration",
	},
}

const ofFilter = "field reference"

// responseTexts are the descriptions of responses and their headers.
var responseTexts = []Text{
	{"response.empty", "Success. The response has no body.", "Response without a body.", ofRecord},
	{"response.success", "Success.", "Response of a handler.", ofRecord},
	{"response.records", "The {many}.", "Response of a GetCollection.", ofRecord},
	{"response.record", "The {one}.", "Response of a Get.", ofRecord},
	{"response.created", "The created {one}.", "Response of a Post.", ofRecord},
	{"response.updated", "The updated {one}.", "Response of a Put or Patch.", ofRecord},
	{"response.relationship", "The {relation} of the {one}.", "Response of a relationship.", ofRelationship},
	{"response.notModified", "Not modified: the client's copy is current.", "Status 304.", ""},
	{"response.badRequest", "Malformed request or invalid parameter; see `parameters` and `allowed`.", "Status 400.", ""},
	{
		"response.invalid", "Invalid fields; see `errors`. Or malformed request or invalid parameter; see `parameters` and `allowed`.",
		"Status 400 of operations with a body.", "",
	},
	{
		"response.tooMuchEmbedded", "Or more than {records} embedded records, or {bytes} bytes of them: request fewer expansions or a smaller page.",
		"Status 400 of operations that embed records, next sentence.", "records bytes",
	},
	{"response.unauthorized", "Missing or invalid credentials.", "Status 401.", ""},
	{"response.forbidden", "Permission denied. `field` names a field that the caller cannot set.", "Status 403.", ""},
	{"response.notFound", "Record not found.", "Status 404.", ""},
	{"response.notAcceptable", "No media type in Accept is supported; see `supported`.", "Status 406.", ""},
	{"response.timeout", "The body did not arrive in time.", "Status 408.", ""},
	{
		"response.conflict", "Conflict with another record, a concurrent change or a rule of the database. `field` names a field whose value is already in use.",
		"Status 409.", "",
	},
	{"response.preconditionFailed", "The record has changed since the version in If-Match.", "Status 412.", ""},
	{
		"response.contentTooLarge", "The body exceeds the operation's limit ({bytes} bytes by default), {depth} levels of nesting, or {fields} fields and elements.",
		"Status 413.", "bytes depth fields",
	},
	{"response.uriTooLong", "The URL is too long.", "Status 414.", ""},
	{"response.unsupportedMediaType", "Unsupported media type or content encoding of the body; see `supported`.", "Status 415.", ""},
	{"response.validationFailed", "Invalid fields; see `violations`.", "Status 422.", ""},
	{"response.keyUsed", "The Idempotency-Key was used for another request.", "Status 422 of operations with idempotency keys.", ""},
	{"response.orKeyUsed", "Or the Idempotency-Key was used for another request.", "Status 422 for both reasons, next sentence.", ""},
	{"response.preconditionRequired", "If-Match is missing.", "Status 428.", ""},
	{"response.internal", "Internal error. `instance` identifies it in the server's log.", "Status 500.", ""},
	{"response.unavailable", "Temporarily unavailable.", "Status 503.", ""},
	{"response.other", "Any other error; see `status`.", "Response default.", ""},
	{"header.etag", "Entity tag for If-Match and If-None-Match. Streams have none.", "Response header ETag.", ""},
	{"header.lastModified", "Time of the last change.", "Response header Last-Modified.", ""},
	{"header.deprecation", "Date of deprecation (RFC 9745).", "Response header Deprecation.", ""},
	{"header.sunset", "Expected date of removal (RFC 8594).", "Response header Sunset.", ""},
	{"header.deprecationLink", "Link to information about the deprecation (RFC 8288).", "Response header Link of a deprecated operation.", ""},
	{"header.location", "Path of the created {one}.", "Response header Location.", ofRecord},
	{"header.contentLocation", "Path at which a GET returns the same content.", "Response header Content-Location.", ""},
	{
		"header.link", "Links to the first, previous, next and last pages that exist (RFC 8288). Absent from streams and if all records are returned.",
		"Response header Link.", "",
	},
	{
		"header.totalCount", "Number of records on all pages. Absent from cursor pages, partial pages and streams.",
		"Response header X-Total-Count.", "",
	},
	{"header.accept", "Supported media types.", "Response headers Accept-Patch and Accept-Post.", ""},
	{"header.retryAfter", "Seconds to wait before the next attempt.", "Response header Retry-After.", ""},
	{
		"header.authenticate", "A challenge for each scheme (RFC 9110, section 11.6.1). For an invalid token it contains `invalid_token` (RFC 6750).",
		"Response header WWW-Authenticate of status 401.", "",
	},
	{
		"header.insufficientScope", "If a scope is missing: `insufficient_scope` and the required scope (RFC 6750, section 3.1).",
		"Response header WWW-Authenticate of status 403.", "",
	},
}
