package codec

import "github.com/go-json-experiment/json"

// mergePatch applies a merge patch to a value and returns the result (RFC 7396,
// section 2). It may change target.
// Target is of a clone that nobody else has: records are copied before a body is applied to them.
func mergePatch(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	// RFC 7396 has a patch that is an object replace whatever is no object by one.
	merged := asObject(target)
	for name, change := range changes {
		if change == nil {
			delete(merged, name)
		} else {
			merged[name] = mergePatch(merged[name], change)
		}
	}
	return merged
}

// asObject returns value as JSON shows it where that is an object, else an empty one:
// users may have put a struct or a map of another type there.
func asObject(value any) map[string]any {
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		if text, err := json.Marshal(value); err == nil && json.Unmarshal(text, &object) != nil {
			object = nil
		}
	}
	if object == nil {
		return map[string]any{}
	}
	return object
}
