// Command notes is the first program of README.md: users sign in with a token, and their notes are their own.
package main
