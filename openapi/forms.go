package openapi

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/openapi/internal/page"
	"github.com/trove-api/trove/resource"
)

// forms are one document in the forms of both versions of OpenAPI.
type forms struct {
	usual   string // the version that is sent to who asks for none
	v31     form
	v30     form
	order   *order // once the form of 3.1 is made
	checked bool   // each form is checked when it is made
	logger  *slog.Logger
}

// form is the document in one form. Each encoding is made once, when somebody first asks
// for it.
type form struct{ json, yaml func() (*page.Content, error) }

// newForms begins the document. Where all that could be wrong with it is in its precheck,
// that is checked and the rest is left to the first who asks. Else the form of the config
// is made now. The other one is made of the same document: functions of the user's run once.
func newForms(api *resource.API, config Config) (*forms, error) {
	b, err := newBuilder(api, config)
	if err != nil {
		return nil, err
	}
	precheck := b.precheck()
	f := &forms{usual: cmp.Or(config.OpenAPI, "3.1"), checked: precheck == nil, logger: b.api.Logger}
	f.v31 = newForm(func() (text []byte, err error) {
		text, f.order, err = b.write(f.checked)
		return text, err
	})
	f.v30 = newForm(f.write30)
	if precheck != nil {
		text, err := newOrder().write(precheck)
		if err == nil {
			err = check(text)
		}
		if err != nil {
			return nil, fmt.Errorf("openapi: %w", err)
		}
		return f, nil
	}
	_, err = f.of(f.usual).json()
	return f, err
}

func newForm(write func() ([]byte, error)) form {
	asJSON := sync.OnceValues(func() (*page.Content, error) {
		text, err := write()
		if err != nil {
			return nil, fmt.Errorf("openapi: %w", err)
		}
		return page.NewContent("application/json", text), nil
	})
	return form{json: asJSON, yaml: sync.OnceValues(func() (*page.Content, error) {
		document, err := asJSON()
		if err != nil {
			return nil, err
		}
		text, err := writeYAML(document.Body)
		return page.NewContent("application/yaml", text), err
	})}
}

// write30 writes the document as JSON in the form of 3.0, which is made of that of 3.1.
func (f *forms) write30() ([]byte, error) {
	newer, err := f.v31.json()
	if err != nil {
		return nil, err
	}
	older, err := rewrite30(newer.Body)
	if err != nil {
		return nil, err
	}
	text, err := f.order.write(older)
	if err == nil && f.checked {
		err = check(text)
	}
	if err != nil {
		return nil, fmt.Errorf("in the form of OpenAPI %s: %w", version30, err)
	}
	return text, nil
}

// of returns the form of a version.
func (f *forms) of(version string) form {
	if version == "3.0" {
		return f.v30
	}
	return f.v31
}

// serve sends one of the encodings in the form that is asked for.
func (f *forms) serve(encoding func(form) (*page.Content, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version := cmp.Or(r.URL.Query().Get("version"), f.usual)
		if version != "3.0" && version != "3.1" {
			problem.New(http.StatusBadRequest, "version must be 3.0 or 3.1.").Write(w, r)
			return
		}
		document, err := encoding(f.of(version))
		if err != nil {
			f.logger.ErrorContext(r.Context(), "the document cannot be made", slog.Any("error", err))
			problem.New(http.StatusInternalServerError, "").Write(w, r)
			return
		}
		document.ServeHTTP(w, r)
	})
}
