// Package browser holds the tests that show the dashboard to a browser:
//
//	cd browser && GOWORK=off go test -count=1 .
//
// They build forgemind and need a chromium on the PATH; without one they are
// skipped and say so. -bench Dashboard measures how long people wait. With AXE
// naming the file axe.min.js of axe-core its findings are tests too; -artifacts
// -outputdir DIR keeps the screenshots for people to look at. -run TestPictures
// -pictures ../docs takes the pictures of README anew.
//
// The package is a module of its own, so that programs that import forgemind do
// not depend on the library that drives the browser. go.work leaves it out, so
// that `go list -m all` names what forgemind needs.
package browser
