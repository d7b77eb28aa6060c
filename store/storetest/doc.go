// Package storetest is the conformance suite of [store.Store]: what a store must do so
// that resources work on it. A store of your own runs it in its tests:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store[storetest.Record] {
//			return mystore.New[storetest.Record](t.TempDir())
//		})
//	}
//
// [Run] takes a store of records with an identifier that the store generates. A store
// that can also keep identifiers that clients choose runs [RunKeyed], one that can
// generate UUIDs [RunUUID], one that stamps what is written [RunStamps], one that reports its changes [RunChanges], one that keeps
// answers (store.AnswerKeeper) [RunAnswers]. [RunValues] is about values at the ends of
// their types, nil and empty told apart.
// [RunJoint] is for stores that share transactions, [RunCompositeReferences] for those whose
// records refer to what several fields identify. [RunDeletes] and [RunCompositeDeletes] test what
// happens to references when a record is deleted, for each type of identifier that a store keeps.
// [RunQueries] is about what stores answer to a store.Query:
// each answer is compared with that of a plain and slow one in this package.
//
// Each case is a subtest named after the rule that it tests, and gets a new and empty
// store from the function. A case that fails explains the rule. The suite asks for the
// result of concurrent transactions, not for how many of them run at a time: a store
// with a single writer passes, as does one that runs transactions again. A call that
// takes a minute fails its case through its context. With -short [RunQueries] asks a part
// of its queries only.
package storetest
