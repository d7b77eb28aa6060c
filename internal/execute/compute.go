package execute

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/compiled"
)

// compute makes the computed members of a record of a resource that an encoder shows.
// Only what is shown is computed: such a member may cost a query of its own, and a client that asks
// for three members should not pay for a fourth.
func (c *Call) compute(ctx context.Context, of *compiled.Resource, record any, encoder *codec.Encoder) (any, error) {
	made := &codec.Completed{Of: record}
	for _, computed := range of.Computed {
		if encoder.View().Member(computed.Field) == nil {
			continue
		}
		value, err := computed.Compute.Call(c.within(ctx), record)
		if err != nil {
			return nil, err
		}
		if made.Members, err = jsontext.AppendQuote(append(made.Members, ','), computed.Field.Name); err != nil {
			return nil, err
		}
		if made.Members, err = computed.Value.Encoder.Append(append(made.Members, ':'), value); err != nil {
			return nil, fmt.Errorf("%s: %w", computed.Field.Name, err)
		}
	}
	return made, nil
}
