package mcp_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/mcp"
)

func TestMethodsOfOtherCapabilitiesAreNotFound(t *testing.T) {
	t.Parallel()
	s := newService(t, mcp.Config{})
	for method, params := range map[string]string{
		"prompts/list": `{}`, "prompts/get": `{"name":"x"}`, "logging/setLevel": `{"level":"info"}`,
		"completion/complete": `{"ref":{"type":"ref/resource","uri":"/api/gems/{id}"},"argument":{"name":"id","value":"1"}}`,
		"resources/subscribe": `{"uri":"/api/gems/1"}`, "resources/unsubscribe": `{"uri":"/api/gems/1"}`,
	} {
		_, body, _ := s.post("ann", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
		if !strings.Contains(body, `"code":-32601`) {
			t.Errorf("%s returns %s", method, body)
		}
	}
	_, body, _ := s.post("ann", `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}`)
	if strings.Contains(body, "error") {
		t.Errorf("a list of resources returns %s", body)
	}
}
