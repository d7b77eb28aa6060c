package admin

import (
	"embed"
	"encoding/json"
)

//go:embed german
var german embed.FS

// German returns the German texts of the page, for Config.Texts. Names of resources, fields, values and operations come from
// the rest of the config. The result is the caller's to change.
func German() map[string]string {
	texts := map[string]string{}
	for _, name := range [...]string{"german/pages.json", "german/rules.json"} {
		table, err := german.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(table, &texts)
		}
		if err != nil {
			panic(err) //nolint:forbidigo // the files are part of the package, and tests read them
		}
	}
	return texts
}
