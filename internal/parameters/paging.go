package parameters

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// Paging is how a collection is cut into pages, with every default filled in.
type Paging struct {
	Enabled            bool
	ClientEnabled      bool
	ItemsPerPage       int
	MaxItemsPerPage    int
	ClientItemsPerPage bool
	MaxPage            int
	Partial            bool
	ClientPartial      bool
	ClientOffset       bool
	ViaCursor          bool
}

// addPaging adds the parameters by which clients turn pages. A cursor is always one: pages by
// number go on by cursor behind the last number there is.
func (s *Set) addPaging() {
	paging := s.paging
	if !paging.Enabled {
		return
	}
	// The scalar of bodies, so that a number is written in the same ways everywhere: 10, 1e1, 10.0.
	integer := codec.CompileScalar(&model.Type{Go: reflect.TypeFor[int](), Kind: model.Int, Bits: 64})
	if !paging.ViaCursor {
		s.add(&Parameter{Kind: Page, Name: "page", Minimum: 1, Maximum: paging.MaxPage, Default: 1, scalar: integer, read: readPage})
	}
	if paging.takesOffset() {
		s.add(&Parameter{Kind: Offset, Name: "offset", Maximum: paging.mostOffset(), Default: 0, scalar: integer, read: readOffset})
	}
	if paging.ClientItemsPerPage {
		s.add(&Parameter{
			Kind: ItemsPerPage, Name: "itemsPerPage", Minimum: paging.leastItems(), Maximum: paging.MaxItemsPerPage, Default: paging.ItemsPerPage,
			scalar: integer, read: readItemsPerPage,
		})
	}
	s.add(&Parameter{Kind: Cursor, Name: "cursor", read: readCursor})
	if paging.ClientEnabled {
		s.add(&Parameter{Kind: Pagination, Name: "pagination", Default: true, read: readPagination})
	}
	if paging.ClientPartial && !paging.ViaCursor {
		s.add(&Parameter{Kind: Partial, Name: "partial", Default: paging.Partial, read: readPartial})
	}
}

// leastItems is 0, for the total alone, where clients may know the total. Elsewhere a page of
// nothing would tell them nothing.
func (p *Paging) leastItems() int {
	if p.ViaCursor || p.Partial && !p.ClientPartial {
		return 1
	}
	return 0
}

// takesOffset reports whether clients can begin a page at any record.
func (p *Paging) takesOffset() bool { return p.Enabled && p.ClientOffset && !p.ViaCursor }

// mostOffset is how many records a client can pass over: no more than by page and itemsPerPage.
func (p *Paging) mostOffset() int {
	size := p.ItemsPerPage
	if p.ClientItemsPerPage {
		size = p.MaxItemsPerPage
	}
	return (p.MaxPage - 1) * size
}

func readPage(r *reading, p *Parameter, text string) error {
	return readInteger(p, text, &r.page)
}

// readOffset reads how many records to skip. It takes precedence over page, even if it is 0.
func readOffset(r *reading, p *Parameter, text string) error {
	r.byOffset = true
	return readInteger(p, text, &r.offset)
}

func readItemsPerPage(r *reading, p *Parameter, text string) error {
	return readInteger(p, text, &r.size)
}

// readPagination reads whether the collection is cut into pages.
func readPagination(r *reading, _ *Parameter, text string) error { return readSwitch(text, &r.paged) }

func readPartial(r *reading, _ *Parameter, text string) error { return readSwitch(text, &r.partial) }

// readCursor goes to a position. An empty cursor is the first page: it is how a client who has
// been given no Link yet begins.
func readCursor(r *reading, _ *Parameter, text string) error {
	r.byCursor = true
	if text == "" {
		return nil
	}
	// Whether it was made up or is of an older program is not told apart: the client mends both by
	// beginning anew.
	at, ok := r.set.open(text)
	if !ok {
		return errors.New("is not a cursor of this collection; take it from the Link of an answer as it is")
	}
	r.at = at
	return nil
}

// readInteger reads a number within the parameter's limits.
func readInteger(p *Parameter, text string, into *int) error {
	n, err := parseInteger(p, text)
	if err != nil || n < p.Minimum || n > p.Maximum {
		return fmt.Errorf("must be a whole number from %d to %d", p.Minimum, p.Maximum)
	}
	*into = n
	return nil
}

// parseInteger reads a whole number in any of the forms that JSON has for it.
func parseInteger(p *Parameter, text string) (int, error) {
	if n, ok := plainInteger(text); ok {
		return n, nil
	}
	value, err := p.scalar.Parse(text)
	n, _ := value.(int)
	return n, err
}

// plainInteger reads a whole number of digits alone, without a 0 in front, as most are: the
// scalar takes all forms of JSON, and is slower.
func plainInteger(text string) (n int, ok bool) {
	if text == "" || text[0] < '1' || text[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// readSwitch reads true or false.
func readSwitch(text string, into *bool) error {
	value, ok := codec.ParseBool(text)
	if !ok {
		return errors.New("must be true or false")
	}
	*into = value
	return nil
}
