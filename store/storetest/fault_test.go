package storetest_test

// fault is a defect of a store.
type fault string

const (
	none fault = "nothing is wrong"

	// Results of calls.
	emptyIsMissing fault = "an empty list is an error"
	dropsInserts   fault = "inserts are not written"
	mergesUpdates  fault = "updates skip zero values"
	updatesAll     fault = "updates have no condition"
	movesIDs       fault = "updates change identifiers"
	ignoresDeletes fault = "deletes are not written"
	upserts        fault = "updates insert what is missing"

	// The order of lists.
	newestFirst   fault = "the newest record is first"
	listsAsStored fault = "lists are in the order of insertion"

	// GetMany.
	batchesAsStored fault = "GetMany returns records in the order of the store"
	batchesFound    fault = "GetMany omits missing records"
	batchesUnsaved  fault = "GetMany reads an old copy and ignores the context"

	// Identifiers and unique values.
	generatesLate       fault = "identifiers are not set in the caller's record"
	generatesAlways     fault = "identifiers are generated over given ones"
	countsGeneratedOnly fault = "the counter overlooks given identifiers"
	reusesIDs           fault = "the next identifier is the largest one plus 1"
	overwritesTaken     fault = "an insert overwrites an existing record"
	uniqueNever         fault = "unique values are not checked"
	namesNoField        fault = "a duplicate value is a plain ErrConflict"
	collidesWithItself  fault = "an update collides with the record itself"
	nullIsTaken         fault = "null collides with null"
	foldsCase           fault = "values are compared without case and spaces"
	neverFrees          fault = "a unique value stays in use forever"

	// Copies.
	keepsInserted  fault = "the inserted record is kept without a copy"
	keepsUpdated   fault = "the updated record is kept without a copy"
	sharesReads    fault = "transactions read the stored record without a copy"
	updatesInPlace fault = "updates change the record that readers share"

	// Transactions.
	savesOnError     fault = "failed transactions are saved"
	savesOnPanic     fault = "transactions that panic are saved"
	swallowsPanic    fault = "panics end in the store"
	keepsLock        fault = "failed transactions stay locked"
	keepsFirstWrite  fault = "the first of several writes of a record counts"
	readsSavedOnly   fault = "transactions read only saved records"
	ignoresContext   fault = "reads ignore the transaction of their context"
	savesEachWrite   fault = "each write is saved separately"
	joinsNothing     fault = "an inner transaction is separate"
	forgetsInner     fault = "an inner failure is forgotten"
	locksNothing     fault = "transactions overwrite each other"
	ignoresCancelled fault = "contexts are ignored"
	savesCancelled   fault = "cancelled transactions are saved"
	waitsForever     fault = "waiting does not end with the context"
	blocksEachOther  fault = "transactions wait for each other"
	damages          fault = "values are damaged"
	changes          fault = "values are changed, in the written record too"

	// Responses.
	keepsNoResponses    fault = "responses cannot be kept"
	losesResponses      fault = "responses are not written"
	reservesReadKeys    fault = "a key is reserved by reading its response"
	neverExpires        fault = "responses do not expire"
	keepsFirstResponse  fault = "an expired response is not replaced"
	limitsResponses     fault = "the size of responses is limited"
	cutsKeys            fault = "keys are cut"
	textResponses       fault = "responses are converted to UTF-8"
	sharesResponses     fault = "the caller's response is kept without a copy"
	readsSavedResponses fault = "transactions read only saved responses"
	savesResponsesFirst fault = "responses are saved separately"
)
