// Command notes is the first program of README.md: users sign in with a password, and their notes are their own.
package main
