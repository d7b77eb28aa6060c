package compiled_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/operation"
)

type counter struct{ N int }

func TestAHandlerCallsItsFunction(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	h := operation.Handle(func(_ context.Context, r *counter, in string) (int, error) {
		if in == "" {
			return 0, refused
		}
		r.N += len(in)
		return r.N, nil
	}).(compiled.Handler)
	of, in, out := h.Types()
	if of != reflect.TypeFor[counter]() || in != reflect.TypeFor[string]() || out != reflect.TypeFor[int]() || !h.Defined() {
		t.Errorf("the types are %v, %v, %v", of, in, out)
	}
	body, r := h.NewIn(), &counter{N: 1}
	*body.(*string) = "abc"
	if got, err := h.Call(t.Context(), r, body); got != 4 || err != nil || r.N != 4 {
		t.Errorf("Call gives %v, %v and leaves %+v", got, err, r)
	}
	if _, err := h.Call(t.Context(), r, h.NewIn()); !errors.Is(err, refused) {
		t.Errorf("Call gives the error %v", err)
	}
	if operation.Handle[counter, string, int](nil).(compiled.Handler).Defined() {
		t.Error("a handler of no function calls itself defined")
	}
}

func TestAProcessorCallsItsFunction(t *testing.T) {
	t.Parallel()
	p := operation.Process(func(ctx context.Context, _ *operation.Request, r *counter, save operation.Save[counter]) error {
		r.N++
		return save(ctx, r)
	}).(compiled.Processor)
	saved := 0
	err := p.Call(t.Context(), &operation.Request{}, &counter{N: 1}, func(_ context.Context, r any) error {
		saved = r.(*counter).N
		return nil
	})
	if err != nil || saved != 2 || p.Record() != reflect.TypeFor[counter]() || !p.Defined() {
		t.Errorf("Call gives %v and saves %d", err, saved)
	}
	if operation.Process[counter](nil).(compiled.Processor).Defined() {
		t.Error("a processor of no function calls itself defined")
	}
}

func TestSealedValuesAreWhatRequestsCall(t *testing.T) {
	t.Parallel()
	shown := func(context.Context, *counter) (string, error) { return "", nil }
	apply := func(context.Context, string, *counter) error { return nil }
	if _, ok := operation.Output(shown).(compiled.Output); !ok {
		t.Error("Output is no compiled.Output")
	}
	if _, ok := operation.Compute("n", "", shown).(compiled.Compute); !ok {
		t.Error("Compute is no compiled.Compute")
	}
	filled, ok := operation.InputOf(func(*counter) string { return "" }, apply).(compiled.Input)
	if !ok || !filled.Fills() {
		t.Error("InputOf is no compiled.Input that fills")
	}
	if plain, ok := operation.Input(apply).(compiled.Input); !ok || plain.Fills() {
		t.Error("Input is no compiled.Input, or fills")
	}
}

func TestAHandlerIsCalledWithTheElementsOfABody(t *testing.T) {
	t.Parallel()
	saved := func(context.Context) (any, error) { return &counter{N: 7}, nil }
	patch := operation.Handle(func(ctx context.Context, _ *counter, in operation.PatchOf[counter]) (int, error) {
		record, err := in.Save(ctx)
		return in.Record.N + in.Previous.N + len(in.Fields) + record.N, err
	}).(compiled.Handler)
	if record, patches := patch.Bodies(); record != reflect.TypeFor[counter]() || !patches {
		t.Errorf("a PatchOf has bodies of %v, patches: %t", record, patches)
	}
	one := []any{patch.Element(&counter{N: 100}, &counter{N: 20}, []string{"N"}, saved)}
	if got, err := patch.Call(t.Context(), &counter{}, one); got != 128 || err != nil {
		t.Errorf("a PatchOf gives %v, %v", got, err)
	}
	create := operation.Handle(func(_ context.Context, _ *counter, in []operation.CreateOf[counter]) (int, error) {
		return in[0].Record.N + in[1].Record.N, nil
	}).(compiled.Handler)
	if record, patches := create.Bodies(); record != reflect.TypeFor[counter]() || patches {
		t.Errorf("a CreateOf has bodies of %v, patches: %t", record, patches)
	}
	two := []any{create.Element(&counter{N: 1}, nil, nil, saved), create.Element(&counter{N: 2}, nil, nil, saved)}
	if got, err := create.Call(t.Context(), &counter{}, two); got != 3 || err != nil {
		t.Errorf("a slice of CreateOf gives %v, %v", got, err)
	}
}
