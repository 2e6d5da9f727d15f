package render

import (
	"strings"
	"unicode/utf8"
)

// row is one line of a block whose cells stand in columns, as gofmt aligns
// them: fields of a struct, constants, variables.
type row struct {
	above string // comment lines above it, "" for none; they end the columns
	cells []string
}

// table prints the lines of a block. A cell that another one follows is as wide
// as its widest neighbour above and below, up to a line that has no such cell
// or a comment between the lines.
func (p *printer) table(rows []row) {
	widths := columnWidths(rows)
	for i, r := range rows {
		if r.above != "" {
			p.print("\t", strings.ReplaceAll(r.above, "\n", "\n\t"), "\n")
		}
		p.print("\t")
		for k, cell := range r.cells {
			p.print(cell)
			if k < len(r.cells)-1 {
				p.pad(widths[i][k] - utf8.RuneCountInString(cell) + 1)
			}
		}
		p.print("\n")
	}
}

// most is how many cells of a row have a width.
const most = 3

func columnWidths(rows []row) [][most]int {
	widths := make([][most]int, len(rows))
	for k := range most {
		for i := 0; i < len(rows); {
			end, width := column(rows, i, k)
			for ; i < end; i++ {
				widths[i][k] = width
			}
		}
	}
	return widths
}

// column returns where the column k that begins at row i ends, and its width.
// A row without such a column ends by itself.
func column(rows []row, i, k int) (end, width int) {
	for end = i; end < len(rows) && len(rows[end].cells) > k+1 && (end == i || rows[end].above == ""); end++ {
		width = max(width, utf8.RuneCountInString(rows[end].cells[k]))
	}
	return max(end, i+1), width
}

func (p *printer) pad(n int) {
	for range n {
		p.text = append(p.text, ' ')
	}
}
