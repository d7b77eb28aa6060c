package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

const (
	cookieName  = "session"
	sessionTime = 14 * 24 * time.Hour
)

// routeSessions serves signing in and out: routes beside the operations, none of which sets a cookie.
func (h *hoard) routeSessions(router chi.Router) {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(refusal(http.StatusForbidden, "Pages of other origins may not sign in or out."))
	router = router.With(origin.Handler, middleware.ThrottleBacklog(8, 1000, 10*time.Second)) // each hash takes 19 MiB
	router.With(limitRate((h.rate+59)/60)).Post("/api/login", h.login)                        // for those who guess passwords
	router.Post("/api/logout", h.logout)
}

// login begins a session: 204 with its cookie and the address of the user.
func (h *hoard) login(w http.ResponseWriter, r *http.Request) {
	session, err := h.signIn(r)
	if refused, ok := errors.AsType[operation.Error](err); ok {
		w.Header().Set("WWW-Authenticate", `Cookie realm="session"`)
		resource.WriteError(w, r, refused)
	} else if err != nil {
		slog.ErrorContext(r.Context(), "signing in failed", "error", err)
		resource.WriteError(w, r, operation.Error{Status: http.StatusServiceUnavailable})
	} else {
		setCookie(w, r, session.Token, sessionTime)
		w.Header().Set("Location", "/api/users/"+strconv.FormatInt(session.Owner, 10))
		w.WriteHeader(http.StatusNoContent)
	}
}

// signIn checks an email and a password, and returns a new session with its secret.
func (h *hoard) signIn(r *http.Request) (session APIToken, err error) {
	var in struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
	isJSON := strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")
	if !isJSON || json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&in) != nil {
		return session, operation.Error{Status: http.StatusBadRequest, Detail: `Send {"email": …, "password": …} as application/json.`}
	}
	user, err := one(r.Context(), h.users, "email", in.Email)
	if errors.Is(err, access.ErrCredentials) {
		user, err = &User{}, nil
	}
	if err == nil && !h.hashing.matches(in.Password, user.Password) {
		err = operation.Error{Status: http.StatusUnauthorized, Detail: "Invalid credentials."}
	}
	if err != nil {
		return session, err
	}
	session = APIToken{Owner: user.ID, ExpiresAt: new(time.Now().Add(sessionTime)), Session: true}
	err = h.tokens.Transact(r.Context(), func(ctx context.Context, tx store.Tx[APIToken]) error {
		return issue(ctx, nil, &session, tx.Insert)
	})
	return session, err
}

// logout ends the session of the request, if it has one.
func (h *hoard) logout(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie(cookieName)
	if err == nil {
		err = h.tokens.Transact(r.Context(), func(ctx context.Context, tx store.Tx[APIToken]) error {
			caller, _, err := h.bySession(ctx, cookie.Value)
			if err != nil {
				return err
			}
			return tx.Delete(ctx, caller.Token.ID)
		})
	}
	if err != nil && !errors.Is(err, http.ErrNoCookie) && !errors.Is(err, access.ErrCredentials) && !errors.Is(err, store.ErrNotFound) {
		resource.WriteError(w, r, operation.Error{Status: http.StatusServiceUnavailable})
		return
	}
	setCookie(w, r, "", -time.Second)
	w.WriteHeader(http.StatusNoContent)
}

func setCookie(w http.ResponseWriter, r *http.Request, secret string, lasts time.Duration) {
	secure := r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever there is TLS
		Name: cookieName, Value: secret, Path: "/", MaxAge: int(lasts.Seconds()),
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	})
}

// bySession says whose a session is. It grants everything.
func (h *hoard) bySession(ctx context.Context, secret string) (*Caller, access.Scopes, error) {
	caller, _, err := h.byToken(ctx, secret)
	if err == nil && !caller.Token.Session {
		err = access.ErrCredentials
	}
	return caller, access.Unlimited, err
}
