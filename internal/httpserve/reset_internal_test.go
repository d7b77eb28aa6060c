package httpserve

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/parameters"
)

// fill sets every field of a struct to a value that is not zero, as far as there is one.
func fill(v reflect.Value, depth int) {
	if !v.CanSet() {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, depth)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint, reflect.Uint64:
		v.SetUint(7)
	case reflect.String:
		v.SetString("left over")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 2))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.Pointer:
		if v.Set(reflect.New(v.Type().Elem())); depth > 0 && v.Elem().Kind() == reflect.Struct {
			fill(v.Elem(), depth-1)
		}
	}
}

func TestResetLeavesOnlyBuffers(t *testing.T) {
	t.Parallel()
	x := new(exchange)
	for i := range reflect.TypeFor[exchange]().NumField() {
		if name := reflect.TypeFor[exchange]().Field(i).Name; name != "call" && name != "buffers" {
			fill(reflect.ValueOf(x).Elem().Field(i), 0)
		}
	}
	x.w, x.r = httptest.NewRecorder(), new(http.Request)
	x.call.Principal, x.call.Body, x.call.ID, x.call.State = "Ada", []byte("secret"), 7, []byte("state")
	x.buffers = buffers{request: []byte("secret"), response: []byte("secret"), values: &parameters.Values{Fields: []string{"name"}}}
	m := x.scratch()
	m.text, m.members = []byte("secret"), []format.Field{{Name: "secret"}}
	m.items, m.lists = []item{{value: "secret"}}, []format.Item{&item{value: "secret"}}
	m.met = map[recordName]bool{{text: "secret"}: true}
	x.reset()

	if v := reflect.ValueOf(m.items[:1][0]); !v.IsZero() || m.lists[:1][0] != nil || len(m.met) > 0 {
		t.Errorf("the scratch still has records: %+v", m)
	}
	if !reflect.ValueOf(*x.buffers.values).IsZero() {
		t.Errorf("the values are still %+v", x.buffers.values)
	}
	x.buffers, x.call.State = buffers{}, nil
	v := reflect.ValueOf(x).Elem()
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			t.Errorf("the field %s is not empty", v.Type().Field(i).Name)
		}
	}
}

func TestResetKeepsNoLargeBuffer(t *testing.T) {
	t.Parallel()
	large := func() []byte { return make([]byte, 0, maxReused+1) }
	x := new(exchange)
	x.buffers.request, x.body, x.call.State = large(), large(), large()
	m := x.scratch()
	m.text, m.items = large(), make([]item, maxScratch+1)
	x.reset()
	if b := x.buffers; b.request != nil || b.response != nil || x.call.State != nil || m.text != nil || m.items != nil {
		t.Errorf("a large buffer is kept: %d, %d, %d, %d, %d", cap(b.request), cap(b.response), cap(x.call.State), cap(m.text), cap(m.items))
	}
	x.buffers.request, x.body, x.call.State = make([]byte, 1, maxReused), make([]byte, 1, maxReused), make([]byte, 1, maxReused)
	x.reset()
	if b := x.buffers; b.request == nil || b.response == nil || x.call.State == nil {
		t.Error("a buffer of the usual size is not kept")
	}
}
