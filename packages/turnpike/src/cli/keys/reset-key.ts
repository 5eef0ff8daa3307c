/** `turnpike keys reset`: the quota of a key starts again, and its rate window too. */
import type { Client, Failed, Session } from '../../client/index.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { lookupOf, type NamedKeyOptions, print, withGateway } from './call-gateway.ts'

export async function resetKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async (target) => {
    const { client } = target
    const address = { name: key, ...lookupOf(options) }
    const stored = target.unwrap(await client.keys.getKey(address))
    if (stored === undefined) return exitCodes.found
    const rejected = await isResetRejected(client, stored)
    if (typeof rejected !== 'boolean') return target.report(rejected)
    if (rejected) {
      io.err('the quota is not reset: every API of the key has dont_set_quota_on_create (remove it from one of them)')
      return exitCodes.found
    }
    const hashed = options.hashed === true ? { hashed: 'true' } : {}
    const written = target.unwrap(await client.keys.updateKey({ name: key, ...hashed, body: withFullQuota(stored) }))
    if (written === undefined) return exitCodes.found
    const shown = target.unwrap(await client.keys.getKey(address))
    if (shown === undefined) return exitCodes.found
    const quotas = quotasOf(shown)
    const text = quotas.length === 0 ? 'reset; the key has no quota' : quotas.map(quotaText).join('\n')
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

function quotasOf(session: Session): Quota[] {
  const ofApis = Object.entries(session.access_rights ?? {}).flatMap(([api_id, { limit }]) =>
    (limit?.quota_max ?? 0) > 0 ? [{ api_id, ...numbersOf(limit ?? {}) }] : [],
  )
  return [...((session.quota_max ?? 0) > 0 ? [numbersOf(session)] : []), ...ofApis]
}

type Numbers = Pick<Session, 'quota_max' | 'quota_remaining' | 'quota_renewal_rate'>

function numbersOf({ quota_max = 0, quota_remaining = 0, quota_renewal_rate = 0 }: Numbers): Quota {
  return { quota_max, quota_remaining, quota_renewal_rate }
}

function quotaText({ api_id, quota_max, quota_remaining, quota_renewal_rate }: Quota): string {
  const where = api_id === undefined ? '' : ` on API ${api_id}`
  const period = quota_renewal_rate > 0 ? ` in ${quota_renewal_rate} s` : ''
  return `reset: ${quota_remaining} of ${quota_max} requests left${where}${period}`
}
