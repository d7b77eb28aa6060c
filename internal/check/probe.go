package check

import (
	"reflect"

	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// probe validates each field of a struct alone, empty and with values in all fields: what
// validator would panic at in a request is a mistake here. A violation is none.
func (c *Compiler) probe(s *model.Struct) []error {
	var errs []error
	empty, full := reflect.New(s.Go), reflect.New(s.Go)
	for _, f := range s.Fields {
		v := f.Value(full.Elem())
		if f.Type.Nullable {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		v.Set(specimen(f.Type))
	}
	for _, f := range s.Fields {
		in := inspection{compiler: c, owner: s, field: f, where: where(s, f)}
		in.probe(s, empty.Interface())
		if in.errs == nil {
			in.probe(s, full.Interface())
		}
		errs = append(errs, in.errs...)
	}
	return errs
}

func (in *inspection) probe(s *model.Struct, record any) {
	defer func() {
		if cause := recover(); cause != nil {
			in.fail("validate tag has a rule that cannot judge a %s as it is written; change its parameter, or drop it", in.field.Type.Go)
		}
	}()
	skip := skipAllBut(s.Go.Name(), []codec.Empty{{GoPath: in.field.GoPath}})
	_ = in.compiler.values.StructFiltered(record, skip)
	_ = in.compiler.present.StructFiltered(record, skip)
}
