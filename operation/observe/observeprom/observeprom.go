// Package observeprom exports metrics of requests and databases to Prometheus. Labels never have values that clients sent:
// they are operation IDs, statuses, known methods, operations of SQL, tables and kinds of errors.
package observeprom

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trove-api/trove/operation/observe"
)

// Requests is an observer for resource.Config.Observers, and a collector to register. Its metrics are
// http_request_duration_seconds by operation, method and status, http_response_bytes_total by operation, and
// http_requests_in_flight. The operation is "none" if nothing has the path and method, or the route is the program's own.
// Status 0 is a connection that was dropped before a response. Create it with [NewRequests].
type Requests struct {
	collectors

	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	running  prometheus.Gauge
}

// NewRequests returns an observer of requests. Buckets are the upper bounds of the histogram in seconds; without any they are
// [prometheus.DefBuckets].
func NewRequests(buckets ...float64) *Requests {
	if len(buckets) == 0 {
		buckets = prometheus.DefBuckets
	}
	r := &Requests{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "Duration of requests.", Buckets: buckets,
		}, []string{"operation", "method", "status"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_response_bytes_total", Help: "Bytes of response bodies before compression.",
		}, []string{"operation"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "http_requests_in_flight", Help: "Requests that are being served.",
		}),
	}
	r.collectors = collectors{r.duration, r.bytes, r.running}
	return r
}

// Begin counts a request that is being served.
func (r *Requests) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	r.running.Inc()
	return ctx
}

// End records the outcome of a request.
func (r *Requests) End(_ context.Context, outcome *observe.Outcome) {
	r.running.Dec()
	operation, method := cmp.Or(outcome.Operation.ID, "none"), outcome.Request.Method
	if !slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, method) {
		method = "other" // clients invent methods
	}
	r.duration.WithLabelValues(operation, method, strconv.Itoa(outcome.Status)).Observe(outcome.Duration.Seconds())
	r.bytes.WithLabelValues(operation).Add(float64(outcome.Bytes))
}

// collectors are one collector.
type collectors []prometheus.Collector

// Describe sends the descriptions of the metrics.
func (all collectors) Describe(into chan<- *prometheus.Desc) {
	for _, c := range all {
		c.Describe(into)
	}
}

// Collect sends the metrics.
func (all collectors) Collect(into chan<- prometheus.Metric) {
	for _, c := range all {
		c.Collect(into)
	}
}
