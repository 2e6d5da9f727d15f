package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// MaxID is the length of the longest endpoint id and the longest logical id.
const MaxID = 64

// CheckID reports why id cannot be an endpoint id: [a-z][a-z0-9_]{0,63}.
func CheckID(id string) error {
	if id == "" {
		return fmt.Errorf("an endpoint id is empty")
	}
	if len(id) > MaxID {
		return fmt.Errorf("endpoint id %q is longer than %d characters", id[:MaxID]+"...", MaxID)
	}
	if id[0] < 'a' || id[0] > 'z' || strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return fmt.Errorf("endpoint id %q is not of the form [a-z][a-z0-9_]*", id)
	}
	return nil
}

// LogicalIDs returns the logical id of every wire name; names are distinct.
//
// An id is the name in snake case: "invoice.get" and "invoiceGet" give
// invoice_get, "eth_getURLByID" gives eth_get_url_by_id. A name that holds
// anything but ASCII, gives nothing, or gives more than 64 characters gets a
// hash of the whole name as its suffix. These rules look at one name alone.
//
// Where several names give one id, each of them gets the suffix and nobody
// keeps the bare id: a right granted on that id then opens none of them,
// rather than a method that was added later. No other method's id moves.
func LogicalIDs(names []string) []string {
	ids, hashed := make([]string, len(names)), make([]int, len(names))
	for i, name := range names {
		base, whole := snake(name)
		if !whole || base == "" || len(base) > MaxID {
			hashed[i] = hashSteps[0]
		}
		ids[i] = withHash(base, name, hashed[i])
	}
	for range hashSteps {
		for _, i := range clashing(ids) {
			hashed[i] = nextHash(hashed[i])
			base, _ := snake(names[i])
			ids[i] = withHash(base, names[i], hashed[i])
		}
	}
	return ids
}

// hashSteps are the lengths a suffix may have. The last one alone tells any
// two names apart.
var hashSteps = []int{8, 16, 32, 63}

func nextHash(n int) int {
	for _, step := range hashSteps {
		if step > n {
			return step
		}
	}
	return n
}

// clashing returns the indices of all ids that occur more than once, in order.
func clashing(ids []string) []int {
	count := make(map[string]int, len(ids))
	for _, id := range ids {
		count[id]++
	}
	var all []int
	for i, id := range ids {
		if count[id] > 1 {
			all = append(all, i)
		}
	}
	return all
}

func withHash(base, name string, n int) string {
	if n == 0 {
		return base
	}
	sum := sha256.Sum256([]byte("rpcgen/logical-id/v1\x00" + name))
	hash := hex.EncodeToString(sum[:])[:n]
	room := max(MaxID-n-1, 0)
	base = strings.TrimRight(base[:min(len(base), room)], "_")
	if base == "" {
		return hash
	}
	return base + "_" + hash
}

// snake returns name in snake case. whole is false when name holds something
// that the result cannot show: a character beyond ASCII or a control.
func snake(name string) (id string, whole bool) {
	whole = true
	b := make([]byte, 0, len(name)+8)
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b = append(b, c)
		case 'A' <= c && c <= 'Z':
			if startsWord(name, i) {
				b = appendBreak(b)
			}
			b = append(b, c+'a'-'A')
		default:
			whole = whole && ' ' <= c && c < 0x7f
			b = appendBreak(b)
		}
	}
	return strings.Trim(string(slices.Clip(b)), "_"), whole
}

// startsWord reports whether the capital at i opens a word: "getURL" does at
// U, "URLFor" does at F, "getURL" does not at R.
func startsWord(name string, i int) bool {
	if i == 0 {
		return false
	}
	before := name[i-1]
	if 'a' <= before && before <= 'z' || '0' <= before && before <= '9' {
		return true
	}
	isCapital := 'A' <= before && before <= 'Z'
	return isCapital && i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z'
}

func appendBreak(b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] == '_' {
		return b
	}
	return append(b, '_')
}
