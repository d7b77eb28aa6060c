package httpserve

import (
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/operation"
)

// Tag returns the entity tag of the state of the response's record, "" for any other item.
func (i *item) Tag() (string, error) {
	if !i.isWhole() || i.x.result.Unsaved || i.x.result.Record == nil {
		return "", nil
	}
	return i.x.stateTag(i.x.result.Record)
}

// stateTag returns the entity tag of a record's state.
func (x *exchange) stateTag(record any) (string, error) {
	tag, err := x.call.AppendState([]byte{'"'}, record)
	return string(append(tag, '"')), err
}

// isSignedIn reports whether the caller has been authenticated.
func (x *exchange) isSignedIn() bool {
	return !isNothing(x.call.Principal) || !isNothing(operation.PrincipalFrom(x.r.Context()))
}

// SignedIn reports whether the caller has been authenticated.
func (i *item) SignedIn() bool { return i.x.isSignedIn() }

// SignedIn reports whether the caller has been authenticated.
func (p *page) SignedIn() bool { return (*exchange)(p).isSignedIn() }

// Locked returns the fields that the caller may not set in a new record.
func (p *page) Locked() []string { return p.call.LockedWithout() }

// describeRequest adds the request to an error, for a page that shows its form again.
func (x *exchange) describeRequest(of *format.ErrorResponse) {
	of.Method, of.Path, of.SignedIn, of.Match = x.r.Method, x.path, x.isSignedIn(), x.r.Header.Get("If-Match")
	if !x.op.Hidden {
		of.Operation = x.op.ID
	}
	if isForm(x.r) && len(x.buffers.request) > 0 { // empty unless the body has been received
		of.Form = x.buffers.request
	}
	if declared, ok := x.r.Context().Value(formKey{}).(*form); ok {
		of.Next = declared.next
	}
}

// describeCurrent adds the record as it is to an error, as a response to the operation would show the record.
func (x *exchange) describeCurrent(of *format.ErrorResponse) {
	record := x.call.Stored()
	if record == nil || !x.op.HasResponseBody() || x.op.HasOutput || x.op.Out.Type.Struct != x.op.Resource.Struct {
		return
	}
	encoder, shown, err := x.call.View(x.r.Context(), record, x.op.Out.Encoder)
	if err != nil {
		return
	}
	text, err := encoder.Append(nil, shown)
	if err != nil {
		return
	}
	if tag, err := x.stateTag(record); err == nil {
		of.Tag, of.Current = tag, text
	}
}
