package sqlstore_test

import (
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/store/sqlstore"
)

// resource.New finds these methods by their signatures.
var (
	_ untyped.QueryChecker = (*sqlstore.Store[coin])(nil)
	_ untyped.WriteChecker = (*sqlstore.Store[coin])(nil)
	_ untyped.Adviser      = (*sqlstore.Store[coin])(nil)
	_ untyped.QueryAdviser = (*sqlstore.Store[coin])(nil)
	_ untyped.Limiter      = (*sqlstore.Store[coin])(nil)
)
