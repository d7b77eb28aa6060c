package admin_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Keys are also made of a part that is written and one that is computed: `filter.${operator}`, and count("time.second").
func TestThePageUsesEachText(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("ui/*.js")
	if err != nil {
		t.Fatal(err)
	}
	var scripts strings.Builder
	var table string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "texts.js" {
			table = string(text)
		} else {
			scripts.Write(text)
		}
	}
	keys := regexp.MustCompile(`(?m)^  "([a-zA-Z.]+)":`).FindAllStringSubmatch(table, -1)
	if len(keys) < 100 {
		t.Fatalf("texts.js has %d keys", len(keys))
	}
	for _, key := range keys {
		before := key[1][:strings.LastIndexByte(key[1], '.')]
		uses := []string{`"` + key[1] + `"`, "`" + before + ".${", `count("` + before + `"`}
		isUsed := false
		for _, use := range uses {
			isUsed = isUsed || strings.Contains(scripts.String(), use)
		}
		if !isUsed {
			t.Errorf("no script uses the text %q", key[1])
		}
	}
}
