package main

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trove-api/trove/operation/observe"
)

// metrics measures the requests of an API.
type metrics struct {
	duration *prometheus.HistogramVec
	size     *prometheus.CounterVec
	running  prometheus.Gauge
}

// newMetrics registers the metrics.
func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "How long requests take.", Buckets: prometheus.DefBuckets,
		}, []string{"operation", "status"}),
		size: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_response_bytes_total", Help: "Bytes of response bodies.",
		}, []string{"operation"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "http_requests_in_flight", Help: "Requests that are being served.",
		}),
	}
	registry.MustRegister(m.duration, m.size, m.running)
	return m
}

// Begin is called before a request is served.
func (m *metrics) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	m.running.Inc()
	return ctx
}

// End is called after the response.
func (m *metrics) End(_ context.Context, outcome *observe.Outcome) {
	m.running.Dec()
	operation := cmp.Or(outcome.Operation.ID, "none") // "none": no operation at this path, or not with this method
	m.duration.WithLabelValues(operation, strconv.Itoa(outcome.Status)).Observe(outcome.Duration.Seconds())
	m.size.WithLabelValues(operation).Add(float64(outcome.Bytes))
}
