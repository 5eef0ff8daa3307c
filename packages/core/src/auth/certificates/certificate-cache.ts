/**
 * A bounded cache of certificates and of ids that name no certificate. A read that overlaps an invalidation is not
 * cached, so that a removed certificate never reappears.
 */
import type { Clock, Millis } from '../../ports/clock.ts'
import type { StoredCertificate } from './stored-certificate.ts'

/** The lifetime that existing nodes use (docs/reference/redis-records.md#stored-certificates). */
const lifetimeMs = 300_000
/** Shorter for missing certificates, because another node may add one and its signal may be lost. */
const missingLifetimeMs = 10_000
const maxEntries = 2000

interface CachedCertificate {
  readonly certificate: StoredCertificate | undefined
  readonly expiresAt: Millis
}

export interface CertificateCache {
  get(id: string): CachedCertificate | undefined
  /** Returns the cache version. Call it before a read; `put` ignores the result if the version changed since. */
  version(): number
  put(id: string, certificate: StoredCertificate | undefined, version: number): void
  forget(id: string): void
  forgetAll(): void
}

export function makeCertificateCache(clock: Pick<Clock, 'now'>): CertificateCache {
  const entries = new Map<string, CachedCertificate>()
  let changes = 0
  return {
    get(id) {
      const found = entries.get(id)
      return found !== undefined && clock.now() < found.expiresAt ? found : undefined
    },
    version: () => changes,
    put(id, certificate, version) {
      if (version !== changes) return
      entries.delete(id)
      const oldest = entries.size >= maxEntries ? entries.keys().next() : undefined
      if (oldest?.value !== undefined) entries.delete(oldest.value)
      entries.set(id, {
        certificate,
        expiresAt: clock.now() + (certificate === undefined ? missingLifetimeMs : lifetimeMs),
      })
    },
    forget(id) {
      changes++
      entries.delete(id)
    },
    forgetAll() {
      changes++
      entries.clear()
    },
  }
}
