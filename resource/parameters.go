package resource

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// parameters compiles the query and header parameters of an operation.
func (o *operationCompiler) parameters() {
	options := parameters.Options{
		Record: o.Resource.Struct, Own: o.c.ownParameters(o.where, o.metadata.Parameters), Deleted: o.TakesDeleted(),
	}
	if showsRecords(o.Operation) && (o.metadata.SparseFields || o.definition.defaults.SparseFields) {
		options.Sparse, o.Sparse = o.Out.View, o.Out.View.Sparse
	}
	checkPagination(o.fail, &o.metadata.Pagination, &o.definition.defaults.Pagination, &o.c.config.Pagination)
	if o.Pages {
		paging := paginate(&o.metadata.Pagination, &o.definition.defaults.Pagination, &o.c.config.Pagination)
		paging.ViaCursor, options.Groups = paging.ViaCursor && !o.Aggregates, o.Aggregates
		options.Paging, options.Order, options.MaxURL = &paging, o.metadata.Order, o.c.model.MaxURLBytes
		if o.definition.store.Groups {
			options.Nodes = o.c.model.MaxFilterNodes
		}
		if o.metadata.Order == nil {
			options.Order = o.definition.defaults.Order
		}
		if o.Output == nil && o.Narrows() {
			options.Shown = o.Out.View
		}
		options.Key, options.Scope = o.c.cursorKey(), o.Path()
	}
	options.Expand = o.expand()
	if options.Shown != nil {
		options.Embeds = embedded(o.Operation)
	}
	o.checkEmbedded(options.Paging)
	options.Whole = o.Expansions != nil || o.Output != nil ||
		o.Pages && slices.ContainsFunc(o.Out.View.Fields, func(m model.ViewField) bool { return m.Computed })
	set, err := parameters.Compile(options)
	o.c.noteOperation(o.where, o.Resource, err)
	o.Parameters, o.Queries = set, set.TakesTree()
	if o.Pages && set.CanTotal(parameters.EstimatedTotal) && !o.Custom && o.Parents == nil && o.Resource.Struct.Deleted == nil {
		o.Estimator = o.definition.store.Estimator
	}
	if err == nil && o.Pages {
		o.checkQueries(set)
	}
}

// checkQueries checks that no parameter needs more than the store supports.
func (o *operationCompiler) checkQueries(set *parameters.Set) {
	if checker := o.definition.store.QueryChecker; checker != nil {
		o.c.noteStore(o.where, o.definition, checker.CheckQuery(restricted(o.Operation, set.Query())))
	}
	if o.definition.store.FullText || o.definition.store.Records == nil {
		return
	}
	for _, p := range set.List {
		if p.Kind == parameters.Search && p.Operator == store.FullText {
			o.fail("search=fulltext needs a store that implements store.FullTexter; use another store, or search without fulltext")
		}
	}
}

// embedded returns the paths of the fields that each response of an operation embeds, such as "owner.username".
func embedded(op *compiled.Operation) (paths []string) {
	for _, e := range op.Expansions {
		if !e.Always {
			continue
		}
		for _, name := range e.Shown.View.Shows() {
			paths = append(paths, e.Field.Name+"."+name)
		}
	}
	return paths
}

// restricted adds to a query that the records belong to the operation's parents.
func restricted(op *compiled.Operation, query store.Query) store.Query {
	for i := range op.Parents {
		if p := &op.Parents[i]; p.IsDirect() {
			query.Where = append(query.Where, store.Condition{Fields: []string{p.Field.Name}, Operator: store.Equal})
		}
	}
	return query
}

// cursorKey returns the key of cursors: the user's, else one that every instance of the program derives.
func (c *compiler) cursorKey() []byte {
	if c.config.CursorKey != nil {
		return c.config.CursorKey
	}
	key := sha256.Sum256([]byte("cursors of " + c.model.Prefix))
	return key[:]
}

// secret returns a key for what must not reveal hidden values: one derived from the user's key, else a random one. A key
// derived from the declarations could be guessed.
func (c Config) secret(purpose string) []byte {
	if c.CursorKey == nil {
		key := make([]byte, sha256.Size)
		_, _ = rand.Read(key) // never fails
		return key
	}
	mac := hmac.New(sha256.New, c.CursorKey)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// ownParameters compiles the operation's Parameters.
func (c *compiler) ownParameters(where string, declared operation.ParameterSet) *parameters.Struct {
	if isNil(declared) {
		return nil
	}
	where += ": Parameters"
	typ, err := model.CompileParameters(declared.Type())
	c.noteType(where, err)
	if typ == nil {
		c.incomplete = true
		return nil
	}
	if typ.Kind != model.Object || typ.Nullable {
		c.note(where, errors.New(declared.Type().String()+" must be a struct whose fields are the parameters"))
		return nil
	}
	source := c.source(where, typ)
	if !c.check(where, source) {
		return nil
	}
	create := source.Views.View(model.Create)
	return &parameters.Struct{View: create, Decoder: source.Codec.Decoder(create), Codec: source.Codec, Checker: source.Checker}
}

const (
	defaultItemsPerPage    = 30
	defaultMaxItemsPerPage = 100
	defaultMaxPage         = 10_000
)

// paginate takes each setting from the first level that has it, from the operation or resource to the API, else the
// default. Negative numbers are reported elsewhere.
func paginate(levels ...*pagination) parameters.Paging {
	paging := parameters.Paging{
		Enabled: true, ItemsPerPage: defaultItemsPerPage, ClientItemsPerPage: true, MaxPage: defaultMaxPage,
	}
	for _, level := range slices.Backward(levels) {
		for f, value := range reflect.ValueOf(level).Elem().Fields() { // both structs have the same fields
			to := reflect.ValueOf(&paging).Elem().FieldByName(f.Name)
			switch {
			case value.Kind() == reflect.String && value.String() != "":
				to.SetString(value.String())
			case value.CanInt() && value.Int() > 0:
				to.Set(value)
			case value.Kind() == reflect.Pointer && !value.IsNil():
				to.Set(value.Elem())
			}
		}
	}
	if paging.Total == string(operation.TotalNone) {
		paging.Total, paging.Partial = string(operation.TotalCapped), true
	}
	if paging.MaxItemsPerPage == 0 {
		paging.MaxItemsPerPage = max(defaultMaxItemsPerPage, paging.ItemsPerPage)
	}
	return paging
}

type pagination = operation.Pagination

// The maximum values. Their product, which is the number of records that a store may skip, does not overflow.
const (
	mostItemsPerPage = 1_000_000
	mostPages        = 1_000_000_000
)

// checkPagination checks the values of the first level. It also reports a page length above the maximum, unless a wider
// level already has that error.
func checkPagination(fail func(string, ...any), levels ...*pagination) {
	level, isValid := levels[0], true
	for _, number := range []struct {
		name        string
		value, most int
		mostText    string
	}{
		{"ItemsPerPage", level.ItemsPerPage, mostItemsPerPage, "1,000,000"},
		{"MaxItemsPerPage", level.MaxItemsPerPage, mostItemsPerPage, "1,000,000"},
		{"MaxPage", level.MaxPage, mostPages, "1,000,000,000"},
	} {
		if number.value < 0 || number.value > number.most {
			fail("Pagination.%s is %d; allowed: 1 to %s, or 0 for the default", number.name, number.value, number.mostText)
			isValid = false
		}
	}
	totals := []string{string(operation.TotalCapped), string(operation.TotalExact), string(operation.TotalEstimated), string(operation.TotalNone)}
	if total := string(level.Total); total != "" && !slices.Contains(totals, total) {
		fail(`Pagination.Total is %q; allowed: %s, or "" for the default%s`, total, strings.Join(totals, ", "), naming.DidYouMean(total, totals))
	}
	paging, outer := paginate(levels...), paginate(levels[1:]...)
	if isValid && paging.ItemsPerPage > paging.MaxItemsPerPage && outer.ItemsPerPage <= outer.MaxItemsPerPage {
		fail("Pagination.ItemsPerPage is %d; allowed: at most MaxItemsPerPage, which is %d", paging.ItemsPerPage, paging.MaxItemsPerPage)
	}
}

// expand sets the references whose records an operation's responses can embed: those that clients may request by their
// tags, and those that the operation always embeds. Paths have at most two steps. It returns those that clients may
// request.
func (o *operationCompiler) expand() (asked []string) {
	pinned := o.Expansions // by the operation's view
	if !showsRecords(o.Operation) {
		return nil
	}
	var all []*compiled.Expansion
	if o.Output == nil {
		all = o.c.expansions("", o.Resource.Struct, o.Out.View)
	}
	all = slices.DeleteFunc(all, func(e *compiled.Expansion) bool {
		return slices.ContainsFunc(pinned, func(p *compiled.Expansion) bool { return p.Field == e.Field })
	})
	var known []string
	for _, path := range all {
		known = append(known, path.Path)
		if path.Field.Reference.Expand {
			asked = append(asked, path.Path)
		}
		for _, inner := range path.Inner {
			known = append(known, inner.Path)
			if path.Field.Reference.Expand && inner.Field.Reference.Expand {
				asked = append(asked, inner.Path)
			}
		}
	}
	for i, path := range o.metadata.Expand {
		switch {
		case !slices.Contains(known, path):
			o.fail("Expand has the unknown reference %q%s", path, naming.Allowed(path, known))
		case slices.Contains(o.metadata.Expand[:i], path):
			o.fail("Expand has %q twice", path)
		}
	}
	o.Expansions = slices.Concat(pinned, chosen(all, asked, o.metadata.Expand))
	return asked
}

// expansions lists the references of a struct. For a record's own references it includes those of the referenced
// records.
func (c *compiler) expansions(above string, s *model.Struct, holder *model.View) []*compiled.Expansion {
	var list []*compiled.Expansion
	for _, f := range s.Fields {
		if f.Reference == nil || f.WriteOnly || c.names[f.Reference.Name] == nil {
			continue
		}
		if c.names[f.Reference.Name].Embedded == nil || holder.Field(f) == nil {
			continue // the record cannot be embedded, or the view omits the reference
		}
		e := compiled.NewExpansion(compiled.Expansion{Path: above + f.Name, Field: f, Resource: c.names[f.Reference.Name], Shown: c.names[f.Reference.Name].Embedded})
		if above == "" {
			e.Inner = c.expansions(e.Path+".", f.Reference.Target, e.Resource.Embedded.View)
		}
		list = append(list, e)
	}
	return list
}

// chosen returns the expansions that clients may request or that are always embedded. An expansion is always embedded
// if one inside it is.
func chosen(all []*compiled.Expansion, asked, always []string) []*compiled.Expansion {
	var list []*compiled.Expansion
	for _, e := range all {
		e.Inner = chosen(e.Inner, asked, always)
		e.Always = slices.Contains(always, e.Path) || slices.ContainsFunc(e.Inner, func(inner *compiled.Expansion) bool { return inner.Always })
		if e.Always || slices.Contains(asked, e.Path) {
			list = append(list, e)
		}
	}
	return list
}

// checkEmbedded checks that the default request stays within the budget of embedded records even if all lists have
// their maximum length, because its caller could not request less. Expansions that clients request may exceed it,
// because most lists are much shorter.
func (o *operationCompiler) checkEmbedded(paging *parameters.Paging) {
	always, records, limit := compiled.AlwaysEmbedded(o.Expansions), 1, o.c.model.MaxEmbedded
	if paging != nil && paging.Enabled {
		records = paging.ItemsPerPage
	}
	switch {
	case always <= limit/records:
	case records == 1:
		o.fail("the response embeds up to %d records, but Config.MaxEmbedded is %d; "+
			"lower the max of the lists, or raise Config.MaxEmbedded", always, limit)
	default:
		o.fail("the response embeds up to %d records in each of the %d records of a page, but Config.MaxEmbedded is %d; "+
			"lower ItemsPerPage or the max of the lists, or raise Config.MaxEmbedded", always, records, limit)
	}
}
