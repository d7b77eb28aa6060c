package soak_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

const (
	maxConcurrent = 24

	// noteTimeout is shorter than the server's readTimeout, parcelTimeout is longer: late bodies are rejected by Trove
	// for notes, and by net/http for parcels.
	noteTimeout       = 600 * time.Millisecond
	parcelTimeout     = 1200 * time.Millisecond
	readHeaderTimeout = 400 * time.Millisecond
	readTimeout       = 800 * time.Millisecond
	writeTimeout      = 1600 * time.Millisecond

	// sendBuffer is small, so that a client which does not read soon blocks the server.
	sendBuffer = 16 << 10
	volumes    = 2000
	volumeSize = 1 << 10

	answersKept = 10 * time.Second
)

// service is the tested API, its server and its observers.
type service struct {
	server   *http.Server
	served   chan error
	address  string
	findings *findings
	faults   *faults
	journal  *journal
	observer *observer
	db       *sqlstore.DB
	notes    store.Store[Note]   // without faults
	parcels  store.Store[Parcel] // without faults
	keeps    map[string]bool     // whether a collection keeps responses, by path
}

func startService(t *testing.T, length time.Duration) *service {
	t.Helper()
	f := &findings{}
	s := &service{
		served: make(chan error, 1), findings: f, faults: newFaults(), journal: newJournal(f),
		observer: &observer{findings: f}, keeps: map[string]bool{},
	}
	s.openStores(t)
	s.listen(t, s.newAPI(t), length)
	return s
}

func (s *service) openStores(t *testing.T) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "parcels.db"))
	if err != nil {
		t.Fatal(err)
	}
	parcels := sqlstore.Table[Parcel](db)
	if err := db.Create(t.Context(), parcels); err != nil {
		t.Fatal(err)
	}
	s.db, s.notes, s.parcels = db, memory.New[Note](), parcels
}

func (s *service) newAPI(t *testing.T) *resource.API {
	t.Helper()
	notes, keepsNotes := withFaults(s.notes, s.faults)
	parcels, keepsParcels := withFaults(s.parcels, s.faults)
	s.keeps["/api/notes"], s.keeps["/api/parcels"] = keepsNotes, keepsParcels
	api, err := resource.New(
		resource.Config{
			MaxConcurrent: maxConcurrent, Timeout: noteTimeout, MaxBodyBytes: 64 << 10,
			Logger: slog.New(s.journal), Observers: []observe.Observer{s.observer},
		},
		resource.Of[Note]{
			Store: notes, Prepare: s.faults.prepareNote, Processor: operation.Process(s.faults.processNote),
			Idempotency: keptFor(keepsNotes),
		},
		resource.Of[Parcel]{
			Store: parcels, Prepare: s.faults.prepareParcel, Processor: operation.Process(s.faults.processParcel),
			Idempotency: keptFor(keepsParcels), Timeout: parcelTimeout,
			ExtraProperties: map[string]any{"standard_put": true},
		},
		resource.Of[Volume]{
			Store: memory.New(library()...), Timeout: 2 * writeTimeout,
			Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// keptFor is how long responses are kept, if the store can keep them.
func keptFor(keeps bool) time.Duration {
	if keeps {
		return answersKept
	}
	return 0
}

func library() []Volume {
	all := make([]Volume, volumes)
	for i := range all {
		all[i].Text = strings.Repeat("trove ", volumeSize/6)
	}
	return all
}

func (s *service) listen(t *testing.T, handler http.Handler, length time.Duration) {
	t.Helper()
	s.server = &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       length + 2*time.Minute, // idle connections stay open
		ErrorLog:          log.New(complaints{s.findings}, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			_ = c.(*net.TCPConn).SetWriteBuffer(sendBuffer)
			return ctx
		},
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	go func() { s.served <- s.server.Serve(listener) }()
}

// stop shuts the server down.
func (s *service) stop(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 8*writeTimeout)
	defer cancel()
	began := time.Now()
	if err := s.server.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v after %v", err, time.Since(began))
		_ = s.server.Close()
	}
	t.Logf("the server shut down in %v", time.Since(began).Round(time.Millisecond))
	if err := <-s.served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("Serve: %v", err)
	}
}

// faulty is a store whose calls fail now and then.
type faulty[T any] struct {
	store.Store[T]

	faults *faults
}

// keeping is a faulty store that keeps responses, as its inner store does.
type keeping[T any] struct {
	faulty[T]
	store.ResponseKeeper
}

// withFaults wraps a store, and reports whether it keeps responses for repeated requests.
func withFaults[T any](inner store.Store[T], f *faults) (outer store.Store[T], keeps bool) {
	wrapped := faulty[T]{inner, f}
	if keeper, ok := inner.(store.ResponseKeeper); ok {
		return keeping[T]{wrapped, keeper}, true
	}
	return wrapped, false
}

func (s faulty[T]) Get(ctx context.Context, id any) (*T, error) {
	if err := s.faults.strike(ctx); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, id)
}

func (s faulty[T]) List(ctx context.Context, query store.Query) (store.Page[T], error) {
	if err := s.faults.strike(ctx); err != nil {
		return store.Page[T]{}, err
	}
	return s.Store.List(ctx, query)
}

func (s faulty[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	if err := s.faults.strike(ctx); err != nil {
		return err
	}
	return s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error {
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return s.faults.spoil()
	})
}

// Check checks the inner store.
func (s faulty[T]) Check(ctx context.Context) error {
	if checker, ok := s.Store.(store.Checker); ok {
		return checker.Check(ctx)
	}
	return nil
}

// CheckQuery checks the inner store.
func (s faulty[T]) CheckQuery(query store.Query) error {
	if checker, ok := s.Store.(untyped.QueryChecker); ok {
		return checker.CheckQuery(query)
	}
	return nil
}

// Note is stored in memory.
type Note struct {
	ID    int64    `json:"id" api:"id"`
	Mark  string   `json:"mark" validate:"notblank,max=80" api:"filter=exact,sort"`
	Value int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Text  *string  `json:"text" validate:"omitempty,max=4000" api:"filter=partial"`
	Tags  []string `json:"tags" validate:"max=8"`
}

// Parcel is stored in an SQLite table.
type Parcel struct {
	ID      int64    `json:"id" api:"id"`
	Mark    string   `json:"mark" validate:"notblank,max=80" api:"filter=exact,sort"`
	Value   int      `json:"value" validate:"gte=0" api:"filter=range,sort"`
	Text    *string  `json:"text" validate:"omitempty,max=4000" api:"filter=partial"`
	Tags    []string `json:"tags" validate:"max=8"`
	Version int64    `json:"version" api:"version"`
}

// Volume is in a read-only library, large enough that a client which does not read blocks its stream.
type Volume struct {
	ID   int64  `json:"id" api:"id"`
	Text string `json:"text"`
}

// kept is the part of a stored record that the ledger compares.
type kept struct {
	mark  string
	value int
}

// keptNotes reads all notes, without faults.
func keptNotes(ctx context.Context, s store.Store[Note]) ([]kept, error) {
	page, err := s.List(ctx, store.Query{})
	all := make([]kept, 0, len(page.Items))
	for _, n := range page.Items {
		all = append(all, kept{n.Mark, n.Value})
	}
	return all, err
}

// keptParcels reads all parcels, without faults.
func keptParcels(ctx context.Context, s store.Store[Parcel]) ([]kept, error) {
	page, err := s.List(ctx, store.Query{})
	all := make([]kept, 0, len(page.Items))
	for _, p := range page.Items {
		all = append(all, kept{p.Mark, p.Value})
	}
	return all, err
}

// These are the planted faults, as they are logged.
const (
	unreachable  = "planted: the store is out of reach"
	failing      = "planted: the store fails"
	panicking    = "planted: the store panics"
	stalling     = "planted: the store does not answer"
	spoiled      = "planted: the transaction fails after the work"
	spoiledPanic = "planted: the transaction panics after the work"
	preparePanic = "planted: Prepare panics"
	saveFails    = "planted: the processor fails after the save"
	savePanics   = "planted: the processor panics after the save"
)

// allFaults are the faults that the log must contain at the end.
var allFaults = []string{
	unreachable, failing, panicking, stalling, spoiled, spoiledPanic, preparePanic, saveFails, savePanics,
}

// A mark with one of these prefixes makes a hook fail.
var traps = map[string]string{
	"trap-prepare-": preparePanic,
	"trap-fail-":    saveFails,
	"trap-panic-":   savePanics,
}

// faults plants faults: one of each kind in a number of calls.
type faults struct {
	armed   atomic.Bool
	before  atomic.Int64 // calls of a store
	after   atomic.Int64 // transactions at their end
	mu      sync.Mutex
	planted map[string]int
}

func newFaults() *faults { return &faults{planted: map[string]int{}} }

// plant counts a fault, and returns its text.
func (f *faults) plant(kind string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.planted[kind]++
	return kind
}

func (f *faults) count(kind string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.planted[kind]
}

// strike is called at the beginning of each call of a store.
func (f *faults) strike(ctx context.Context) error {
	if !f.armed.Load() {
		return nil
	}
	switch n := f.before.Add(1); {
	case n%89 == 0:
		return fmt.Errorf("%s: %w", f.plant(unreachable), store.ErrUnavailable)
	case n%97 == 0:
		return errors.New(f.plant(failing))
	case n%101 == 0:
		panic(f.plant(panicking))
	case n%701 == 200: // occupies a place until the operation times out
		f.plant(stalling)
		<-ctx.Done()
		return fmt.Errorf("%s: %w", stalling, ctx.Err())
	}
	return nil
}

// spoil is called at the end of each transaction, which must then be rolled back.
func (f *faults) spoil() error {
	if !f.armed.Load() {
		return nil
	}
	switch n := f.after.Add(1); {
	case n%53 == 0:
		return errors.New(f.plant(spoiled))
	case n%59 == 0:
		panic(f.plant(spoiledPanic))
	}
	return nil
}

// prepare panics for marked records.
func (f *faults) prepare(mark string) {
	if strings.HasPrefix(mark, "trap-prepare-") {
		panic(f.plant(preparePanic))
	}
}

// save saves a record, and then fails or panics if the record is marked for that.
func (f *faults) save(mark string, save func() error) error {
	err := save()
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(mark, "trap-fail-"):
		return errors.New(f.plant(saveFails))
	case strings.HasPrefix(mark, "trap-panic-"):
		panic(f.plant(savePanics))
	}
	return nil
}

// prepareNote and the following functions add the faults to the two resources.
func (f *faults) prepareNote(_ context.Context, _ *operation.Request, n *Note) error {
	f.prepare(n.Mark)
	return nil
}

func (f *faults) prepareParcel(_ context.Context, _ *operation.Request, p *Parcel) error {
	f.prepare(p.Mark)
	return nil
}

func (f *faults) processNote(ctx context.Context, _ *operation.Request, n *Note, save operation.Save[Note]) error {
	return f.save(n.Mark, func() error { return save(ctx, n) })
}

func (f *faults) processParcel(ctx context.Context, _ *operation.Request, p *Parcel, save operation.Save[Parcel]) error {
	return f.save(p.Mark, func() error { return save(ctx, p) })
}
