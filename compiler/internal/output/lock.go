package output

import "time"

// How long a run waits for another one on the same folder: a minute in all.
const (
	lockTries = 600
	lockPause = 100 * time.Millisecond
)
