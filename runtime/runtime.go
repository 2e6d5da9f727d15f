// Package runtime is what hosts and generated packages touch: a Registry of
// endpoints, Callers that stand for principals, and one call path that every
// call takes, whoever makes it. Nothing is sent unless the owner's amendment
// classified the method, the principal holds the right, the params fit their
// schema and every rule agrees.
//
// The package never logs, never retries a write, never follows a server's
// wish about where to go, and puts no remote text, no secret and no URL into
// its errors. Start with NewRegistry, Registry.Register and Registry.Caller.
package runtime

// Generation1 is named by generated code that fits this runtime. A runtime
// that no longer fits does not have the name, and the build says so.
const Generation1 = 1
