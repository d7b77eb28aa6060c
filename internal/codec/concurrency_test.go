package codec_test

import (
	"sync"
	"testing"
)

func TestACodecServesManyGoroutines(t *testing.T) {
	t.Parallel()
	c := codecOf[preset](t)
	stored := c.New()
	want := encode(t, c, stored)
	bodies := []string{
		`{"name":"a","tags":["x"],"sizes":[{"width":"x"}],"unset":{}}`, `{"labels":{"b":2},"own":{"x":1}}`, `{"name":`, `{"pointer":null}`,
	}
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			for n := range 200 {
				mode := create + mode((i+n)%3)
				record := c.Clone(stored)
				_, _ = c.Decode([]byte(bodies[n%len(bodies)]), record, mode)
				c.Renew(stored)
				if got, err := c.Append(nil, c.New()); err != nil || string(got) != want {
					t.Errorf("New is written as %s, %v", got, err)
					return
				}
			}
		})
	}
	running.Wait()
	if got := encode(t, c, stored); got != want {
		t.Errorf("the stored record became %s", got)
	}
}
