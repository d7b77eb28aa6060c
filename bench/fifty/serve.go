// Package fifty has what the programs that measure startup share: fifty types, and the socket that they serve.
package fifty

import (
	"net"
	"net/http"
	"os"
	"time"
)

//go:generate go run ./generate

// Socket is the file descriptor of the listener that each program inherits. So a request can wait while the program
// starts.
const Socket = 3

// Serve serves the handler on the inherited socket until it fails.
func Serve(handler http.Handler) error {
	listener, err := net.FileListener(os.NewFile(Socket, "listener"))
	if err != nil {
		return err
	}
	server := http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}
