package store

// Key is the identifier of records that several fields identify: the values of those tagged
// api:"id", in the order of the struct and each of its field's type, and nil behind them. Methods
// of a [Store] take it for an id: lines.Get(ctx, store.Key{int64(7), "a"}). Two are == where they
// identify one record. A record that one field identifies has that field's value for an id, and
// no Key.
type Key [4]any
