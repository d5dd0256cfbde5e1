module github.com/forgemind/forgemind/npm

go 1.26.0
