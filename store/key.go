package store

// Key is the identifier of records that have several identifier fields. It has the values of the fields tagged
// api:"id", in the order of the struct and with the fields' types, followed by nils. Pass it as the id to methods of a
// [Store]: lines.Get(ctx, store.Key{int64(7), "a"}). Two keys are == if they identify the same record. If one field
// identifies the record, the id is that field's value, not a Key.
type Key [4]any
