package resource

import (
	"cmp"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

const (
	defaultMaxBodyBytes   = 1 << 20
	defaultMaxBodyDepth   = 64
	defaultMaxBodyMembers = 10_000
	defaultMaxURLBytes    = 8 << 10
)

// limits compiles how much of everything a request may have.
func (c Config) limits(api *compiled.API, fail func(string, ...any)) {
	for _, limit := range []struct {
		name, unit string
		value      int64
	}{
		{"MaxBodyBytes", "bytes, or 0 for 1 MiB", c.MaxBodyBytes},
		{"MaxBodyDepth", "levels, or 0 for 64", int64(c.MaxBodyDepth)},
		{"MaxBodyMembers", "members and elements, or 0 for 10,000", int64(c.MaxBodyMembers)},
		{"MaxURLBytes", "bytes, or 0 for 8 KiB", int64(c.MaxURLBytes)},
		{"MaxConcurrent", "operations, or 0 for no limit", int64(c.MaxConcurrent)},
	} {
		if limit.value < 0 {
			fail("%s is %d; allowed: a positive number of %s", limit.name, limit.value, limit.unit)
		}
	}
	api.MaxBodyBytes = cmp.Or(c.MaxBodyBytes, defaultMaxBodyBytes)
	api.MaxBodyDepth = cmp.Or(c.MaxBodyDepth, defaultMaxBodyDepth)
	api.MaxBodyMembers = cmp.Or(c.MaxBodyMembers, defaultMaxBodyMembers)
	api.MaxURLBytes = cmp.Or(c.MaxURLBytes, defaultMaxURLBytes)
	if c.MaxConcurrent > 0 {
		api.Places = make(chan struct{}, c.MaxConcurrent)
	}
}

// limits compiles how large the bodies of an operation may be, and how long it may take.
func (c *compiler) limits(where string, d definition, m operation.Metadata, op *compiled.Operation) {
	switch {
	case m.MaxBodyBytes < 0:
		c.fail(where, "MaxBodyBytes is %d; allowed: a positive number of bytes, or 0 for that of the API", m.MaxBodyBytes)
	case m.MaxBodyBytes > 0 && !op.TakesBody():
		c.fail(where, "MaxBodyBytes is set; allowed on operations that take a body")
	}
	op.MaxBodyBytes = cmp.Or(m.MaxBodyBytes, c.model.MaxBodyBytes)
	op.Timeout = max(cmp.Or(m.Timeout, d.defaults.Timeout, c.config.Timeout), 0)
}
