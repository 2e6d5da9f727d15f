package drift

import (
	"fmt"
	"strings"
)

// Title says in a few words where a part stands, and which of the cause's
// methods it reaches where that is not all of them. It repeats names of
// documents: escape it before it reaches a terminal.
func (c *Cause) Title(p *Part) string {
	some := ""
	if len(p.Methods) < len(c.Methods) {
		some = listed((&Cause{Methods: p.Methods}).Names())
	}
	switch {
	case p.Type == "" && some != "":
		return some
	case p.Type == "" && len(p.Methods) == 1:
		return "the method"
	case p.Type == "":
		return "each of these methods"
	case some != "":
		return p.typeTitle() + ", in " + some
	default:
		return p.typeTitle()
	}
}

func (p *Part) typeTitle() string {
	if len(p.Copies) > 1 {
		return fmt.Sprintf("type %s, spelled alike in %d places", p.Type, len(p.Copies))
	}
	return "type " + p.Type
}

// listed joins names as people do.
func listed(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// String says what changed, and begins with + for what came, - for what went
// and ~ for what became something else. It repeats names and values of
// documents: escape it before it reaches a terminal.
func (c Change) String() string {
	switch c.Kind {
	case ParamAdded:
		return fmt.Sprintf("+ param %s: %s", c.Name, c.Now.Text)
	case ParamRemoved:
		return fmt.Sprintf("- param %s: %s", c.Name, c.Was.Text)
	case ParamsReplaced:
		return fmt.Sprintf("~ params: all replaced, were %s", c.Was.Text)
	case ParamsOrder:
		return fmt.Sprintf("~ order of params: %s -> %s", c.Was.Text, c.Now.Text)
	case ParamsLayout:
		return fmt.Sprintf("~ params travel as: %s -> %s", c.Was.Text, c.Now.Text)
	case AnswerChanged:
		return fmt.Sprintf("~ result: %s -> %s", or(c.Was.Text, "none"), or(c.Now.Text, "none"))
	case ErrorAdded:
		return fmt.Sprintf("+ error %s: %s", c.Name, c.Now.Text)
	case ErrorRemoved:
		return fmt.Sprintf("- error %s: %s", c.Name, c.Was.Text)
	case MemberAdded, BranchAdded:
		return fmt.Sprintf("+ %s: %s", c.Path, c.Now.Text)
	case MemberRemoved, BranchRemoved:
		return fmt.Sprintf("- %s: was %s", c.Path, c.Was.Text)
	case BecameRequired, BecameOptional:
		return fmt.Sprintf("~ %s: %s -> %s", c.Path, c.Was.Text, c.Now.Text)
	case KeywordAdded:
		return fmt.Sprintf("+ %s%s: %s", c.place(), c.Name, c.Now.Text)
	case KeywordRemoved:
		return fmt.Sprintf("- %s%s: was %s", c.place(), c.Name, c.Was.Text)
	case KeywordChanged, BranchesOrder:
		return fmt.Sprintf("~ %s%s: %s -> %s", c.place(), c.Name, c.Was.Text, c.Now.Text)
	case MethodAdded:
		return "+ the method is new"
	case MethodRemoved:
		return "- the method is gone"
	case Unseen:
		return fmt.Sprintf("~ the %s, in what the compiled form does not show: a default, a keyword that nobody knows, or how params may travel", c.Side)
	default:
		panic("drift: no kind " + string(c.Kind))
	}
}

// place is where a keyword stands; nothing at the type itself. A keyword that
// holds a schema is the last step of its own path, and is told once.
func (c Change) place() string {
	at := strings.TrimSuffix(c.Path, "/"+c.Name)
	if at == "" {
		return ""
	}
	return at + " "
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
