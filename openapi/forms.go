package openapi

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"

	yaml "github.com/oasdiff/yaml3"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/resource"
)

// forms are one document in both versions of OpenAPI.
type forms struct {
	usual   string // the default version
	v31     form
	v30     form
	checked bool // whether each form is checked when it is made
	logger  *slog.Logger
}

// form is the document in one version. Each encoding is made once, for the first request.
type form struct {
	json, yaml func() (*content.Content, error)
}

// newForms prepares the document. If the precheck covers all possible errors, the first request builds the document.
// Otherwise the version in the config is built now. The other version is made from it, so that users' functions run once.
func newForms(api *resource.API, config Config) (*forms, error) {
	b, err := newBuilder(api, config)
	if err != nil {
		return nil, err
	}
	precheck := b.precheck()
	f := &forms{usual: cmp.Or(config.OpenAPI, "3.1"), checked: precheck == nil, logger: b.api.Logger}
	f.v31 = newForm(func() ([]byte, error) { return b.write(f.checked) })
	f.v30 = newForm(f.write30)
	if precheck == nil {
		_, err = f.of(f.usual).json()
		return f, err
	}
	if len(precheck) == 0 {
		return f, nil
	}
	text, err := write(precheck, nil)
	if err == nil {
		err = check(text)
	}
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return f, nil
}

func newForm(write func() ([]byte, error)) form {
	asJSON := sync.OnceValues(func() (*content.Content, error) {
		text, err := write()
		if err != nil {
			return nil, fmt.Errorf("openapi: %w", err)
		}
		return content.New("application/json", text), nil
	})
	return form{json: asJSON, yaml: sync.OnceValues(func() (*content.Content, error) {
		document, err := asJSON()
		if err != nil {
			return nil, err
		}
		text, err := writeYAML(document.Body)
		return content.New("application/yaml", text), err
	})}
}

// write30 writes the document as JSON of version 3.0, made from version 3.1.
func (f *forms) write30() ([]byte, error) {
	newer, err := f.v31.json()
	if err != nil {
		return nil, err
	}
	older, err := rewrite30(newer.Body)
	if err != nil {
		return nil, err
	}
	text, err := write(older, nil)
	if err == nil && f.checked {
		err = check(text)
	}
	if err != nil {
		return nil, fmt.Errorf("in version %s of OpenAPI: %w", version30, err)
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

// serve sends an encoding in the requested version.
func (f *forms) serve(encoding func(form) (*content.Content, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version := cmp.Or(r.URL.Query().Get("version"), f.usual)
		if version != "3.0" && version != "3.1" {
			problem.New(http.StatusBadRequest, "version must be 3.0 or 3.1.").Write(w, r)
			return
		}
		document, err := encoding(f.of(version))
		if err != nil {
			f.logger.ErrorContext(r.Context(), "cannot build the OpenAPI document", slog.Any("error", err))
			problem.New(http.StatusInternalServerError, "").Write(w, r)
			return
		}
		document.ServeHTTP(w, r)
	})
}

// writeYAML writes a JSON document as YAML 1.2, with its fields in the same order.
func writeYAML(document []byte) ([]byte, error) {
	root, err := readJSON(document)
	if err != nil {
		return nil, err
	}
	var written bytes.Buffer
	encoder := yaml.NewEncoder(&written)
	encoder.SetIndent(2)
	if err := encoder.Encode(yamlNode(root)); err != nil {
		return nil, err
	}
	return written.Bytes(), encoder.Close()
}

// yamlNode returns a value that was read from JSON as YAML.
func yamlNode(value any) *yaml.Node {
	made := &yaml.Node{}
	switch value := value.(type) {
	case *node:
		made.Kind, made.Tag = yaml.MappingNode, "!!map"
		for _, m := range value.fields {
			made.Content = append(made.Content, yamlText(m.name), yamlNode(m.value))
		}
	case []any:
		made.Kind, made.Tag = yaml.SequenceNode, "!!seq"
		for _, element := range value {
			made.Content = append(made.Content, yamlNode(element))
		}
	case string:
		return yamlText(value)
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}
	default: // a number or a boolean
		return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(value)}
	}
	if len(made.Content) == 0 {
		made.Style = yaml.FlowStyle
	}
	return made
}

// ambiguous matches strings that YAML 1.1 reads as booleans or numbers.
var ambiguous = regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$|^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9]*)?$`)

func yamlText(text string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if ambiguous.MatchString(text) || strings.ContainsRune(text, '\n') && !isBlock(text) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// isBlock reports whether a string of several lines can be a block.
func isBlock(text string) bool {
	trimmed := strings.TrimSpace(text)
	return trimmed != "" && trimmed == strings.TrimSuffix(text, "\n") && !strings.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff")
}
