/**
 * Finds an API by the id or the name in a URL rewrite. An id comes before a name, and the first of several equal names
 * before the later ones. Source: docs/reference/transforms.md#loops.
 */

/** The form for comparing ids and names: lower case, with a dash for every character except letters and digits. */
export function loopName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '-')
}

/** What identifies an entry. */
export interface Named {
  readonly id: string
  readonly name: string
}

/** Indexes a list, which must not change afterwards. */
export function makeApiNames<T>(list: readonly T[], describe: (one: T) => Named): (name: string) => T | undefined {
  const index = new Map<string, T>()
  const add = (text: string, one: T) => {
    const name = loopName(text)
    if (name !== '' && !index.has(name)) index.set(name, one)
  }
  for (const one of list) add(describe(one).id, one)
  for (const one of list) add(describe(one).name, one)
  return (name) => index.get(loopName(name))
}
