package compiled

// Held is embedded by the public type of an API. Its method can be called by [Of] alone, so
// that packages of Trove reach the model, and no public signature names it. The zero value
// holds none.
type Held struct{ model *API }

// Hold returns what embeds the model.
func Hold(model *API) Held { return Held{model} }

func (h Held) held() *API { return h.model }

// Of returns the model that the type of an API embeds.
func Of(api interface{ held() *API }) *API { return api.held() }
