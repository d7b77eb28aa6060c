package cli

import (
	"net"
	"testing"
)

func TestAnAddressForAllInterfacesIsPrintedAsLocalhost(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"127.0.0.1:80": "127.0.0.1:80", "[::1]:80": "[::1]:80", "0.0.0.0:80": "localhost:80", "[::]:80": "localhost:80"} {
		tcp, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := browsable(tcp); got != want {
			t.Errorf("%s is printed as %s, want %s", address, got, want)
		}
	}
}
