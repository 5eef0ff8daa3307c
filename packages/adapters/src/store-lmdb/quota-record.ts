/** A quota counter as 16 bytes: what is used, and when the period ends (0: never). */
import type { QuotaState } from '@turnpike/core'

export function packQuota({ used, renewsAt }: QuotaState): Buffer {
  const record = Buffer.allocUnsafe(16)
  record.writeDoubleBE(used, 0)
  record.writeDoubleBE(renewsAt ?? 0, 8)
  return record
}

export function unpackQuota(record: Buffer): QuotaState {
  const renewsAt = record.readDoubleBE(8)
  return { used: record.readDoubleBE(0), renewsAt: renewsAt === 0 ? undefined : renewsAt }
}
