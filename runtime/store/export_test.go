package store

// Size counts what the store remembers.
func (m *Memory) Size() (approvals, intents int) { return len(m.approvals), len(m.intents) }
