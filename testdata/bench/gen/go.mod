module example.com/rpcgen-bench/gen

go 1.26
