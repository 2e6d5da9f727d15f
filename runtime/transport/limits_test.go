package transport

import (
	"testing"
	"time"
)

// Zero is the default and never "none"; what is out of bounds is an error.
func TestLimits(t *testing.T) {
	got, err := Limits{}.WithDefaults()
	want := Limits{Request: 64 << 10, Response: 1 << 20, Timeout: 10 * time.Second, InFlight: 128, Idle: 30 * time.Second}
	if err != nil || got != want {
		t.Errorf("defaults %+v, %v, want %+v", got, err, want)
	}
	most := Limits{Request: 1 << 20, Response: 8 << 20, Timeout: 10 * time.Minute, InFlight: 4096, Idle: 10 * time.Minute}
	if got, err := most.WithDefaults(); err != nil || got != most {
		t.Errorf("the most: %+v, %v", got, err)
	}
	for _, bad := range []Limits{
		{Request: 1<<20 + 1}, {Response: 8<<20 + 1}, {Timeout: 10*time.Minute + 1}, {InFlight: 4097}, {Idle: 10*time.Minute + 1},
		{Request: -1}, {Response: -1}, {Timeout: -1}, {InFlight: -1}, {Idle: -1},
	} {
		if _, err := bad.WithDefaults(); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
		if _, err := New(Config{URL: "https://a.example/", Limits: bad}); err == nil {
			t.Errorf("an endpoint with %+v is made", bad)
		}
	}
}
