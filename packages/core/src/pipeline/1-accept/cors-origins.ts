/** Allowed origins: whole values, or values with one `*` that matches any text. */
export interface OriginTest {
  /** Every origin is allowed, so responses need not name the origin of the request. */
  readonly all: boolean
  allows(origin: string): boolean
}

/** Compiles `allowed_origins`. Schemes and hosts are case-insensitive (RFC 6454 section 4). */
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
