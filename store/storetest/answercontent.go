package storetest

import (
	"bytes"
	"context"
	"strings"

	"github.com/trove-api/trove/store"
)

func answerContentRules() []rule[Record] {
	return []rule[Record]{
		{
			"the key of an answer may have 100 characters",
			"All of them count.",
			func(c *trial[Record]) {
				long := strings.Repeat("0123456789", 10)
				other := long[:99] + "x"
				keep(c, long, answerOf("first"))
				missesAnswer(c, other)
				keep(c, other, answerOf("second"))
				hasAnswer(c, long, answerOf("first"))
				hasAnswer(c, other, answerOf("second"))
			},
		},
		{
			"keys are equal only byte for byte",
			"They are secrets of clients: one must not meet another's answer.",
			keysAreExact,
		},
		{
			"the content of an answer is any bytes",
			"Each of the 256, in any order; none at all; text that is no UTF-8. So is the request.",
			anyBytes,
		},
		{
			"the content of an answer may have 1 MiB",
			"It comes back whole.",
			func(c *trial[Record]) {
				large := answerOf("large")
				large.Content = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
				keep(c, "key", large)
				hasAnswer(c, "key", large)
			},
		},
		{
			"an answer may be changed after it was kept",
			"The store keeps a copy.",
			answersAreCopies,
		},
	}
}

func keysAreExact(c *trial[Record]) {
	keys := []string{"key", "Key", "KEY", " key", "key ", "", "k%", "k_y", "'; DROP TABLE records; --", `"key"`, `k\ey`, "~!@#$%^&*()"}
	for _, key := range keys {
		keep(c, key, answerOf(key))
	}
	for _, key := range keys {
		hasAnswer(c, key, answerOf(key))
	}
}

func anyBytes(c *trial[Record]) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(255 - i)
	}
	for key, content := range map[string][]byte{
		"every": every, "none": {}, "nil": nil, "nul": {0}, "no UTF-8": {0xff, 0xfe, 'a', 0xc3}, "text": []byte(`{"a": "\u0000 ' \\"}`),
	} {
		answer := answerOf(key)
		answer.Request, answer.Content = content, content
		keep(c, key, answer)
		hasAnswer(c, key, answer)
	}
}

func answersAreCopies(c *trial[Record]) {
	answer := answerOf("first")
	answering(c, func(ctx context.Context, _ store.Tx[Record], answers store.AnswerTx) error {
		answer = answerOf("first")
		err := keepNew(ctx, answers, "key", answer)
		clear(answer.Request)
		clear(answer.Content)
		return err
	})
	hasAnswer(c, "key", answerOf("first"))
}
