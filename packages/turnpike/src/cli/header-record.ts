/** Converts header pairs to an object, joining headers of the same name with a comma. */
export function headerRecord(pairs: readonly string[]): Record<string, string> {
  const record: Record<string, string> = Object.create(null)
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const name = pairs[i] as string
    const value = pairs[i + 1] as string
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`
  }
  return record
}
