/** A configuration that may be shown: every text below a name that speaks of a secret is emptied. */

/** Too many names are better than one too few: what is blanked by mistake can still be read in the file. */
const speaksOfSecret = /secret|password|passwd|private|credential|api_?key|_key$|token$|license|connection_string/i

/** A copy without secrets; numbers and switches stay, since they are none. */
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

/** Addresses may carry a password: `redis://user:password@host`. */
function withoutUserInfo(text: string): string {
  return text.replace(/(\/\/)[^/@\s]+@/g, '$1')
}
