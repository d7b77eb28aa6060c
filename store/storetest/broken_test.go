package storetest_test

import (
	"strings"
	"time"

	"github.com/trove-api/trove/store/storetest"
)

// The rules that several faults break.
const (
	exact       = "records are found by their exact identifier, and listed in its order"
	duplicate   = "a duplicate identifier is rejected"
	oneSucceeds = "of concurrent inserts and deletes of one record, one succeeds"
	generates   = "a generated identifier is new, and set before Insert returns"
	together    = "a transaction sees its writes at once, and others when it is saved"
	ends        = "a transaction that fails, panics or is cancelled saves nothing"
	outerFails  = "a joined transaction is not saved when the outer one fails"
	uniqueTaken = "random writes are rejected exactly if another record has a unique value"
	uniqueRace  = "of concurrent inserts of one unique value, one succeeds"
	getMany     = "GetMany returns what Get returns, in the order of the identifiers"
	changesOne  = "an update and a delete change one record"
	stays       = "an update cannot change the identifier"
	shares      = "a record may be changed after it was written or read"
	aValue      = "every value is read as it was written"
)

func recordFaults() []broken[storetest.Record] {
	return append([]broken[storetest.Record]{
		{fault: emptyIsMissing, rules: []string{"an empty store lists no records"}},
		{fault: dropsInserts, rules: []string{exact, together}},
		{fault: mergesUpdates, rules: []string{aValue}},
		{fault: updatesAll, rules: []string{changesOne}},
		{fault: movesIDs, rules: []string{stays}},
		{fault: ignoresDeletes, rules: []string{changesOne, together}},
		{fault: upserts, rules: []string{"a missing record is ErrNotFound"}},
		{fault: newestFirst, rules: []string{"generated integers increase", exact}},
		{fault: listsAsStored, rules: []string{exact}},
		{fault: generatesLate, rules: []string{generates}},
		{fault: generatesAlways, rules: []string{exact}},
		{fault: countsGeneratedOnly, rules: []string{generates}},
		{fault: reusesIDs, rules: []string{generates}},
		{fault: overwritesTaken, rules: []string{duplicate}},
		{fault: uniqueNever, rules: []string{uniqueTaken, uniqueRace}},
		{fault: namesNoField, rules: []string{uniqueTaken}},
		{fault: collidesWithItself, rules: []string{uniqueTaken}},
		{fault: nullIsTaken, rules: []string{uniqueTaken}},
		{fault: foldsCase, rules: []string{uniqueTaken}},
		{fault: neverFrees, rules: []string{uniqueTaken}},
		{fault: batchesAsStored, rules: []string{getMany}},
		{fault: batchesFound, rules: []string{getMany}},
		{fault: batchesUnsaved, rules: []string{getMany}},
		{fault: keepsInserted, rules: []string{shares}},
		{fault: keepsUpdated, rules: []string{shares}},
		{fault: sharesReads, rules: []string{shares}},
		{fault: updatesInPlace, rules: []string{shares}},
		{fault: savesOnError, rules: []string{ends, outerFails}},
		{fault: savesOnPanic, rules: []string{ends}},
		{fault: swallowsPanic, rules: []string{ends}},
		{fault: savesCancelled, rules: []string{ends}},
		{fault: keepsLock, rules: []string{ends}},
		{fault: readsSavedOnly, rules: []string{together}},
		{fault: keepsFirstWrite, rules: []string{uniqueTaken}},
		{fault: ignoresContext, rules: []string{together}},
		{fault: savesEachWrite, rules: []string{together, "a list never shows half of a transaction", ends}},
		{fault: joinsNothing, rules: []string{"a transaction within a transaction joins it", outerFails}},
		{fault: forgetsInner, rules: []string{"a transaction fails if one that joined it fails"}},
		{fault: locksNothing, rules: []string{"no increment is lost", oneSucceeds, uniqueRace, "concurrently inserted records get different identifiers"}},
		{fault: blocksEachOther, rules: []string{"transactions that lock two records in opposite order both succeed"}},
		{fault: ignoresCancelled, rules: []string{"every call with a cancelled context returns an error"}},
		{fault: waitsForever, rules: []string{"waiting for another transaction ends with the context"}},
	}, valueFaults()...)
}

func valueFaults() (faults []broken[storetest.Record]) {
	type record = storetest.Record
	for _, damage := range []func(r *record){
		func(r *record) { r.Home = nil },
		func(r *record) { r.Count = max(r.Count, 1) },
		func(r *record) {
			if r.Note != nil && *r.Note == "" {
				r.Note = nil
			}
		},
		func(r *record) {
			if r.Score != nil && *r.Score == 0 {
				r.Score = nil
			}
		},
		func(r *record) {
			if r.LeftAt != nil && r.LeftAt.IsZero() {
				r.LeftAt = nil
			}
		},
		func(r *record) {
			if r.Home != nil && r.Home.Street == "" && r.Home.Floor == nil && len(r.Home.Bells) == 0 {
				r.Home = nil
			}
		},
		func(r *record) { r.Tags = strings.Split(strings.Join(r.Tags, ","), ",") },
		func(r *record) { r.SeenAt = r.SeenAt.UTC() },
		func(r *record) { r.SeenAt = r.SeenAt.Truncate(time.Microsecond) },
		func(r *record) { r.Ratio += 0 },
		func(r *record) { r.Name = strings.ReplaceAll(r.Name, "\u2028", "\n") },
	} {
		faults = append(faults, broken[record]{damages, damage, []string{aValue}})
	}
	for _, change := range []func(r *record){
		func(r *record) { r.SeenAt = r.SeenAt.Truncate(time.Millisecond) },
		func(r *record) { r.SeenAt, _ = time.Parse(time.DateTime, r.SeenAt.Format(time.DateTime)) },
		func(r *record) { r.Name = strings.TrimSpace(r.Name) },
		func(r *record) { r.Count = int64(float64(r.Count)) },
		func(r *record) { r.Ratio = float64(float32(r.Ratio)) },
	} {
		faults = append(faults, broken[record]{changes, change, []string{aValue}})
	}
	return faults
}

func keyedFaults() []broken[storetest.Keyed] {
	return []broken[storetest.Keyed]{
		{changes, func(k *storetest.Keyed) { k.Nickname = strings.ToValidUTF8(k.Nickname[:1], "") }, []string{exact}},
		{fault: foldsCase, rules: []string{exact, "a missing record is ErrNotFound", getMany}},
		{fault: overwritesTaken, rules: []string{duplicate, oneSucceeds}},
		{fault: locksNothing, rules: []string{oneSucceeds}},
		{fault: listsAsStored, rules: []string{exact}},
		{fault: ignoresDeletes, rules: []string{changesOne}},
		{fault: movesIDs, rules: []string{stays}},
		{fault: batchesFound, rules: []string{getMany}},
	}
}

func tokenFaults() []broken[storetest.Token] {
	return []broken[storetest.Token]{
		{fault: generatesLate, rules: []string{generates}},
		{fault: generatesAlways, rules: []string{exact}},
		{fault: overwritesTaken, rules: []string{duplicate, oneSucceeds}},
		{fault: ignoresDeletes, rules: []string{changesOne}},
		{fault: batchesAsStored, rules: []string{getMany}},
		{fault: listsAsStored, rules: []string{exact}},
		{fault: upserts, rules: []string{"a missing record is ErrNotFound"}},
		{fault: movesIDs, rules: []string{stays}},
		{fault: batchesFound, rules: []string{getMany}},
	}
}

func responseFaults() []broken[storetest.Record] {
	const (
		random    = "random responses are read as they were stored, until they expire"
		notStored = "the response of a transaction that saves nothing is not stored"
		saved     = "a response is saved with the records of its transaction"
	)
	return []broken[storetest.Record]{
		{fault: keepsNoResponses, rules: []string{"a store that keeps responses implements store.ResponseKeeper"}},
		{fault: losesResponses, rules: []string{random}},
		{fault: reservesReadKeys, rules: []string{random}},
		{fault: neverExpires, rules: []string{random}},
		{fault: keepsFirstResponse, rules: []string{random}},
		{fault: limitsResponses, rules: []string{random}},
		{fault: cutsKeys, rules: []string{random}},
		{fault: foldsCase, rules: []string{random}},
		{fault: textResponses, rules: []string{random}},
		{fault: sharesResponses, rules: []string{random}},
		{fault: readsSavedResponses, rules: []string{random}},
		{fault: savesOnError, rules: []string{notStored}},
		{fault: savesOnPanic, rules: []string{notStored}},
		{fault: savesResponsesFirst, rules: []string{notStored}},
		{fault: uniqueNever, rules: []string{notStored}},
		{fault: joinsNothing, rules: []string{saved}},
		{fault: dropsInserts, rules: []string{saved}},
		{fault: locksNothing, rules: []string{"of concurrent requests with each key, one is saved"}},
		{fault: waitsForever, rules: []string{"waiting for a key ends with the context"}},
	}
}
