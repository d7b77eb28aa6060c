package soak_test

import (
	"fmt"
	"sync"
	"testing"
)

// maxFindings is how many findings are reported in full.
const maxFindings = 20

// findings collects errors from many goroutines.
type findings struct {
	mu    sync.Mutex
	texts []string
	more  int
}

func (f *findings) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.texts) == maxFindings {
		f.more++
		return
	}
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

func (f *findings) report(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, text := range f.texts {
		t.Error(text)
	}
	if f.more > 0 {
		t.Errorf("and %d findings more", f.more)
	}
}

// shorten cuts a text that is quoted in a finding.
func shorten[T ~string | ~[]byte](text T) string {
	if len(text) > 300 {
		return string(text[:300]) + "…"
	}
	return string(text)
}
