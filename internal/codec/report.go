package codec

import "github.com/trove-api/trove/validation"

// Codes of the violations that decoding finds.
const (
	codeType     = "type"
	codeUnknown  = "unknown"
	codeNUL      = "nul"
	codeRequired = "required"
	codeCut      = "invalid"
)

const (
	// reportPerByte and reportAtLeast are how many bytes of report a body may cause. A
	// body made for it could cause the square of its length: long paths, and many.
	reportPerByte = 64
	reportAtLeast = 1 << 16
	// entrySize is what an entry of the report costs besides its texts.
	entrySize = 64
	// maxHints is how many unknown members are told what is known: finding the
	// nearest name takes long.
	maxHints = 20
)

// report collects what is wrong with a body.
type report struct {
	found    []validation.Violation
	missing  []validation.Violation
	empty    []Empty
	mistyped bool
	room     int // bytes by which the report may still grow
	hints    int // unknown members that may still be told what is known
}

func newReport(body []byte) report {
	return report{room: reportPerByte*len(body) + reportAtLeast, hints: maxHints}
}

// full reports whether nothing more is to be collected.
func (r *report) full() bool { return r.room <= 0 }

// charge takes the room of an entry with the texts.
func (r *report) charge(texts ...string) {
	r.room -= entrySize
	for _, text := range texts {
		r.room -= len(text)
	}
}

// result returns what was collected.
func (r *report) result() Decoded {
	if r.full() {
		r.mistyped = true
		r.missing = append(r.missing, validation.Violation{
			Code: codeCut, Message: "there is more to say of the body than this",
		})
	}
	return Decoded{Violations: append(r.found, r.missing...), Mistyped: r.mistyped, Empty: r.empty}
}
