/**
 * Certificates that were read lately, and ids that name none. Bounded in number and time; what is read while something
 * changes is not kept, so that a removed certificate never comes back.
 */
import type { Clock, Millis } from '../../ports/clock.ts'
import type { StoredCertificate } from './stored-certificate.ts'

/** As long as existing nodes keep one (docs/reference/redis-records.md#stored-certificates). */
const keptMs = 300_000
/** Shorter for what is not there: it may be added by a node that cannot tell. */
const absentMs = 10_000
const most = 2000

interface Kept {
  readonly certificate: StoredCertificate | undefined
  readonly until: Millis
}

export interface CertificateCache {
  get(id: string): Kept | undefined
  /** The moment before a read; what is read since is kept only if nothing changed. */
  mark(): number
  put(id: string, certificate: StoredCertificate | undefined, mark: number): void
  forget(id: string): void
  forgetAll(): void
}

export function makeCertificateCache(clock: Pick<Clock, 'now'>): CertificateCache {
  const kept = new Map<string, Kept>()
  let changes = 0
  return {
    get(id) {
      const found = kept.get(id)
      return found !== undefined && clock.now() < found.until ? found : undefined
    },
    mark: () => changes,
    put(id, certificate, mark) {
      if (mark !== changes) return
      kept.delete(id)
      const oldest = kept.size >= most ? kept.keys().next() : undefined
      if (oldest?.value !== undefined) kept.delete(oldest.value)
      kept.set(id, { certificate, until: clock.now() + (certificate === undefined ? absentMs : keptMs) })
    },
    forget(id) {
      changes++
      kept.delete(id)
    },
    forgetAll() {
      changes++
      kept.clear()
    },
  }
}
