module github.com/forgemind/forgemind/bench

go 1.26.0

require github.com/forgemind/forgemind v0.0.0

require (
	github.com/expr-lang/expr v1.17.8 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	github.com/kljensen/snowball v0.10.0 // indirect
	go.yaml.in/yaml/v4 v4.0.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.22.0 // indirect
)

replace github.com/forgemind/forgemind => ../
