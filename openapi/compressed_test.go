package openapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/trove-api/trove/resource"
)

func TestTheDocumentIsSentCompressedToThoseWhoAcceptIt(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs", "/api/docs.json", "/api/docs.yaml", "/api/docs.json?version=3.0"} {
		plain := get(t, api, path)
		zipped := get(t, api, path, "Accept-Encoding", "br, gzip;q=0.8")
		header := zipped.Header()
		if header.Get("Content-Encoding") != "gzip" || header.Get("Content-Length") != strconv.Itoa(zipped.Body.Len()) || zipped.Body.Len() >= plain.Body.Len() {
			t.Errorf("%s is sent with %d of %d bytes, and %v", path, zipped.Body.Len(), plain.Body.Len(), header)
		}
		reader, err := gzip.NewReader(bytes.NewReader(zipped.Body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(reader); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
			t.Errorf("%s has another body when it is compressed: %v", path, err)
		}
		for _, w := range []http.Header{plain.Header(), header} {
			if !slices.Contains(w["Vary"], "Accept-Encoding") || w.Get("ETag") == "" {
				t.Errorf("the header of %s is %v", path, w)
			}
		}
		for _, accept := range []string{"", "br", "gzip;q=0", "identity"} {
			if w := get(t, api, path, "Accept-Encoding", accept); w.Header().Get("Content-Encoding") != "" || w.Header().Get("ETag") != plain.Header().Get("ETag") {
				t.Errorf("%s with Accept-Encoding %q has the header %v", path, accept, w.Header())
			}
		}
	}
}

func TestEachCodingOfTheDocumentHasItsOwnTag(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Category]{})
	for _, path := range []string{"/api/docs.json", "/api/docs.yaml"} {
		plain, zipped := get(t, api, path).Header().Get("ETag"), get(t, api, path, "Accept-Encoding", "gzip").Header().Get("ETag")
		for _, test := range []struct {
			tag, accept string
			status      int
		}{{plain, "identity", 304}, {zipped, "gzip", 304}, {plain, "gzip", 200}, {zipped, "identity", 200}, {plain + ", " + zipped, "gzip", 304}} {
			w := get(t, api, path, "If-None-Match", test.tag, "Accept-Encoding", test.accept)
			if w.Code != test.status || w.Code == 304 && (w.Body.Len() > 0 || w.Header().Get("Content-Encoding") != "" || !slices.Contains(w.Header()["Vary"], "Accept-Encoding")) {
				t.Errorf("%s with If-None-Match %s and Accept-Encoding %s returns %d, %v", path, test.tag, test.accept, w.Code, w.Header())
			}
		}
		head := send(t, api, http.MethodHead, path, "", "Accept-Encoding", "gzip")
		if head.Body.Len() > 0 || head.Header().Get("ETag") != zipped {
			t.Errorf("HEAD %s has the header %v", path, head.Header())
		}
	}
}
