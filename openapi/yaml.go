package openapi

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	yaml "github.com/oasdiff/yaml3"
)

// writeYAML writes a JSON document as YAML 1.2, its members in the same order.
func writeYAML(document []byte) ([]byte, error) {
	root, err := yamlNode(jsontext.NewDecoder(bytes.NewReader(document)))
	if err != nil {
		return nil, err
	}
	var written bytes.Buffer
	encoder := yaml.NewEncoder(&written)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return written.Bytes(), encoder.Close()
}

// yamlNode reads the next JSON value as a YAML node.
func yamlNode(from *jsontext.Decoder) (*yaml.Node, error) {
	token, err := from.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindBeginObject:
		return yamlChildren(from, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, jsontext.KindEndObject)
	case jsontext.KindBeginArray:
		return yamlChildren(from, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}, jsontext.KindEndArray)
	case jsontext.KindString:
		return yamlText(token.String()), nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
}

// yamlChildren reads the values up to the end of an object or array into a node.
func yamlChildren(from *jsontext.Decoder, node *yaml.Node, end jsontext.Kind) (*yaml.Node, error) {
	for from.PeekKind() != end {
		child, err := yamlNode(from)
		if err != nil {
			return nil, err
		}
		node.Content = append(node.Content, child)
	}
	if len(node.Content) == 0 {
		node.Style = yaml.FlowStyle
	}
	_, err := from.ReadToken()
	return node, err
}

// ambiguous are texts that readers of YAML 1.1 take for booleans or numbers.
var ambiguous = regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$|^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9]*)?$`)

func yamlText(text string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if ambiguous.MatchString(text) || strings.ContainsRune(text, '\n') && !isBlock(text) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// isBlock reports whether text of several lines can be written line by line.
func isBlock(text string) bool {
	trimmed := strings.TrimSpace(text)
	return trimmed != "" && trimmed == strings.TrimSuffix(text, "\n") && !strings.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff")
}
