package openapi

import (
	"fmt"
	"net/http"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/refusal"
	"github.com/trove-api/trove/internal/schema"
)

// keyParameter is the field that makes a Post safe to send again.
func (b *builder) keyParameter(op *compiled.Operation) openapi3.Parameters {
	if op.Idempotency <= 0 {
		return nil
	}
	p := openapi3.NewHeaderParameter("Idempotency-Key")
	p.Description = "A text of the client's own that names this request, such as a UUID. The same request with the same key, within " +
		span(op.Idempotency) + ", is given the first answer again and saves nothing; another one is answered 422."
	of := schema.Typed(schema.String)
	of.MinLength, of.MaxLength = 1, new(uint64(255))
	of.Pattern = `^[!#-~]+$`
	p.Schema = b.schemaRef(of)
	return openapi3.Parameters{{Value: p}}
}

// span writes a duration as people do.
func span(d time.Duration) string {
	for _, unit := range []struct {
		name string
		is   time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		switch n := d / unit.is; {
		case d%unit.is != 0:
		case n == 1:
			return "1 " + unit.name
		default:
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return d.String()
}

func keyUsed(b *builder) *openapi3.Response {
	return b.problem(http.StatusUnprocessableEntity, "The Idempotency-Key was used for another request.",
		refusal.KeyUsed.Says())
}

// validationFailedOrKeyUsed is 422 for two reasons, told apart by their type.
func validationFailedOrKeyUsed(b *builder) *openapi3.Response {
	response := validationFailed(b)
	response.Description = new("A value is not valid: `violations` lists each rule that is broken. Or the Idempotency-Key was used for another request.")
	media := response.Content[problem.MediaType]
	media.Schema = b.schemaRef(&schema.Schema{AnyOf: []*schema.Schema{b.fixed("ValidationProblem", validationProblemSchema), b.fixed("Problem", problemSchema)}})
	return response
}
