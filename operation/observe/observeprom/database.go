package observeprom

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trove-api/trove/store/sqlstore"
)

// Database returns a collector of the statements of a database, and of [sqlstore.DB.Stats]. Call it before the database is used.
// The name distinguishes the databases of a program; it is the label "database" of all metrics:
//
//   - db_statement_duration_seconds by operation and table, which are "" if unknown
//   - db_statement_errors_total by the kind of the error, as in [sqlstore.Result]
//   - db_connections by state, "used" and "idle", and db_connections_max, without a limit 0
//   - db_waits_total and db_wait_seconds_total, for connections
//   - db_retries_total, after conflicts
//   - db_replicas, which requests can read from at the moment
func Database(db *sqlstore.DB, name string) prometheus.Collector {
	constant := prometheus.Labels{"database": name}
	statements := &statements{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "db_statement_duration_seconds", Help: "Duration of statements, until their rows are closed.", ConstLabels: constant,
			Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10},
		}, []string{"operation", "table"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "db_statement_errors_total", Help: "Statements that failed.", ConstLabels: constant,
		}, []string{"error"}),
	}
	db.Observe(statements)
	return collectors{statements.duration, statements.errors, stats{db, constant}}
}

// statements is the observer of statements.
type statements struct {
	duration *prometheus.HistogramVec
	errors   *prometheus.CounterVec
}

// Begin returns ctx.
func (*statements) Begin(ctx context.Context, _ sqlstore.Statement) context.Context { return ctx }

// End records a statement.
func (s *statements) End(_ context.Context, statement sqlstore.Statement, result sqlstore.Result) {
	s.duration.WithLabelValues(statement.Operation, statement.Table).Observe(result.Duration.Seconds())
	if result.Err != nil {
		s.errors.WithLabelValues(result.ErrorType).Inc()
	}
}

// stats collects the numbers of a database, all of the same moment.
type stats struct {
	db       *sqlstore.DB
	constant prometheus.Labels
}

// Describe sends the descriptions of the metrics.
func (s stats) Describe(into chan<- *prometheus.Desc) { prometheus.DescribeByCollect(s, into) }

// Collect sends the metrics.
func (s stats) Collect(into chan<- prometheus.Metric) {
	now := s.db.Stats()
	send := func(kind prometheus.ValueType, value float64, name, help string) {
		into <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, s.constant), kind, value)
	}
	used := prometheus.NewDesc("db_connections", "Open connections.", []string{"state"}, s.constant)
	into <- prometheus.MustNewConstMetric(used, prometheus.GaugeValue, float64(now.InUse), "used")
	into <- prometheus.MustNewConstMetric(used, prometheus.GaugeValue, float64(now.Idle), "idle")
	send(prometheus.GaugeValue, float64(now.Max), "db_connections_max", "The largest number of open connections; 0 means no limit.")
	send(prometheus.CounterValue, float64(now.Waits), "db_waits_total", "How often a statement or transaction had to wait for a connection.")
	send(prometheus.CounterValue, now.Waited.Seconds(), "db_wait_seconds_total", "How long statements and transactions waited for connections.")
	send(prometheus.CounterValue, float64(now.Retries), "db_retries_total", "How often a statement or transaction ran again after a conflict.")
	send(prometheus.GaugeValue, float64(now.Replicas), "db_replicas", "Replicas that requests can read from at the moment.")
}
