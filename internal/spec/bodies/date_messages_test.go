package bodies_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// Stay compares dates of each form with others.
type Stay struct {
	ID    int64      `json:"id"`
	Start time.Time  `json:"start"`
	Day   string     `json:"day" validate:"omitempty,datetime=2006-01-02"`
	A     time.Time  `json:"a" validate:"gtefield=Start"`
	B     time.Time  `json:"b" validate:"ltefield=Start"`
	C     time.Time  `json:"c" validate:"gtfield=Start"`
	D     *time.Time `json:"d" validate:"omitempty,ltfield=Start"`
	E     string     `json:"e" validate:"omitempty,datetime=2006-01-02,gtefield=Day"`
	F     *string    `json:"f" validate:"omitempty,datetime=2006-01-02,ltefield=Day"`
	G     string     `json:"g" validate:"omitempty,datetime=2006-01-02,gtfield=Day"`
	H     string     `json:"h" validate:"omitempty,datetime=2006-01-02,ltcsfield=Day"`
	I     time.Time  `json:"i" validate:"gtefield=Start|eqfield=C"`
}

func TestMessagesAboutDatesSayBeforeAndAfter(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Stay]{})
	const early, middle, late = `"2026-01-01T00:00:00Z"`, `"2026-02-01T00:00:00Z"`, `"2026-03-01T00:00:00Z"`
	got := c.Send("POST /api/stays", `{"start":`+middle+`,"day":"2026-02-01","a":`+early+`,"b":`+late+`,"c":`+middle+`,"d":`+middle+
		`,"e":"2026-01-31","f":"2026-02-02","g":"2026-02-01","h":"2026-02-01","i":`+early+`}`)
	got.IsInvalid("a", "a must not be before start", "b", "b must not be after start", "c", "c must be after start", "d", "d must be before start",
		"e", "e must not be before day", "f", "f must not be after day", "g", "g must be after day", "h", "h must be before day",
		"i", "i must not be before start, or must be equal to c")
	if strings.Contains(got.Body, "greater") || strings.Contains(got.Body, "less") {
		t.Errorf("a message is about numbers: %s", got.Body)
	}
}
