/** `turnpike keys reset`: the quota of a key starts again, and its rate window too. */
import type { Client, Failed, Session } from '../../client/index.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { type NamedKeyOptions, print, withGateway } from './call-gateway.ts'
import { findKey } from './find-key.ts'

export async function resetKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async (target) => {
    const { client } = target
    const found = await findKey(target, key, options, io.err)
    if (found === undefined) return exitCodes.found
    const { session: stored, address } = found
    const rejected = await isResetRejected(client, stored)
    if (typeof rejected !== 'boolean') return target.report(rejected)
    if (rejected) {
      io.err('the quota is not reset: every API of the key has dont_set_quota_on_create (remove it from one of them)')
      return exitCodes.found
    }
    const { org_id: _, ...named } = address
    const written = target.unwrap(await client.keys.updateKey({ ...named, body: withFullQuota(stored) }))
    if (written === undefined) return exitCodes.found
    const shown = target.unwrap(await client.keys.getKey(address))
    if (shown === undefined) return exitCodes.found
    const quotas = quotasOf(shown)
    const text =
      quotas.length === 0
        ? 'reset: its rate window starts again; it has no quota'
        : `reset: ${quotas.map(quotaText).join('; ')}`
    return print({ ...written, quotas }, text, options, io)
  })
}

/** The gateway resets no quota if all APIs of the key set `dont_set_quota_on_create`. */
async function isResetRejected(client: Client, { access_rights }: Session): Promise<boolean | Failed> {
  const ids = Object.keys(access_rights ?? {})
  for (const id of ids) {
    const response = await client.apis.getApi({ id })
    if (!response.ok && response.status !== 404) return response
    if (!response.ok || response.value.dont_set_quota_on_create !== true) return false
  }
  return ids.length > 0
}

/** The stored numbers are shown until the next request counts. */
function withFullQuota(session: Session): Session {
  return { ...session, quota_remaining: session.quota_max ?? 0 }
}

interface Quota {
  /** Absent: the quota of the whole key. */
  readonly api_id?: string
  readonly quota_max: number
  readonly quota_remaining: number
  readonly quota_renewal_rate: number
}

/** Limits of a policy are shown at the key and at each API of the policy; they are one quota. */
function quotasOf(session: Session): Quota[] {
  const ofApis = Object.entries(session.access_rights ?? {}).flatMap(([api_id, { limit }]) =>
    (limit?.quota_max ?? 0) > 0 ? [{ api_id, ...numbersOf(limit ?? {}) }] : [],
  )
  if ((session.quota_max ?? 0) <= 0) return ofApis
  const ofKey = numbersOf(session)
  const [copies, own] = [ofApis.filter((one) => isSame(one, ofKey)), ofApis.filter((one) => !isSame(one, ofKey))]
  const quota_remaining = Math.max(ofKey.quota_remaining, ...copies.map((one) => one.quota_remaining))
  return [{ ...ofKey, quota_remaining }, ...own]
}

function isSame(one: Quota, other: Quota): boolean {
  return one.quota_max === other.quota_max && one.quota_renewal_rate === other.quota_renewal_rate
}

type Numbers = Pick<Session, 'quota_max' | 'quota_remaining' | 'quota_renewal_rate'>

function numbersOf({ quota_max = 0, quota_remaining = 0, quota_renewal_rate = 0 }: Numbers): Quota {
  return { quota_max, quota_remaining, quota_renewal_rate }
}

function quotaText({ api_id, quota_max, quota_remaining, quota_renewal_rate }: Quota): string {
  const where = api_id === undefined ? '' : ` on API ${api_id}`
  const period = quota_renewal_rate > 0 ? ` in ${quota_renewal_rate} s` : ''
  return `${quota_remaining} of ${quota_max} requests left${where}${period}`
}
