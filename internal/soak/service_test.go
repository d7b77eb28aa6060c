package soak_test

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
