package openapi

import (
	"fmt"
	"io"

	"github.com/trove-api/trove/resource"
)

// Export writes the API's document to w as [Mount] serves it, in JSON, so that a build can
// keep, compare or publish it without a server. It can be called whether the API is mounted
// or not. Its errors are those of [Document], and that of w.
func Export(w io.Writer, api *resource.API, config Config) error {
	forms, err := newForms(api, config)
	if err != nil {
		return err
	}
	forms.checked = true // a build has the time
	written, err := forms.of(forms.usual).json()
	if err != nil {
		return err
	}
	if _, err := w.Write(written.Body); err != nil {
		return fmt.Errorf("openapi: writing the document: %w", err)
	}
	return nil
}
