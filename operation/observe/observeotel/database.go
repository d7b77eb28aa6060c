package observeotel

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/dbconv"
	"go.opentelemetry.io/otel/trace"

	"github.com/trove-api/trove/store/sqlstore"
)

// Database records a span for each statement of a database, such as "SELECT items", below that of its request, and the
// histogram db.client.operation.duration in seconds, by operation, table and kind of error. The numbers of [sqlstore.DB.Stats]
// are db.client.connection.count and db.client.connection.max, and the counters trove.db.waits, trove.db.wait_time in seconds
// and trove.db.retries, and the gauge trove.db.replicas. The name distinguishes the databases of a program in these; it is db.client.connection.pool.name.
// A nil provider is the global one. Call Database before the database is used. The error is that of the meter.
func Database(db *sqlstore.DB, name string, spans trace.TracerProvider, metrics metric.MeterProvider) error {
	tracer, meter := instruments(spans, metrics)
	duration, err := dbconv.NewClientOperationDuration(meter,
		metric.WithExplicitBucketBoundaries(.001, .005, .01, .05, .1, .5, 1, 5, 10)) // of the conventions
	if err != nil {
		return err
	}
	if err := observeStats(db, name, meter); err != nil {
		return err
	}
	system := db.Dialect().Name()
	if system == "postgres" {
		system = "postgresql"
	}
	db.Observe(&database{tracer, duration, semconv.DBSystemNameKey.String(system)})
	return nil
}

// database is the observer of statements.
type database struct {
	tracer   trace.Tracer
	duration dbconv.ClientOperationDuration
	system   attribute.KeyValue
}

// Begin starts the span.
func (o *database) Begin(ctx context.Context, statement sqlstore.Statement) context.Context {
	name := strings.TrimSpace(statement.Operation + " " + statement.Table)
	ctx, span := o.tracer.Start(ctx, cmp.Or(name, o.system.Value.AsString()), trace.WithSpanKind(trace.SpanKindClient))
	if span.IsRecording() {
		span.SetAttributes(o.labels(statement)...)
		if statement.Text != "" {
			span.SetAttributes(semconv.DBQueryText(statement.Text))
		}
	}
	return ctx
}

// End records the duration and ends the span.
func (o *database) End(ctx context.Context, statement sqlstore.Statement, result sqlstore.Result) {
	span, attributes := trace.SpanFromContext(ctx), o.labels(statement)
	if result.Err != nil {
		kind := semconv.ErrorTypeKey.String(result.ErrorType)
		if result.ErrorType == "other" {
			kind = semconv.ErrorTypeOther
		}
		attributes = append(attributes, kind)
		span.SetAttributes(kind)
		span.SetStatus(codes.Error, "")
	}
	o.duration.RecordSet(ctx, result.Duration.Seconds(), attribute.NewSet(attributes...))
	span.End()
}

// labels returns the attributes of a statement. Each has few values.
func (o *database) labels(statement sqlstore.Statement) []attribute.KeyValue {
	attributes := append(make([]attribute.KeyValue, 0, 4), o.system)
	if statement.Operation != "" {
		attributes = append(attributes, semconv.DBOperationName(statement.Operation))
	}
	if statement.Table != "" {
		attributes = append(attributes, semconv.DBCollectionName(statement.Table))
	}
	return attributes
}

// observeStats makes the instruments of the numbers of a database, which are read when metrics are collected.
func observeStats(db *sqlstore.DB, name string, meter metric.Meter) error {
	count, failed := dbconv.NewClientConnectionCountObservable(meter)
	most, err := dbconv.NewClientConnectionMaxObservable(meter)
	failed = errors.Join(failed, err)
	waits, err := meter.Int64ObservableCounter("trove.db.waits", metric.WithUnit("{wait}"),
		metric.WithDescription("How often a statement or transaction had to wait for a connection."))
	failed = errors.Join(failed, err)
	waited, err := meter.Float64ObservableCounter("trove.db.wait_time", metric.WithUnit("s"),
		metric.WithDescription("How long statements and transactions waited for connections in total."))
	failed = errors.Join(failed, err)
	retries, err := meter.Int64ObservableCounter("trove.db.retries", metric.WithUnit("{retry}"),
		metric.WithDescription("How often a statement or transaction ran again after a conflict."))
	failed = errors.Join(failed, err)
	replicas, err := meter.Int64ObservableGauge("trove.db.replicas", metric.WithUnit("{replica}"),
		metric.WithDescription("Replicas that requests can read from at the moment."))
	if err = errors.Join(failed, err); err != nil {
		return err
	}
	pool := semconv.DBClientConnectionPoolName(name)
	labels := metric.WithAttributes(pool)
	used, idle := metric.WithAttributes(pool, semconv.DBClientConnectionStateUsed), metric.WithAttributes(pool, semconv.DBClientConnectionStateIdle)
	_, err = meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		s := db.Stats()
		o.ObserveInt64(count.Inst(), int64(s.InUse), used)
		o.ObserveInt64(count.Inst(), int64(s.Idle), idle)
		if s.Max > 0 {
			o.ObserveInt64(most.Inst(), int64(s.Max), labels)
		}
		o.ObserveInt64(waits, s.Waits, labels)
		o.ObserveFloat64(waited, s.Waited.Seconds(), labels)
		o.ObserveInt64(retries, s.Retries, labels)
		o.ObserveInt64(replicas, int64(s.Replicas), labels)
		return nil
	}, count.Inst(), most.Inst(), waits, waited, retries, replicas)
	return err
}
