package diag

import "strings"

// Nearest returns the candidate that a person most likely meant by name, or
// "" when none is near. The first of equally near ones wins.
func Nearest(name string, candidates []string) string {
	const longest = 64 // longer names are no slips of the hand, and distance is quadratic
	if len(name) > longest {
		return ""
	}
	best, least := "", max(len(name)/3, 1)+1
	name = fold(name)
	for _, c := range candidates {
		if len(c) > longest || max(len(name)-len(c), len(c)-len(name)) >= least {
			continue
		}
		if d := distance(name, fold(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// fold makes spellings equal that differ in case and word separators only.
func fold(s string) string { return separators.Replace(strings.ToLower(s)) }

var separators = strings.NewReplacer("-", "_", " ", "_")

// distance is the optimal string alignment distance: insertions, deletions,
// replacements and swaps of neighbours each count one.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
