package operation

import "context"

// Computed is a field that responses have in addition to those of the struct. [Compute] makes the only
// ones.
type Computed interface{ computes() }

// Compute makes a [Computed] of its JSON name, its text in the document, "" for none, and a
// function that makes its value of a record: in every answer that shows one. Clients cannot
// set it, and nothing filters or sorts by it; a [View] and the parameter fields can name it, and
// where they leave it out the function does not run. It is handed the whole record, whatever the
// caller may see of it, and must not change it. It finds its [Request], and with that who asks,
// by [RequestFrom].
//
// An error of the function ends the request, as that of a hook does; nothing is saved then.
// A collection leaves the record out, and logs it.
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
