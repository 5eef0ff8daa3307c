/** Entries by host name: exact names, names with variables (`{team}.example.com`), and one entry for all hosts. */
import { parseHostName } from '../definition/listen-path.ts'
import type { Re2 } from '../lib/regex/re2.ts'

interface HostPattern<T> {
  readonly host: string
  readonly pattern: Re2
  /** The pattern names a TCP port, so the port of the request counts. */
  readonly hasPort: boolean
  readonly entry: T
}

export class HostTable<T> {
  private readonly makeEntry: () => T
  private readonly exact = new Map<string, T>()
  private readonly patterns: HostPattern<T>[] = []
  private anyHost: T | undefined = undefined

  constructor(makeEntry: () => T) {
    this.makeEntry = makeEntry
  }

  /** The entry of a host, created at the first call. The empty host means all hosts. */
  at(host: string): T {
    if (host === '') {
      this.anyHost ??= this.makeEntry()
      return this.anyHost
    }
    const name = host.toLowerCase()
    const known = this.exact.get(name) ?? this.patterns.find((one) => one.host === host)?.entry
    if (known !== undefined) return known
    const entry = this.makeEntry()
    const template = name.includes('{') ? parseHostName(host) : undefined
    const pattern = template?.problem === undefined ? template?.pattern : undefined
    if (pattern === undefined) this.exact.set(name, entry)
    else this.patterns.push({ host, pattern, hasPort: /:\d+$/.test(host), entry })
    return entry
  }

  /**
   * The result with the largest weight among the entries of the host. At equal weight the exact name wins over patterns,
   * and the entry for all hosts comes last.
   */
  best<R extends { readonly weight: number }>(
    host: string | undefined,
    search: (entry: T) => R | undefined,
  ): R | undefined {
    let best: R | undefined
    const consider = (entry: T | undefined) => {
      const found = entry === undefined ? undefined : search(entry)
      if (found !== undefined && (best === undefined || found.weight > best.weight)) best = found
    }
    if (host !== undefined && (this.exact.size > 0 || this.patterns.length > 0)) {
      const name = hostName(host)
      consider(this.exact.get(name))
      if (name.length !== host.length) consider(this.exact.get(host.toLowerCase()))
      for (const { pattern, hasPort, entry } of this.patterns) {
        const text = hasPort ? host.toLowerCase() : name
        if (pattern.test(text)) consider(entry)
      }
    }
    if (this.anyHost !== undefined) consider(this.anyHost)
    return best
  }
}

/** The name in a Host header, in lower case and without port. An IPv6 address keeps its brackets. */
export function hostName(host: string): string {
  const colon = host.indexOf(':', host.startsWith('[') ? host.indexOf(']') : 0)
  return (colon === -1 ? host : host.slice(0, colon)).toLowerCase()
}
