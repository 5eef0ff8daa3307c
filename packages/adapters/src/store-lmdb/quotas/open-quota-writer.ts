/** Connects a writer of quotas to its log. A failed append marks the disk as unavailable. */
import type { Clock } from '@turnpike/core/ports'
import type { DiskAvailability } from '../disk-availability.ts'
import type { QuotaLog, QuotaSource } from './quota-log.ts'
import { QuotaWriter } from './quota-writer.ts'

interface Parts {
  readonly clock: Clock
  readonly disk: DiskAvailability
}

export function openQuotaWriter(log: QuotaLog, source: QuotaSource, { clock, disk }: Parts): QuotaWriter {
  const append = (blob: Uint8Array) =>
    log.append(blob).catch((error: Error) => {
      disk.markUnavailable(error)
      throw error
    })
  const shorten: QuotaLog['shorten'] = (...options) => log.shorten(...options)
  return new QuotaWriter({ append, shorten, stop: () => log.stop() }, clock, source)
}
