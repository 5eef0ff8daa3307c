/** Which origins a page may come from: whole values, or values with one `*` inside that stands for anything. */
export interface OriginTest {
  /** Every origin is allowed, so that answers need not name the one that asked. */
  readonly all: boolean
  allows(origin: string): boolean
}

/** Compiles `allowed_origins`. Schemes and hosts do not depend on case (RFC 6454, 4), so neither does the test. */
export function compileOrigins(allowed: readonly string[]): OriginTest {
  if (allowed.includes('*')) return { all: true, allows: () => true }
  const whole = new Set<string>()
  const open: { readonly prefix: string; readonly suffix: string }[] = []
  for (const entry of allowed) {
    const value = entry.toLowerCase()
    const star = value.indexOf('*')
    if (star === -1) whole.add(value)
    else open.push({ prefix: value.slice(0, star), suffix: value.slice(star + 1) })
  }
  return {
    all: false,
    allows(origin) {
      const value = origin.toLowerCase()
      if (whole.has(value)) return true
      return open.some(
        ({ prefix, suffix }) =>
          value.length >= prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix),
      )
    },
  }
}
