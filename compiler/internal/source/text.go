package source

// ReadText opens path like [ReadFile] and checks that it is UTF-8 text, no
// more: the File has neither Root nor Digest. It is for files of lines, whose readers hand the
// values they find to [Read].
func ReadText(path, name string, l Limits) (*File, error) {
	b, err := load(hostFiles{}, path, name, l.withDefaults(defaultBytes).Bytes)
	if err != nil {
		return nil, err
	}
	return Text(name, b)
}

// Text is ReadText for bytes at hand. The File keeps b, which must not change.
func Text(name string, b []byte) (*File, error) {
	if b == nil {
		b = []byte{}
	}
	f := &File{Name: name, Bytes: b}
	if err := f.checkText(false); err != nil {
		return nil, err
	}
	return f, nil
}
