/** Header pairs by name, lines of one name joined: the form that JSON shows them in. */
export function headerRecord(pairs: readonly string[]): Record<string, string> {
  const record: Record<string, string> = Object.create(null)
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const name = pairs[i] as string
    const value = pairs[i + 1] as string
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`
  }
  return record
}
