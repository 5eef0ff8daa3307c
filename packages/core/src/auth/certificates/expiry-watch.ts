/**
 * Tells of certificates in use whose time is nearly over, or over: events for those who keep them. One node of a store
 * looks at a certificate in a while, and none tells twice within a longer one. Source: docs/reference/configuration.md#configuration-keys,
 * docs/reference/redis-layout.md#redis-keys.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Events } from '../../observability/events/events.ts'
import type { Clock, Millis } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { CertificateDetails } from '../../ports/pem-codec.ts'
import type { RecordStore } from '../../ports/store.ts'
import { certificateCooldown } from './certificate-names.ts'

/** A certificate that something names. */
export interface CertificateUse {
  /** Id or file. */
  readonly name: string
  readonly role: 'client' | 'upstream' | 'server'
  /** `undefined`: the configuration names it. */
  readonly api: ApiDefinition | undefined
}

export interface ExpiryWatchOptions {
  readonly clock: Clock
  readonly events: Events
  readonly records: Pick<RecordStore, 'add'>
  readonly log: Log
  /** Certificates named at this moment. */
  uses(): readonly CertificateUse[]
  /** What a certificate says of itself; `undefined`: it is not there. */
  details(name: string): Maybe<CertificateDetails | undefined>
  /** How long before its end a certificate is told of. */
  readonly warningMs: Millis
  /** How often a certificate is looked at. */
  readonly checkEveryMs: Millis
  /** How often the same is told. */
  readonly reportEveryMs: Millis
}

export interface ExpiryWatch {
  /** Looks at all certificates now, but for those that were looked at lately. Never rejects. */
  check(): Promise<void>
  stop(): void
}

const msPerDay = 86_400_000

/** Looks by itself from now on. */
export function makeExpiryWatch(parts: ExpiryWatchOptions): ExpiryWatch {
  const { clock, events, records, log } = parts

  const look = async ({ name, role, api }: CertificateUse) => {
    const details = await parts.details(name)
    const now = clock.now()
    if (details === undefined || details.notAfter - now > parts.warningMs) return
    const expired = details.notAfter < now
    const event = expired ? 'CertificateExpired' : 'CertificateExpiringSoon'
    if (!events.hasHandler(event, api)) return
    const matter = certificateCooldown(`event:${event}:${role}:${api?.id ?? ''}:${name}`)
    if (!(await records.add(matter, '1', parts.reportEveryMs))) return
    const certificateName = details.subject.find(({ type }) => type === 'CN')?.value ?? ''
    const days = Math.floor(Math.abs(details.notAfter - now) / msPerDay)
    events.fire({
      name: event,
      api,
      at: now,
      facts: {
        about: 'certificate',
        message: messageOf(certificateName, expired, days),
        certificateId: name,
        certificateName,
        expiresAt: details.notAfter,
        days,
        role,
        apiId: api?.id ?? '',
      },
    })
  }

  const check = async () => {
    for (const use of parts.uses()) {
      try {
        const matter = certificateCooldown(`check:${use.role}:${use.api?.id ?? ''}:${use.name}`)
        if (await records.add(matter, '1', parts.checkEveryMs)) await look(use)
      } catch (cause) {
        log.warn('a certificate could not be looked at', { certificate: use.name, cause: String(cause) })
      }
    }
  }

  let cancel: () => void = () => undefined
  const again = () => {
    cancel = clock.after(parts.checkEveryMs, () => {
      void check()
      again()
    })
  }
  again()
  return { check, stop: () => cancel() }
}

function messageOf(name: string, expired: boolean, days: number): string {
  if (expired) return `Certificate ${name} has expired`
  return `Certificate ${name} is expiring in ${days} ${days === 1 ? 'day' : 'days'}`
}
