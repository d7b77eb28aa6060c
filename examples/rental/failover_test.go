package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patroni is a cluster of two nodes, as .ci/failover starts it.
type patroni struct {
	*load

	urls   []string
	folder string
	probed pulse // writes of a plain connection: how long the cluster itself is unavailable
}

// node is a node in the response of Patroni.
type node struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	State string `json:"state"`
}

// nodes returns the nodes that a Patroni knows.
func (p *patroni) nodes() []node {
	for _, url := range p.urls {
		var cluster struct {
			Members []node `json:"members"`
		}
		if status, body := p.ask(http.MethodGet, url+"/cluster", ""); status == http.StatusOK && json.Unmarshal(body, &cluster) == nil {
			return cluster.Members
		}
	}
	return nil
}

// ask sends a request to a Patroni.
func (p *patroni) ask(method, url, body string) (int, []byte) {
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	got, err := client.Do(r)
	if err != nil {
		return 0, nil
	}
	defer got.Body.Close()
	text, _ := io.ReadAll(got.Body)
	return got.StatusCode, text
}

// primary returns the number of the primary, and that of its standby. It waits until the standby is synchronous, so that a
// failover to it loses nothing.
func (p *patroni) primary() (primary, standby string) {
	p.t.Helper()
	for ; p.runs(); time.Sleep(100 * time.Millisecond) {
		for _, each := range p.nodes() {
			n := strings.TrimPrefix(each.Name, "node")
			switch {
			case each.Role == "leader" && each.State == "running":
				primary = n
			case each.Role == "sync_standby" && (each.State == "running" || each.State == "streaming"):
				standby = n
			}
		}
		if primary != "" && standby != "" && primary != standby {
			return primary, standby
		}
	}
	p.t.Fatalf("no node is a synchronous standby: %v", p.nodes())
	return "", ""
}

// probe writes through a plain connection until the load ends.
func (p *patroni) probe(dsn string) {
	var conn *pgx.Conn
	for p.runs() {
		ctx, cancel := context.WithTimeout(p.ctx, time.Second)
		var err error
		if conn == nil {
			if conn, err = pgx.Connect(ctx, dsn); err == nil {
				_, err = conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS probes AS SELECT 0 AS n")
			}
		}
		if err == nil {
			_, err = conn.Exec(ctx, "UPDATE probes SET n = n + 1")
		}
		switch {
		case err == nil:
			p.probed.beat()
		case conn != nil:
			_ = conn.Close(ctx)
			conn = nil
		}
		cancel()
		time.Sleep(10 * time.Millisecond)
	}
	if conn != nil {
		_ = conn.Close(context.WithoutCancel(p.ctx))
	}
}

// survive runs a fault, after which the instances must save changes again at most two seconds after the cluster does.
func (p *patroni) survive(fault string, run func()) {
	p.t.Helper()
	p.probed.reset()
	longest := p.during(fault, run)
	cluster, _ := p.probed.read()
	p.t.Logf("%s: a plain connection saved nothing for %s", fault, cluster.Round(time.Millisecond))
	if longest > cluster+2*time.Second {
		p.t.Errorf("%s: an instance saved nothing for %s, the cluster for %s", fault, longest, cluster)
	}
}

func TestFailoverLosesNothingAcknowledgedAndEndsWithinTwoSecondsOfThatOfTheCluster(t *testing.T) {
	t.Parallel()
	dsns, folder := strings.Fields(os.Getenv("TROVE_TEST_FAILOVER")), os.Getenv("TROVE_TEST_FAILOVER_FOLDER")
	if len(dsns) != 2 {
		t.Skip("run it by .ci/failover")
	}
	p := &patroni{load: newLoad(t, 5*time.Minute, dsns...), urls: strings.Fields(os.Getenv("TROVE_TEST_FAILOVER_PATRONI")), folder: folder}
	p.group.Go(func() { p.probe(dsns[0]) })
	p.wait(p.instances[:]...)
	p.survive("a switchover", func() {
		primary, standby := p.primary()
		if status, body := p.ask(http.MethodPost, p.urls[0]+"/switchover", `{"leader":"node`+primary+`","candidate":"node`+standby+`"}`); status != http.StatusOK {
			t.Errorf("Patroni returns %d %s", status, body)
		}
	})
	killed, _ := p.primary()
	p.survive("kill -9 of the primary and its Patroni", func() { p.signal(p.folder, killed, "KILL") })
	for n, i := range p.instances {
		if i.unready.Load() == 0 {
			t.Errorf("instance %d is ready without a primary", n+1)
		}
	}
	p.survive("the old primary comes back", func() {
		p.begin(folder, killed)
		p.primary()
	})
	frozen, standby := p.primary()
	p.survive("the primary and its Patroni freeze", func() {
		p.signal(p.folder, frozen, "STOP")
		for leads := false; !leads && p.runs(); time.Sleep(100 * time.Millisecond) {
			leads = slices.ContainsFunc(p.nodes(), func(n node) bool { return n.Name == "node"+standby && n.Role == "leader" && n.State == "running" })
		}
	})
	p.signal(p.folder, frozen, "KILL")
	p.begin(folder, frozen)
	p.survive("kill -9 of the standby", func() {
		_, standby := p.primary()
		p.signal(p.folder, standby, "KILL")
	})
	p.finish()
}
