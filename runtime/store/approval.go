package store

import "time"

// The rules of approvals stand here once, for every store.

// Decidable reports why a decision about the approval cannot be taken.
func (a *Approval) Decidable(now time.Time, epoch string, d Decision) error {
	switch {
	case a.Epoch != epoch:
		return ErrEpoch
	case a.State != Requested:
		return ErrDecided
	case !now.Before(a.Expires):
		return ErrExpired
	case a.ViewDigest != d.ViewDigest:
		return ErrView
	case d.By == "" || d.By == a.Tuple.Principal:
		return ErrSelfApproval
	default:
		return nil
	}
}

// State is what the decision makes of an approval.
func (d Decision) State() State {
	if d.Approve {
		return Approved
	}
	return Denied
}

// Usable reports why the approval is not for a call with this tuple, made in
// an epoch in which its endpoint has a generation.
func (a *Approval) Usable(now time.Time, epoch string, generation uint64, t Tuple) error {
	switch {
	case a.Epoch != epoch:
		return ErrEpoch
	case a.Tuple != t:
		return ErrMismatch
	case a.State == Consumed:
		return ErrConsumed
	case a.State == Denied:
		return ErrDenied
	case a.State != Approved:
		return ErrUndecided
	case !now.Before(a.Expires):
		return ErrExpired
	case generation != t.Generation:
		return ErrMoved
	default:
		return nil
	}
}
