package storetest

import (
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/store"
)

// OpenTogether opens a store that is not there yet many times at once: one of
// them makes it, and all of them have the same.
func OpenTogether(t *testing.T, open func() (store.Store, error)) {
	var mu sync.Mutex
	epochs := map[string]int{}
	var all sync.WaitGroup
	for range racers {
		all.Go(func() {
			s, err := open()
			if err != nil {
				t.Error(err)
				return
			}
			epoch, err := s.Epoch(t.Context())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			epochs[epoch]++
			mu.Unlock()
		})
	}
	all.Wait()
	if len(epochs) != 1 {
		t.Errorf("epochs: %v", epochs)
	}
}
