/** Entries by host name: exact names, names with variables (`{team}.example.com`), and one entry for all hosts. */
import { parseTemplate } from '../definition/listen-path.ts'
import type { Re2 } from '../lib/regex/re2.ts'

export class HostTable<T> {
  private readonly makeEntry: () => T
  private readonly exact = new Map<string, T>()
  private readonly patterns: { readonly host: string; readonly pattern: Re2; readonly entry: T }[] = []
  private anyHost: T | undefined = undefined

  constructor(makeEntry: () => T) {
    this.makeEntry = makeEntry
  }

  /** The entry of a host, created at the first call. The empty host stands for all hosts. */
  at(host: string): T {
    if (host === '') {
      this.anyHost ??= this.makeEntry()
      return this.anyHost
    }
    const name = host.toLowerCase()
    const known = this.exact.get(name) ?? this.patterns.find((one) => one.host === host)?.entry
    if (known !== undefined) return known
    const entry = this.makeEntry()
    const template = name.includes('{') ? parseTemplate(`${host}`, '[^.]+') : undefined
    const pattern = template?.problem === undefined ? template?.pattern : undefined
    if (pattern === undefined) this.exact.set(name, entry)
    else this.patterns.push({ host, pattern, entry })
    return entry
  }

  /** The first result among the entries of the host: exact name, then patterns, then the entry for all hosts. */
  find<R>(host: string | undefined, search: (entry: T) => R | undefined): R | undefined {
    if (host !== undefined && (this.exact.size > 0 || this.patterns.length > 0)) {
      const name = hostName(host)
      const exact = this.exact.get(name)
      const found = exact === undefined ? undefined : search(exact)
      if (found !== undefined) return found
      for (const { pattern, entry } of this.patterns) {
        if (pattern.exec(name)?.groups[0] !== name) continue
        const match = search(entry)
        if (match !== undefined) return match
      }
    }
    return this.anyHost === undefined ? undefined : search(this.anyHost)
  }
}

/** The name in a Host header, in lower case and without port. An IPv6 address keeps its brackets. */
export function hostName(host: string): string {
  const colon = host.indexOf(':', host.startsWith('[') ? host.indexOf(']') : 0)
  return (colon === -1 ? host : host.slice(0, colon)).toLowerCase()
}
