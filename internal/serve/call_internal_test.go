package serve

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
	c := new(call)
	for i := range reflect.TypeFor[call]().NumField() {
		if name := reflect.TypeFor[call]().Field(i).Name; name != "buffers" {
			fill(reflect.ValueOf(c).Elem().Field(i), 0)
		}
	}
	c.w, c.r = httptest.NewRecorder(), new(http.Request)
	c.principal, c.body, c.id = "Ada", []byte("secret"), 7
	c.buffers = buffers{request: []byte("secret"), response: []byte("secret"), state: []byte("state"), values: &parameters.Values{Fields: []string{"name"}}}
	m := c.itemMemory()
	m.text, m.fields = []byte("secret"), []format.Field{{Name: "secret"}}
	m.items, m.lists = []item{{value: "secret"}}, []format.Item{&item{value: "secret"}}
	m.met = map[recordName]bool{{text: "secret"}: true}
	c.reset()

	if v := reflect.ValueOf(m.items[:1][0]); !v.IsZero() || m.lists[:1][0] != nil || len(m.met) > 0 {
		t.Errorf("the scratch still has records: %+v", m)
	}
	if !reflect.ValueOf(*c.buffers.values).IsZero() {
		t.Errorf("the values are still %+v", c.buffers.values)
	}
	c.buffers = buffers{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			t.Errorf("the field %s is not empty", v.Type().Field(i).Name)
		}
	}
}

func TestResetKeepsNoLargeBuffer(t *testing.T) {
	t.Parallel()
	large := func() []byte { return make([]byte, 0, maxReused+1) }
	c := new(call)
	c.buffers.request, c.response, c.buffers.state = large(), large(), large()
	m := c.itemMemory()
	m.text, m.items = large(), make([]item, maxItems+1)
	c.reset()
	if b := c.buffers; b.request != nil || b.response != nil || c.buffers.state != nil || m.text != nil || m.items != nil {
		t.Errorf("a large buffer is kept: %d, %d, %d, %d, %d", cap(b.request), cap(b.response), cap(c.buffers.state), cap(m.text), cap(m.items))
	}
	c.buffers.request, c.response, c.buffers.state = make([]byte, 1, maxReused), make([]byte, 1, maxReused), make([]byte, 1, maxReused)
	c.reset()
	if b := c.buffers; b.request == nil || b.response == nil || c.buffers.state == nil {
		t.Error("a buffer of the usual size is not kept")
	}
}
