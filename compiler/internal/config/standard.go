package config

// standard holds the names of the packages of the standard library. A package
// of ours with such a name would be taken for the other one by readers and by
// tools that add imports.
var standard = []string{
	"adler32", "aes", "ascii85", "asn1", "ast", "atomic", "base32", "base64", "big", "binary",
	"bits", "bufio", "build", "buildinfo", "bytes", "bzip2", "cgi", "cgo", "cipher", "cmp",
	"cmplx", "color", "comment", "constant", "constraint", "context", "cookiejar", "coverage",
	"crc32", "crc64", "crypto", "cryptotest", "csv", "debug", "des", "doc", "draw", "driver",
	"dsa", "dwarf", "ecdh", "ecdsa", "ed25519", "elf", "elliptic", "embed", "encoding", "errors",
	"exec", "expvar", "fcgi", "filepath", "fips140", "flag", "flate", "fmt", "fnv", "format", "fs",
	"fstest", "gif", "gob", "gosym", "gzip", "hash", "heap", "hex", "hkdf", "hmac", "hpke", "html",
	"http", "httptest", "httptrace", "httputil", "image", "importer", "io", "iotest", "ioutil",
	"iter", "jpeg", "json", "jsonrpc", "list", "log", "lzw", "macho", "mail", "maphash", "maps",
	"math", "md5", "metrics", "mime", "mlkem", "mlkemtest", "multipart", "net", "netip", "os",
	"palette", "parse", "parser", "path", "pbkdf2", "pe", "pem", "pkix", "plan9obj", "plugin",
	"png", "pprof", "printer", "quick", "quotedprintable", "race", "rand", "rc4", "reflect",
	"regexp", "ring", "rpc", "rsa", "runtime", "scanner", "sha1", "sha256", "sha3", "sha512",
	"signal", "slices", "slog", "slogtest", "smtp", "sort", "sql", "strconv", "strings", "structs",
	"subtle", "suffixarray", "sync", "synctest", "syntax", "syscall", "syslog", "tabwriter", "tar",
	"template", "testing", "textproto", "time", "tls", "token", "trace", "types", "tzdata",
	"unicode", "unique", "unsafe", "url", "user", "utf16", "utf8", "version", "weak", "x509",
	"xml", "zip", "zlib",
}
