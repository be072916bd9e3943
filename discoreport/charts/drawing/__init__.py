"""What figures are drawn with: layout, marks, theme, and the way to SVG and PNG. Knows no figure."""
