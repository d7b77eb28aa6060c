package storetest_test

import (
	"strings"
	"time"

	"github.com/trove-api/trove/store/storetest"
)

func recordFaults() []broken[storetest.Record] {
	faults := []broken[storetest.Record]{
		{fault: emptyIsMissing, rules: []string{"an empty store lists no records"}},
		{fault: dropsInserts, rules: []string{
			"an inserted record is found by its identifier",
			"the writes of one transaction are saved together",
		}},
		{fault: mergesUpdates, rules: []string{"an update replaces the whole record"}},
		{fault: updatesAll, rules: []string{"an update leaves other records alone"}},
		{fault: movesIDs, rules: []string{"an update cannot change the identifier"}},
		{fault: ignoresDeletes, rules: []string{"a deleted record is not found", "the writes of one transaction are saved together"}},
		{fault: upserts, rules: []string{"a missing record is ErrNotFound"}},
		{fault: newestFirst, rules: []string{"records of one transaction are listed in the order of their identifier"}},
		{fault: listsAsStored, rules: []string{"records are listed in the order of their identifier"}},
		{fault: generatesLate, rules: []string{"a generated identifier is set before Insert returns"}},
		{fault: generatesAlways, rules: []string{"an identifier that is set stays"}},
		{fault: countsGeneratedOnly, rules: []string{"an identifier set by the caller is not generated later"}},
		{fault: reusesIDs, rules: []string{"the identifier of a deleted record is not reused"}},
		{fault: overwritesTaken, rules: []string{"a duplicate identifier is rejected"}},
		{fault: uniqueNever, rules: []string{
			"an insert with a duplicate unique value is rejected",
			"an update to a duplicate unique value is rejected",
			"two records with one unique value in one transaction are rejected",
			"of concurrent inserts of one unique value, one succeeds",
		}},
		{fault: namesNoField, rules: []string{"an insert with a duplicate unique value is rejected"}},
		{fault: collidesWithItself, rules: []string{"a record may keep its unique value"}},
		{fault: nullIsTaken, rules: []string{"null is never a duplicate"}},
		{fault: foldsCase, rules: []string{"unique values are compared byte for byte"}},
		{fault: batchesAsStored, rules: []string{"GetMany returns records in the order of the identifiers"}},
		{fault: batchesFound, rules: []string{"GetMany returns nil for a missing record", "GetMany accepts many identifiers"}},
		{fault: batchesUnsaved, rules: []string{"GetMany returns saved records and ends with the context"}},
		{fault: neverFrees, rules: []string{
			"a unique value can be reused once it is removed",
			"a unique value that was not saved can be used",
			"a record inserted and deleted in one transaction is not saved",
		}},
	}
	return append(append(faults, transactionFaults()...), valueFaults()...)
}

func transactionFaults() []broken[storetest.Record] {
	return []broken[storetest.Record]{
		{fault: keepsInserted, rules: []string{"a record may be changed after it was inserted"}},
		{fault: keepsUpdated, rules: []string{"a record may be changed after it was updated"}},
		{fault: sharesReads, rules: []string{"a transaction's Get returns a copy"}},
		{fault: updatesInPlace, rules: []string{"a record does not change after it was read"}},
		{fault: savesOnError, rules: []string{
			"a transaction whose function fails saves nothing",
			"a joined transaction is not saved when the outer one fails",
		}},
		{fault: savesOnPanic, rules: []string{"a transaction whose function panics saves nothing"}},
		{fault: swallowsPanic, rules: []string{"a transaction whose function panics saves nothing"}},
		{fault: keepsLock, rules: []string{"a transaction whose function fails saves nothing"}},
		{fault: readsSavedOnly, rules: []string{"a transaction reads its own writes", "the last of several writes of one record is saved"}},
		{fault: ignoresContext, rules: []string{"a read with the context of a transaction sees its writes"}},
		{fault: savesEachWrite, rules: []string{
			"uncommitted writes are invisible to others",
			"a list never shows half of a transaction",
			"a transaction whose function fails saves nothing",
			"a transaction whose function panics saves nothing",
		}},
		{fault: joinsNothing, rules: []string{
			"a transaction within a transaction joins it",
			"a joined transaction is not saved when the outer one fails",
		}},
		{fault: forgetsInner, rules: []string{"a transaction fails if one that joined it fails"}},
		{fault: locksNothing, rules: []string{
			"no increment is lost",
			"concurrent changes of different fields all survive",
			"of concurrent deletes of one record, one succeeds",
			"of concurrent inserts of one unique value, one succeeds",
			"concurrently inserted records get different identifiers",
		}},
		{fault: blocksEachOther, rules: []string{"transactions that lock two records in opposite order both succeed"}},
		{fault: ignoresCancelled, rules: []string{"every call with a cancelled context returns an error"}},
		{fault: savesCancelled, rules: []string{"a transaction whose context is cancelled while it runs saves nothing"}},
		{fault: waitsForever, rules: []string{"waiting for another transaction ends with the context"}},
	}
}

// settled lists the rules broken by a store that changes a record when it saves it.
func settled() []string {
	return []string{"after an insert the record equals what is read", "after an update the record equals what is read"}
}

func valueFaults() []broken[storetest.Record] {
	type record = storetest.Record
	return []broken[record]{
		{damages, func(r *record) { r.Home = nil }, []string{"every type of field is read as it was written"}},
		{damages, func(r *record) { r.Count = max(r.Count, 1) }, []string{"zero values are read as zero values"}},
		{damages, func(r *record) {
			if r.Note != nil && *r.Note == "" {
				r.Note = nil
			}
		}, []string{"null and zero are different"}},
		{damages, func(r *record) {
			r.Tags = strings.Split(strings.Join(r.Tags, ","), ",")
		}, []string{"nil and empty lists and maps are read without elements"}},
		{damages, func(r *record) { r.SeenAt = r.SeenAt.Truncate(time.Millisecond) }, []string{"a time is read as the same instant"}},
		{damages, func(r *record) {
			r.SeenAt, _ = time.Parse(time.DateTime, r.SeenAt.Format(time.DateTime))
		}, []string{"a time is read as the same instant", "every type of field is read as it was written"}},
		{damages, func(r *record) { r.Name = strings.TrimSpace(r.Name) }, []string{"strings are read byte for byte as written"}},
		{damages, func(r *record) { r.Count = int64(float64(r.Count)) }, []string{"numbers are read exactly"}},
		{damages, func(r *record) { r.Ratio = float64(float32(r.Ratio)) }, []string{"numbers are read exactly"}},
		{damages, func(r *record) { r.SeenAt = r.SeenAt.UTC() }, settled()},
		{damages, func(r *record) { r.SeenAt = r.SeenAt.Truncate(time.Microsecond) }, settled()},
		{damages, func(r *record) { r.Ratio += 0 }, settled()},
		{damages, func(r *record) { r.Name = strings.ReplaceAll(r.Name, "\u2028", "\n") }, settled()},
	}
}

func keyedFaults() []broken[storetest.Keyed] {
	return []broken[storetest.Keyed]{
		{damages, func(k *storetest.Keyed) { k.Nickname = strings.ToValidUTF8(k.Nickname[:1], "") }, []string{"an identifier set by the client stays"}},
		{fault: foldsCase, rules: []string{"identifiers are compared byte for byte", "a missing key is ErrNotFound", "GetMany compares string keys byte for byte"}},
		{fault: overwritesTaken, rules: []string{"a duplicate key is rejected", "of concurrent inserts of one key, one succeeds"}},
		{fault: locksNothing, rules: []string{"of concurrent inserts of one key, one succeeds"}},
		{fault: listsAsStored, rules: []string{"records with string keys are listed in the order of their keys"}},
		{fault: ignoresDeletes, rules: []string{"a key may be deleted and inserted again in one transaction"}},
		{fault: movesIDs, rules: []string{"an update cannot change a string key"}},
	}
}

func tokenFaults() []broken[storetest.Token] {
	return []broken[storetest.Token]{
		{fault: generatesLate, rules: []string{"a generated UUID is set before Insert returns"}},
		{fault: generatesAlways, rules: []string{"a UUID that is set stays"}},
		{fault: overwritesTaken, rules: []string{"a duplicate UUID is rejected"}},
		{fault: ignoresDeletes, rules: []string{"records are updated and deleted by UUID"}},
		{fault: batchesAsStored, rules: []string{"GetMany works with UUIDs"}},
		{fault: listsAsStored, rules: []string{"records are listed in the order of their UUIDs"}},
	}
}

func responseFaults() []broken[storetest.Record] {
	return []broken[storetest.Record]{
		{fault: keepsNoResponses, rules: []string{"a store that keeps responses implements store.ResponseKeeper"}},
		{fault: losesResponses, rules: []string{"a stored response is read by another transaction"}},
		{fault: reservesReadKeys, rules: []string{"a key without a stored response stays free"}},
		{fault: neverExpires, rules: []string{"an expired response is not found"}},
		{fault: keepsFirstResponse, rules: []string{"a response may replace an expired one"}},
		{fault: limitsResponses, rules: []string{
			"expired responses do not hinder new ones",
			"a response may have 1 MiB",
		}},
		{fault: cutsKeys, rules: []string{"a key may have 100 characters"}},
		{fault: foldsCase, rules: []string{"keys are compared byte for byte"}},
		{fault: textResponses, rules: []string{"a response may contain any bytes"}},
		{fault: sharesResponses, rules: []string{"a response may be changed after it was stored"}},
		{fault: readsSavedResponses, rules: []string{"a transaction reads the response that it stored"}},
		{fault: savesOnError, rules: []string{"the response of a failed transaction is not stored"}},
		{fault: savesOnPanic, rules: []string{"the response of a transaction that panics is not stored"}},
		{fault: savesResponsesFirst, rules: []string{
			"the response of a failed transaction is not stored",
			"the response of a transaction that panics is not stored",
		}},
		{fault: joinsNothing, rules: []string{"a response is saved with the records of a joined transaction"}},
		{fault: dropsInserts, rules: []string{"a response is saved with the records of its transaction"}},
		{fault: uniqueNever, rules: []string{"the response of a transaction that cannot be saved is not stored"}},
		{fault: locksNothing, rules: []string{
			"of two concurrent requests with one key, one is saved",
			"of many concurrent requests with one key, one is saved",
			"of concurrent requests with an expired key, one is saved",
			"concurrent requests with different keys are all saved",
		}},
		{fault: waitsForever, rules: []string{"waiting for a key ends with the context"}},
	}
}
