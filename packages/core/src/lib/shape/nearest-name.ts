/** Suggestions for misspelled names. The unknown fields of a document get theirs in `object-shape.ts`. */

/** The known name with the smallest edit distance, if it is small enough for a typing error. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const given = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(given, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Edit distance: insertions, deletions, replacements and swaps of adjacent characters. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, replace)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (beforePrevious[j - 2] as number) + 1)
      row.push(least)
    }
    beforePrevious = previous
    previous = row
  }
  return previous[b.length] as number
}
