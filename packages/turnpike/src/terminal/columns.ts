/** Aligns text in columns, each as wide as its longest cell. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) {
      if (i < row.length - 1) widths[i] = Math.max(widths[i] ?? 0, cell.length)
    }
  }
  return rows.map((row) =>
    row
      .map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell))
      .join(gap)
      .trimEnd(),
  )
}
