package storetest_test

// fault is what is wrong with a store.
type fault string

const (
	none fault = "nothing is wrong"

	// What calls do.
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

	// Many at once.
	batchesAsStored fault = "records that are got together are in the order of the store"
	batchesFound    fault = "records that are missing are left out"
	batchesUnsaved  fault = "records are got together from a copy, whatever the context"

	// Identifiers and unique values.
	generatesLate       fault = "identifiers are not set in the caller's record"
	generatesAlways     fault = "identifiers are generated over given ones"
	countsGeneratedOnly fault = "the counter overlooks given identifiers"
	reusesIDs           fault = "the next identifier is the largest one plus 1"
	overwritesTaken     fault = "an insert overwrites the record that is there"
	uniqueNever         fault = "unique values are not checked"
	namesNoField        fault = "a taken value is a plain conflict"
	collidesWithItself  fault = "an update collides with the record itself"
	nullIsTaken         fault = "null collides with null"
	foldsCase           fault = "values are compared without case and spaces"
	neverFrees          fault = "a unique value stays taken for ever"

	// Copies.
	keepsInserted  fault = "the inserted record itself is kept"
	keepsUpdated   fault = "the record of an update itself is kept"
	sharesReads    fault = "transactions read the stored record itself"
	updatesInPlace fault = "updates change the record that readers share"

	// Transactions.
	savesOnError     fault = "failed transactions are saved"
	savesOnPanic     fault = "transactions that panic are saved"
	swallowsPanic    fault = "panics end in the store"
	keepsLock        fault = "failed transactions stay locked"
	readsSavedOnly   fault = "transactions read what is saved only"
	savesEachWrite   fault = "each write is saved by itself"
	joinsNothing     fault = "an inner transaction is one of its own"
	forgetsInner     fault = "an inner failure is forgotten"
	locksNothing     fault = "transactions overwrite each other"
	ignoresCancelled fault = "contexts are not looked at"
	savesCancelled   fault = "cancelled transactions are saved"
	waitsForever     fault = "waiting does not end with the context"
	blocksEachOther  fault = "transactions wait for each other"
	damages          fault = "values are damaged"

	// Answers.
	keepsNoAnswers    fault = "answers cannot be kept"
	losesAnswers      fault = "answers are not written"
	takesAskedKeys    fault = "a key is taken by asking for its answer"
	neverExpires      fault = "answers do not expire"
	keepsFirstAnswer  fault = "the answer that has expired stays"
	limitsAnswers     fault = "there is little room for answers"
	cutsKeys          fault = "keys are cut"
	textAnswers       fault = "answers are text"
	sharesAnswers     fault = "the caller's answer itself is kept"
	readsSavedAnswers fault = "transactions read answers that are saved only"
	savesAnswersFirst fault = "answers are saved by themselves"
)
