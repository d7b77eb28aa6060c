package codec

// deepenAny copies the objects and arrays that a value of the type any holds.
// It copies what hooks may change: a []any or a map in a record would else be the store's own.
func deepenAny(at address, depth int) {
	value := as[any](at)
	*value = copyAny(*value, depth)
}

// Depth is limited like everywhere, since a program may build what leads back to itself.
func copyAny(value any, depth int) any {
	if depth >= maxDepth {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		return copyObject(value, depth)
	case []any:
		return copyArray(value, depth)
	}
	return value
}

// Nil stays nil: hooks tell a null from an empty object by it.
func copyObject(object map[string]any, depth int) map[string]any {
	if object == nil {
		return nil
	}
	made := make(map[string]any, len(object))
	for name, member := range object {
		made[name] = copyAny(member, depth+1)
	}
	return made
}

// Nil stays nil here, too.
func copyArray(array []any, depth int) []any {
	if array == nil {
		return nil
	}
	made := make([]any, len(array))
	for i, element := range array {
		made[i] = copyAny(element, depth+1)
	}
	return made
}
