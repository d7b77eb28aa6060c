package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/store"
)

// idempotencyKey is the field that makes a Post safe to send again
// (draft-ietf-httpapi-idempotency-key-header).
const idempotencyKey = "Idempotency-Key"

// maxKey is how many characters a key may have.
const maxKey = 255

// keyed is a request with an Idempotency-Key.
type keyed struct {
	key     string // as stores keep it: of this client, operation and path alone
	request []byte // hash of the request
}

// reply is an answer as it is kept.
type reply struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"`
	Body   []byte      `json:"body"`
}

// readKey reads the Idempotency-Key, where the operation keeps answers.
func readKey(_ context.Context, x *exchange) error {
	lines := x.r.Header[idempotencyKey]
	if lines == nil {
		return nil
	}
	key, ok := unquoteKey(lines)
	if !ok {
		return refuseParameter(wrongParameter{
			idempotencyKey, "header",
			fmt.Sprintf("%s must be one text of 1 to %d visible characters of ASCII", idempotencyKey, maxKey),
		})
	}
	client, err := client(x.r)
	if err != nil {
		return x.refuseKey(err)
	}
	x.keyed = &keyed{
		key:     hex.EncodeToString(hashOf(x.op.ID, x.r.URL.EscapedPath(), client, key)),
		request: hashOf(x.r.Method, x.r.URL.RawQuery, x.sameHeader(), string(x.body)),
	}
	return nil
}

// sameHeader returns the fields of the header that two requests must have in common to be
// the same: those that say what is asked for, of which the operation's own parameters and
// the conditions are some.
func (x *exchange) sameHeader() string {
	names := []string{"Content-Type", "If-Match", "If-None-Match", "If-Unmodified-Since"}
	for _, p := range x.op.Parameters.List {
		if p.Header {
			names = append(names, p.Name)
		}
	}
	var b strings.Builder
	for _, name := range names {
		_, _ = fmt.Fprintf(&b, "%s %q\n", name, x.r.Header.Values(name)) // a builder takes everything
	}
	return b.String()
}

// unquoteKey returns the key, which may be quoted as the draft has it, or bare as many
// clients send it.
func unquoteKey(lines []string) (string, bool) {
	if len(lines) != 1 {
		return "", false
	}
	key := strings.Trim(lines[0], " \t")
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	isInvisible := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }
	return key, 0 < len(key) && len(key) <= maxKey && !strings.ContainsFunc(key, isInvisible)
}

// hashOf returns a hash of texts, each apart from the next.
func hashOf(texts ...string) []byte {
	hash := sha256.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(hash, "%d ", len(text))
		_, _ = io.WriteString(hash, text) // a hash takes everything
	}
	return hash.Sum(nil)
}

// replay looks for the answer to the same request, in the transaction that would save
// another.
func replay(ctx context.Context, x *exchange) error {
	if x.keyed == nil {
		return nil
	}
	kept, err := x.tx.Answer(ctx, x.keyed.key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case !slices.Equal(kept.Request, x.keyed.request):
		return problem.New(http.StatusUnprocessableEntity, "The "+idempotencyKey+" was used for another request. Use a new key for each.")
	}
	x.replayed = new(reply)
	return json.Unmarshal(kept.Content, x.replayed)
}

// keep keeps the answer together with what was saved.
func keep(ctx context.Context, x *exchange) error {
	if x.keyed == nil {
		return nil
	}
	header := http.Header{}
	x.setHeader(header)
	content, err := json.Marshal(reply{Status: x.status, Header: header, Body: x.answer})
	if err != nil {
		return err
	}
	return x.tx.KeepAnswer(ctx, x.keyed.key, store.Answer{
		Request: x.keyed.request, Content: content, Expires: time.Now().Add(x.op.Idempotency),
	})
}

// respondAgain sends an answer that was sent before.
func (x *exchange) respondAgain() {
	header := x.w.Header()
	for name, lines := range x.replayed.Header {
		header[name] = append(header[name], lines...)
	}
	header["Idempotent-Replayed"] = []string{"true"}
	x.status, x.answer = x.replayed.Status, x.replayed.Body
	x.send(header)
}
