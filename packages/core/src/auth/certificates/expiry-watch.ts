/**
 * Fires events for certificates in use that expire soon or have expired. Records in the store ensure that only one node
 * checks a certificate per check interval, and that an event is not repeated within a longer interval. Source:
 * docs/reference/configuration.md#configuration-keys,
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

/** A certificate that an API or the configuration refers to. */
export interface CertificateUse {
  /** Id or file path. */
  readonly name: string
  readonly role: 'client' | 'upstream' | 'server'
  /** `undefined`: the configuration refers to it. */
  readonly api: ApiDefinition | undefined
}

export interface ExpiryWatchOptions {
  readonly clock: Clock
  readonly events: Events
  readonly records: Pick<RecordStore, 'add'>
  readonly log: Log
  /** Certificates that are in use now. */
  uses(): readonly CertificateUse[]
  /** Details of a certificate; `undefined` if it does not exist. */
  details(name: string): Maybe<CertificateDetails | undefined>
  /** How long before the expiry the first event is fired, in ms. */
  readonly warningMs: Millis
  /** Interval between two checks of a certificate, in ms. */
  readonly checkEveryMs: Millis
  /** Minimum interval between two equal events, in ms. */
  readonly reportEveryMs: Millis
}

export interface ExpiryWatch {
  /** Checks all certificates now, except those checked within `checkEveryMs`. Never rejects. */
  check(): Promise<void>
  stop(): void
}

const msPerDay = 86_400_000

/** Starts periodic checks. */
export function makeExpiryWatch(options: ExpiryWatchOptions): ExpiryWatch {
  const { clock, events, records, log } = options

  const checkOne = async ({ name, role, api }: CertificateUse) => {
    const details = await options.details(name)
    const now = clock.now()
    if (details === undefined || details.notAfter - now > options.warningMs) return
    const expired = details.notAfter < now
    const event = expired ? 'CertificateExpired' : 'CertificateExpiringSoon'
    if (!events.hasHandler(event, api)) return
    const cooldown = certificateCooldown(`event:${event}:${role}:${api?.id ?? ''}:${name}`)
    if (!(await records.add(cooldown, '1', options.reportEveryMs))) return
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
    for (const use of options.uses()) {
      try {
        const cooldown = certificateCooldown(`check:${use.role}:${use.api?.id ?? ''}:${use.name}`)
        if (await records.add(cooldown, '1', options.checkEveryMs)) await checkOne(use)
      } catch (cause) {
        log.warn('a certificate could not be checked', { certificate: use.name, cause: String(cause) })
      }
    }
  }

  let cancel: () => void = () => undefined
  const scheduleNext = () => {
    cancel = clock.after(options.checkEveryMs, () => {
      void check()
      scheduleNext()
    })
  }
  scheduleNext()
  return { check, stop: () => cancel() }
}

function messageOf(name: string, expired: boolean, days: number): string {
  if (expired) return `Certificate ${name} has expired`
  return `Certificate ${name} is expiring in ${days} ${days === 1 ? 'day' : 'days'}`
}
