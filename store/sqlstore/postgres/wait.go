package postgres

import (
	"strconv"
	"time"

	"github.com/trove-api/trove/internal/patience"
)

// lockTimeout is the setting of the server that limits how long a statement waits for
// another transaction.
const lockTimeout = "lock_timeout"

// wait is how long transactions wait for others.
type wait struct {
	// limit holds for a turn as it does for locks; 0 is none.
	limit time.Duration
	// statement sets the limit within a transaction, where the connection does not have
	// it; "" where it does.
	statement string
}

// limit returns how long transactions wait: as the server has it, and as stores do by
// default where neither it nor the DSN says anything. It then adds the limit to the
// parameters of connections. A pooler would refuse those, and give what is set on a
// connection to other programs, so that each transaction sets it for itself.
func (o otherEnd) limit(parameters map[string]string) wait {
	if _, chosen := parameters[lockTimeout]; chosen || o.lockTimeout > 0 {
		return wait{limit: time.Duration(o.lockTimeout) * time.Millisecond}
	}
	milliseconds := strconv.FormatInt(patience.Default.Milliseconds(), 10)
	if o.pooler {
		return wait{patience.Default, "SET LOCAL " + lockTimeout + " = " + milliseconds}
	}
	parameters[lockTimeout] = milliseconds
	return wait{limit: patience.Default}
}
