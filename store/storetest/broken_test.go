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
			"a record that was inserted is read by its identifier",
			"the writes of one transaction are saved together",
		}},
		{fault: mergesUpdates, rules: []string{"an update replaces the whole record"}},
		{fault: updatesAll, rules: []string{"an update leaves other records alone"}},
		{fault: movesIDs, rules: []string{"an update to another identifier is refused"}},
		{fault: ignoresDeletes, rules: []string{"a deleted record is gone", "the writes of one transaction are saved together"}},
		{fault: upserts, rules: []string{"a missing record is ErrNotFound"}},
		{fault: newestFirst, rules: []string{"records of one transaction are listed in the order of their identifier"}},
		{fault: listsAsStored, rules: []string{"records are listed in the order of their identifier"}},
		{fault: generatesLate, rules: []string{"a generated identifier is set before Insert returns"}},
		{fault: generatesAlways, rules: []string{"an identifier that is set is kept"}},
		{fault: countsGeneratedOnly, rules: []string{"an identifier that was given is not generated later"}},
		{fault: reusesIDs, rules: []string{"the identifier of a deleted record is not used again"}},
		{fault: overwritesTaken, rules: []string{"an identifier that is taken is refused"}},
		{fault: uniqueNever, rules: []string{
			"an insert of a unique value that is taken is refused",
			"an update to a unique value that is taken is refused",
			"two records of one transaction with one unique value are refused",
			"of many that insert one unique value at once one succeeds",
		}},
		{fault: namesNoField, rules: []string{"an insert of a unique value that is taken is refused"}},
		{fault: collidesWithItself, rules: []string{"a record may keep its own unique value"}},
		{fault: nullIsTaken, rules: []string{"null is not a value that can be taken"}},
		{fault: foldsCase, rules: []string{"unique values are equal only byte for byte"}},
		{fault: batchesAsStored, rules: []string{"records that are got together come in the order of their identifiers in the call"}},
		{fault: batchesFound, rules: []string{"a record that is missing among others is nil", "many records are got together"}},
		{fault: batchesUnsaved, rules: []string{"getting records together sees what is saved, and ends with the context"}},
		{fault: neverFrees, rules: []string{
			"a unique value that is given up is free",
			"a unique value that was not saved is free",
			"what a transaction inserted and deleted is not saved",
		}},
	}
	return append(append(faults, transactionFaults()...), valueFaults()...)
}

func transactionFaults() []broken[storetest.Record] {
	return []broken[storetest.Record]{
		{fault: keepsInserted, rules: []string{"a record may be changed after it was inserted"}},
		{fault: keepsUpdated, rules: []string{"a record may be changed after an update with it"}},
		{fault: sharesReads, rules: []string{"what a transaction reads is a copy"}},
		{fault: updatesInPlace, rules: []string{"a record that was read stays as it was read"}},
		{fault: savesOnError, rules: []string{
			"a transaction whose function fails saves nothing",
			"a joined transaction is not saved when the outer one fails",
		}},
		{fault: savesOnPanic, rules: []string{"a transaction whose function panics saves nothing"}},
		{fault: swallowsPanic, rules: []string{"a transaction whose function panics saves nothing"}},
		{fault: keepsLock, rules: []string{"a transaction whose function fails saves nothing"}},
		{fault: readsSavedOnly, rules: []string{"a transaction reads its own writes", "the last of several writes of one record is saved"}},
		{fault: savesEachWrite, rules: []string{
			"what a transaction has not saved yet is seen by nobody else",
			"a list never has half of a transaction",
			"a transaction whose function fails saves nothing",
			"a transaction whose function panics saves nothing",
		}},
		{fault: joinsNothing, rules: []string{
			"a transaction within a transaction joins it",
			"a joined transaction is not saved when the outer one fails",
		}},
		{fault: forgetsInner, rules: []string{"a transaction fails when one that joined it does"}},
		{fault: locksNothing, rules: []string{
			"no increment is lost",
			"changes of different members of one record all survive",
			"of many that delete one record at once one succeeds",
			"of many that insert one unique value at once one succeeds",
			"records that are inserted at once get different identifiers",
		}},
		{fault: blocksEachOther, rules: []string{"transactions that take two records in opposite order both succeed"}},
		{fault: ignoresCancelled, rules: []string{"a cancelled context is an error of every call"}},
		{fault: savesCancelled, rules: []string{"a transaction whose context is cancelled while it runs saves nothing"}},
		{fault: waitsForever, rules: []string{"waiting for another transaction ends with the context"}},
	}
}

// settled lists the rules that a store breaks which keeps something else than the record
// has after it was written.
func settled() []string {
	return []string{"what an insert leaves in the record is what is read", "what an update leaves in the record is what is read"}
}

func valueFaults() []broken[storetest.Record] {
	type record = storetest.Record
	return []broken[record]{
		{damages, func(r *record) { r.Home = nil }, []string{"every kind of field comes back as it was written"}},
		{damages, func(r *record) { r.Count = max(r.Count, 1) }, []string{"zero values come back as zero values"}},
		{damages, func(r *record) {
			if r.Note != nil && *r.Note == "" {
				r.Note = nil
			}
		}, []string{"null and zero are two values"}},
		{damages, func(r *record) {
			r.Tags = strings.Split(strings.Join(r.Tags, ","), ",")
		}, []string{"nil and empty lists and maps come back without elements"}},
		{damages, func(r *record) { r.SeenAt = r.SeenAt.Truncate(time.Millisecond) }, []string{"a time comes back as the same instant"}},
		{damages, func(r *record) {
			r.SeenAt, _ = time.Parse(time.DateTime, r.SeenAt.Format(time.DateTime))
		}, []string{"a time comes back as the same instant", "every kind of field comes back as it was written"}},
		{damages, func(r *record) { r.Name = strings.TrimSpace(r.Name) }, []string{"text comes back as it was written, byte for byte"}},
		{damages, func(r *record) { r.Count = int64(float64(r.Count)) }, []string{"numbers come back exactly"}},
		{damages, func(r *record) { r.Ratio = float64(float32(r.Ratio)) }, []string{"numbers come back exactly"}},
		{damages, func(r *record) { r.SeenAt = r.SeenAt.UTC() }, settled()},
		{damages, func(r *record) { r.SeenAt = r.SeenAt.Truncate(time.Microsecond) }, settled()},
		{damages, func(r *record) { r.Ratio += 0 }, settled()},
		{damages, func(r *record) { r.Name = strings.ReplaceAll(r.Name, "\u2028", "\n") }, settled()},
	}
}

func keyedFaults() []broken[storetest.Keyed] {
	return []broken[storetest.Keyed]{
		{damages, func(k *storetest.Keyed) { k.Nickname = strings.ToValidUTF8(k.Nickname[:1], "") }, []string{"an identifier that the client chose is kept"}},
		{fault: foldsCase, rules: []string{"identifiers are equal only byte for byte", "a missing key is ErrNotFound", "keyed records are got together by their keys, byte for byte"}},
		{fault: overwritesTaken, rules: []string{"a key that is taken is refused", "of many that insert one key at once one succeeds"}},
		{fault: locksNothing, rules: []string{"of many that insert one key at once one succeeds"}},
		{fault: listsAsStored, rules: []string{"keyed records are listed in the order of their keys"}},
		{fault: ignoresDeletes, rules: []string{"a key may be deleted and inserted again in one transaction"}},
		{fault: movesIDs, rules: []string{"an update of a keyed record cannot change its key"}},
	}
}

func tokenFaults() []broken[storetest.Token] {
	return []broken[storetest.Token]{
		{fault: generatesLate, rules: []string{"a generated UUID is set before Insert returns"}},
		{fault: generatesAlways, rules: []string{"a UUID that is set is kept"}},
		{fault: overwritesTaken, rules: []string{"a UUID that is taken is refused"}},
		{fault: ignoresDeletes, rules: []string{"records with UUIDs are updated and deleted by them"}},
		{fault: batchesAsStored, rules: []string{"records with UUIDs are got together by them"}},
		{fault: listsAsStored, rules: []string{"records with UUIDs are listed in the order of their UUIDs"}},
	}
}

func answerFaults() []broken[storetest.Record] {
	return []broken[storetest.Record]{
		{fault: keepsNoAnswers, rules: []string{"a store that keeps answers says so at start-up"}},
		{fault: losesAnswers, rules: []string{"an answer that was kept is read in another transaction"}},
		{fault: takesAskedKeys, rules: []string{"a key that was asked for and not used is free"}},
		{fault: neverExpires, rules: []string{"an answer that has expired is not there"}},
		{fault: keepsFirstAnswer, rules: []string{"an answer may take the place of one that has expired"}},
		{fault: limitsAnswers, rules: []string{
			"the answers that have expired do not stand in the way of others",
			"the content of an answer may have 1 MiB",
		}},
		{fault: cutsKeys, rules: []string{"the key of an answer may have 100 characters"}},
		{fault: foldsCase, rules: []string{"keys are equal only byte for byte"}},
		{fault: textAnswers, rules: []string{"the content of an answer is any bytes"}},
		{fault: sharesAnswers, rules: []string{"an answer may be changed after it was kept"}},
		{fault: readsSavedAnswers, rules: []string{"a transaction reads the answer that it keeps"}},
		{fault: savesOnError, rules: []string{"the answer of a transaction whose function fails is not kept"}},
		{fault: savesOnPanic, rules: []string{"the answer of a transaction whose function panics is not kept"}},
		{fault: savesAnswersFirst, rules: []string{
			"the answer of a transaction whose function fails is not kept",
			"the answer of a transaction whose function panics is not kept",
		}},
		{fault: joinsNothing, rules: []string{"an answer is kept with the records of a transaction that joined"}},
		{fault: dropsInserts, rules: []string{"an answer is saved with the records of its transaction"}},
		{fault: uniqueNever, rules: []string{"the answer of a transaction that cannot be saved is not kept"}},
		{fault: locksNothing, rules: []string{
			"of two requests with one key at once one is saved",
			"of many requests with one key at once one is saved",
			"of requests with one key at once one is saved where the old answer has expired",
			"requests with different keys at once are all saved",
		}},
		{fault: waitsForever, rules: []string{"waiting for the answer of another transaction ends with the context"}},
	}
}
