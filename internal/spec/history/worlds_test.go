package history_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/trove-api/trove/internal/spec"
)

// expected is a world with what its histories must have: for clerks, and for the boss.
type expected struct {
	spec.Client

	secrets      *rand.Rand
	clerks, boss map[int][]string // the changes of each record, the newest first
	status, note map[int]string
}

// change changes a record: the status as the random number says, and secrets as those of the world say. A secret may change
// alone, which clerks must not notice.
func (w *expected) change(random *rand.Rand, record int) {
	w.T.Helper()
	for range w.secrets.IntN(3) {
		w.patch("boss", record, w.status[record], fmt.Sprint(w.secrets.IntN(3)))
	}
	note := w.note[record]
	if w.secrets.IntN(2) == 0 {
		note = fmt.Sprint(w.secrets.IntN(3))
	}
	w.patch([]string{"ann", "bob", "boss"}[random.IntN(3)], record, fmt.Sprint("s", random.IntN(3)), note)
}

func (w *expected) patch(who string, record int, status, note string) {
	w.T.Helper()
	body := fmt.Sprintf(`{"status": %q, "note": %q, "pin": "%d"}`, status, note, w.secrets.IntN(9))
	w.Send(fmt.Sprint("PATCH /api/bookings/", record), body, "Authorization", "Bearer "+who).HasStatus(http.StatusOK)
	quoted := func(text string) string {
		if text == "" {
			return "null" // it is omitted
		}
		return fmt.Sprintf("%q", text)
	}
	all, public := "", ""
	if note != w.note[record] {
		all = `"note":{"from":` + quoted(w.note[record]) + `,"to":` + quoted(note) + `}`
	}
	if status != w.status[record] {
		public = fmt.Sprintf(`"status":{"from":%q,"to":%q}`, w.status[record], status)
		if all != "" {
			all += ","
		}
		all += public
	}
	entry := func(changes string) []string {
		return []string{fmt.Sprintf(`{"by":%q,"operation":"patchBooking","changes":{%s}}`, who, changes)}
	}
	if public != "" {
		w.clerks[record] = slices.Concat(entry(public), w.clerks[record])
	}
	if all != "" {
		w.boss[record] = slices.Concat(entry(all), w.boss[record])
	}
	w.status[record], w.note[record] = status, note
}

// TestTwoWorldsThatDifferInSecretsHaveTheSameHistories compares random worlds with lists of their changes, and with each other.
func TestTwoWorldsThatDifferInSecretsHaveTheSameHistories(t *testing.T) {
	t.Parallel()
	rounds, cursor := 10, regexp.MustCompile(`cursor=[^>]+`)
	if testing.Short() {
		rounds = 2
	}
	for name, empty := range sorts(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for round := range uint64(rounds) {
				var pages [2][]string
				for i := range pages {
					random := rand.New(rand.NewPCG(round, 1))
					w := &expected{
						Client: empty(t).client(t), secrets: rand.New(rand.NewPCG(round, uint64(2+i))),
						clerks: map[int][]string{}, boss: map[int][]string{}, status: map[int]string{}, note: map[int]string{},
					}
					for record := range 3 {
						w.Send("POST /api/bookings", `{"status": "s0"}`, "Authorization", "Bearer ann").HasStatus(http.StatusCreated)
						w.status[record+1] = "s0"
					}
					for range 20 {
						w.change(random, random.IntN(3)+1)
					}
					for record := range 3 {
						path := fmt.Sprintf("GET /api/bookings/%d/history", record+1)
						history(w.Client, path, "ann").Has("X-Total-Count", fmt.Sprint(len(w.clerks[record+1])+1))
						history(w.Client, path, "boss").Has("X-Total-Count", fmt.Sprint(len(w.boss[record+1])+1))
						for at, want := range map[string][]string{"ann": w.clerks[record+1], "boss": w.boss[record+1]} {
							for page, one := range want {
								history(w.Client, fmt.Sprint(path, "?itemsPerPage=1&page=", page+1), at).Is(http.StatusOK, "["+one+"]")
							}
						}
						for _, query := range []string{"", "?itemsPerPage=2", "?itemsPerPage=3&page=2", "?itemsPerPage=0", "?cursor=", "?itemsPerPage=1&cursor="} {
							r := history(w.Client, path+query, "ann")
							pages[i] = append(pages[i], r.Body, r.Header.Get("X-Total-Count"), cursor.ReplaceAllString(r.Header.Get("Link"), ""))
						}
					}
				}
				if !slices.Equal(pages[0], pages[1]) {
					t.Errorf("round %d: the histories of the second world differ:\n%q\n%q", round, pages[0], pages[1])
				}
			}
		})
	}
}
