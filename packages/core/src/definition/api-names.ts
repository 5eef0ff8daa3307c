/**
 * Finds an API by what a rewrite calls it: its id, or its name. An id wins over a name, the first of several equal
 * names over the later ones. Source: spec/apis-and-pipeline.md 4.5.
 */

/** The form in which API ids and names are compared: case ignored, all but letters and digits as dashes. */
export function loopName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '-')
}

/** What is looked for, by what identifies it. */
export interface Named {
  readonly id: string
  readonly name: string
}

/** Makes the index of a list that does not change any more. */
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
