/** Removes secrets from a configuration: every text below a name that suggests a secret becomes empty. */

/** Errs on the side of removal: a value removed by mistake can still be read in the file. */
const speaksOfSecret = /secret|password|passwd|private|credential|api_?key|_key$|token$|license|connection_string/i

/** Returns a copy without secrets. Numbers and booleans stay. */
export function blankSecrets(value: unknown): unknown {
  return copy(value, false)
}

function copy(value: unknown, blank: boolean): unknown {
  if (typeof value === 'string') return blank ? '' : withoutUserInfo(value)
  if (Array.isArray(value)) return value.map((entry) => copy(entry, blank))
  if (typeof value !== 'object' || value === null) return value
  const out: Record<string, unknown> = Object.create(null)
  for (const [name, entry] of Object.entries(value)) out[name] = copy(entry, blank || speaksOfSecret.test(name))
  return out
}

/** A URL can contain a password: `redis://user:password@host`. */
function withoutUserInfo(text: string): string {
  return text.replace(/(\/\/)[^/@\s]+@/g, '$1')
}
