package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// one sends a request. Of twenty, six change something; one of a thousand reads all records.
func (l *load) one(ctx context.Context, turn int) error {
	const treasures = "/api/dragon_treasures"
	valid := fmt.Sprintf(`{"name":"Soaked %d","value":%d,"description":"wet"}`, turn, turn%1000)
	switch kind := turn / clients % 20; kind {
	case 0, 1:
		url, err := l.request(ctx, http.MethodPost, treasures, valid, http.StatusCreated)
		if err == nil {
			l.keep(url)
		}
		return err
	case 2, 3: //nolint:mnd // the third and fourth kind
		url := l.take()
		if url == "" {
			return nil
		}
		if kind == 2 { //nolint:mnd // see above
			_, err := l.request(ctx, http.MethodDelete, url, "", http.StatusNoContent)
			return err
		}
		_, err := l.request(ctx, http.MethodPatch, url, `{"coolFactor":7}`, http.StatusOK)
		l.keep(url)
		return err
	case 4: //nolint:mnd // see above
		_, err := l.request(ctx, http.MethodPost, treasures, `{"name":"","value":-1,"unknown":true}`, http.StatusBadRequest)
		return err
	case 5: //nolint:mnd // see above
		if turn%1000 < clients {
			_, err := l.request(ctx, http.MethodGet, treasures+".ndjson", "", http.StatusOK)
			return err
		}
	}
	targets := []string{
		treasures, treasures + "?sort=-value&cursor=", treasures + "?name=soaked&itemsPerPage=10", "/api/users/1/treasures",
		treasures + "?value[between]=10..20", "/api/users/1", treasures + "?expand=owner&cursor=", "/api/docs.json",
	}
	_, err := l.request(ctx, http.MethodGet, targets[turn/clients%len(targets)], "", http.StatusOK)
	return err
}

// request sends a request, reads the whole response, and returns its Location. Another status than the expected one is an error.
func (l *load) request(ctx context.Context, method, target, body string, status int) (location string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, l.base+target, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer demo-ann")
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := l.client.Do(r)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return "", err
	}
	if response.StatusCode != status {
		return "", fmt.Errorf("%s %s returns %d instead of %d: %.300s", method, target, response.StatusCode, status, text)
	}
	return response.Header.Get("Location"), nil
}

// keep notes a record that exists, and take forgets the oldest of them, if there are more than the clients may use at a time.
func (l *load) keep(url string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, url)
}

func (l *load) take() (url string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.records) > 0 {
		url, l.records = l.records[0], l.records[1:]
	}
	return url
}

// check returns an error for each acknowledged record that is missing.
func (l *load) check(ctx context.Context) (err error) {
	for _, url := range l.records {
		_, missing := l.request(ctx, http.MethodGet, url, "", http.StatusOK)
		err = errors.Join(err, missing)
	}
	return err
}
