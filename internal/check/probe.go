package check

import (
	"reflect"

	"github.com/trove-api/trove/internal/model"
)

// probe validates each field of a struct alone, empty and with values in all fields: what
// validator would panic at in a request is a mistake here. A violation is none.
// Fields without a rule that validator is asked for are left out: compiled checks do not panic.
func (k *Checker) probe() []error {
	var errs []error
	// Two records, for many rules look at nothing when the value is zero: what they panic at shows in
	// one that has something everywhere.
	empty, full := reflect.New(k.root.Go), reflect.New(k.root.Go)
	for _, f := range k.root.Fields {
		v := f.Value(full.Elem())
		if f.Type.Nullable {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		v.Set(specimen(f.Type))
	}
	for i := range k.plan.members {
		m := &k.plan.members[i]
		if m.value != nil && !m.value.asks() {
			continue
		}
		in := inspection{compiler: k.compiler, owner: k.root, field: m.field}
		in.probe(m, empty)
		if in.errs == nil {
			in.probe(m, full)
		}
		errs = append(errs, in.errs...)
	}
	return errs
}

// probe validates a field of a record. What validator panics at is a mistake in the tag, since
// it would be one in each request.
func (in *inspection) probe(m *fieldRules, record reflect.Value) {
	defer func() {
		if cause := recover(); cause != nil {
			in.fail("validate tag has a rule that cannot judge the type %s as it is written; change its parameter, or drop it", in.field.Type.Go)
		}
	}()
	// One by one and alone, so that the mistake is told of the field that has it.
	if m.value != nil {
		alone := pass{compiler: in.compiler}
		alone.valueOf(m, m.of(record.Elem()))
		return
	}
	skip := skipAllBut(pathTo(in.owner, in.field.GoPath))
	_ = in.compiler.whole.StructFiltered(record.Interface(), skip)
	_ = in.compiler.explicit.StructFiltered(record.Interface(), skip)
}

// pathTo is the set of the paths, as validator has them, that lead to a field.
// Validator's filter is asked for each struct on the way, and goes no further where it says no.
func pathTo(owner *model.Struct, path string) map[string]bool {
	if name := owner.Go.Name(); name != "" {
		path = name + "." + path
	}
	set := map[string]bool{path: true}
	for i, c := range path {
		if c == '.' {
			set[path[:i]] = true
		}
	}
	return set
}

// asks reports whether validator has a say in a value, its elements or keys. Structs are
// asked by themselves.
func (of *valueRules) asks() bool {
	for ; of != nil; of = of.elem {
		for i := range of.rules {
			if of.rules[i].judge == nil {
				return true
			}
		}
		if of.keys.asks() {
			return true
		}
	}
	return false
}
