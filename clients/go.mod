module github.com/forgemind/forgemind/clients

go 1.26.0
