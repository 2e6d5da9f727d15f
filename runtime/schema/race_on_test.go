//go:build race

package schema

// raceDetector says that sync.Pool forgets on purpose, so that allocations
// cannot be counted.
const raceDetector = true
