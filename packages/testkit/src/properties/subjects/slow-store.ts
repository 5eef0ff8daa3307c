/** Stores whose calls take some microtask turns, so that concurrent calls interleave as over a network. */

export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await Promise.resolve()
}

/** Replaces methods of a part of a store: each waits so many turns before it calls the real one, and as many after it. */
export function slowed<Part extends object>(part: Part, turnsOf: { readonly [Name in keyof Part]?: number }): Part {
  const methods = Object.entries(turnsOf).map(([name, count]) => [
    name,
    async (...args: unknown[]) => {
      await turns(count as number)
      const method = part[name as keyof Part] as (...args: unknown[]) => unknown
      const result = await method.apply(part, args)
      await turns(count as number)
      return result
    },
  ])
  return { ...part, ...Object.fromEntries(methods) }
}
