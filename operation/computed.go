package operation

import "context"

// Computed is a response field in addition to those of the struct. Make one with [Compute].
type Computed interface{ computes() }

// Compute makes a [Computed] field from its JSON name, its description in the document ("" for none) and a function
// that computes its value. Every response that shows the record has it. Clients cannot set it, filter or sort by it. A
// [View] and the fields parameter can name it; if they leave it out, the function does not run. The function gets the
// whole record, including fields that the caller may not read, and must not change it. It gets its [Request], and so
// the principal, from [RequestFrom].
//
// An error of the function ends the request as that of a hook does, and nothing is saved. A collection omits the record
// instead and logs the error.
func Compute[T, V any](name, doc string, fn func(ctx context.Context, record *T) (V, error)) Computed {
	return &computed{shownAs(fn), name, doc}
}

type computed struct {
	shown

	name, doc string
}

func (c *computed) Name() string { return c.name }

func (c *computed) Doc() string { return c.doc }

func (*computed) computes() {}
