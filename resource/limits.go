package resource

import (
	"cmp"
	"math"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

const (
	defaultMaxBodyBytes  = 1 << 20
	defaultMaxBodyDepth  = 64
	defaultMaxBodyValues = 10_000
	defaultMaxURLBytes   = 8 << 10

	defaultMaxEmbedded      = 20_000
	defaultMaxEmbeddedBytes = 16 << 20

	mostBytes      = 1 << 40 // more than any memory, and no overflow
	mostBodyDepth  = 10_000  // decoders are recursive
	mostConcurrent = 1_000_000_000
	mostEmbedded   = 1_000_000_000
)

// limits compiles the limits of requests.
func (c Config) limits(api *compiled.API, fail func(string, ...any)) {
	for _, limit := range []struct {
		name        string
		value, most int64
		allowed     string
	}{
		{"MaxBodyBytes", c.MaxBodyBytes, mostBytes, "bytes up to 1 TiB, or 0 for 1 MiB"},
		{"MaxBodyDepth", int64(c.MaxBodyDepth), mostBodyDepth, "levels up to 10,000, or 0 for 64"},
		{"MaxBodyValues", int64(c.MaxBodyValues), math.MaxInt64, "fields and elements, or 0 for 10,000"},
		{"MaxURLBytes", int64(c.MaxURLBytes), math.MaxInt64, "bytes, or 0 for 8 KiB"},
		{"MaxEmbedded", int64(c.MaxEmbedded), mostEmbedded, "records up to 1,000,000,000, or 0 for 20,000"},
		{"MaxEmbeddedBytes", c.MaxEmbeddedBytes, mostBytes, "bytes up to 1 TiB, or 0 for 16 MiB"},
		{"MaxConcurrent", int64(c.MaxConcurrent), mostConcurrent, "operations up to 1,000,000,000, or 0 for no limit"},
	} {
		if limit.value < 0 || limit.value > limit.most {
			fail("%s is %d; allowed: a positive number of %s", limit.name, limit.value, limit.allowed)
		}
	}
	api.MaxBodyBytes = cmp.Or(c.MaxBodyBytes, defaultMaxBodyBytes)
	api.MaxBodyDepth = cmp.Or(c.MaxBodyDepth, defaultMaxBodyDepth)
	api.MaxBodyValues = cmp.Or(c.MaxBodyValues, defaultMaxBodyValues)
	api.MaxURLBytes = cmp.Or(c.MaxURLBytes, defaultMaxURLBytes)
	api.MaxEmbedded = cmp.Or(c.MaxEmbedded, defaultMaxEmbedded)
	api.MaxEmbeddedBytes = cmp.Or(c.MaxEmbeddedBytes, defaultMaxEmbeddedBytes)
	if 0 < c.MaxConcurrent && c.MaxConcurrent <= mostConcurrent {
		api.Slots = make(chan struct{}, c.MaxConcurrent)
	}
}

// limits compiles the maximum size of an operation's bodies and its timeout.
func (c *compiler) limits(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	switch {
	case m.MaxBodyBytes < 0 || m.MaxBodyBytes > mostBytes:
		c.fail(where, "MaxBodyBytes is %d; allowed: a positive number of bytes up to 1 TiB, or 0 for the API's limit", m.MaxBodyBytes)
	case m.MaxBodyBytes > 0 && !op.TakesBody():
		c.fail(where, "MaxBodyBytes is only for operations that take a body")
	}
	op.MaxBodyBytes = cmp.Or(m.MaxBodyBytes, c.model.MaxBodyBytes)
	op.Timeout = max(cmp.Or(m.Timeout, d.defaults.Timeout, c.config.Timeout), 0)
}
