/** The session that the options of `turnpike keys create` and `update` describe. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseJson } from '@turnpike/core/definition'
import { isJson } from '@turnpike/core/lib'
import type { Session } from '../../client/index.ts'
import type { Io } from '../../terminal/io.ts'
import type { KeyOptions } from './call-gateway.ts'

export interface SessionOptions extends KeyOptions {
  readonly alias?: string
  readonly policy: readonly string[]
  readonly api: readonly string[]
  readonly rate?: number
  readonly per?: number
  readonly quota?: number
  readonly quotaRenews?: number
  /** Unix seconds; 0: never. */
  readonly expires?: number
  readonly session?: string
}

/** Returns the fields that the options set, without the access rights of `--api`; or a problem with the options. */
export function sessionFields(options: SessionOptions, io: Io): Session | string {
  const given = givenSession(options.session, io)
  if (typeof given === 'string') return given
  if ((options.rate === undefined) !== (options.per === undefined)) {
    return '--rate and --per go together: --rate 5 --per 10'
  }
  const session = {
    ...given,
    ...(options.org === undefined ? {} : { org_id: options.org }),
    ...(options.alias === undefined ? {} : { alias: options.alias }),
    ...(options.policy.length === 0 ? {} : { apply_policies: [...options.policy] }),
    ...(options.rate === undefined ? {} : { rate: options.rate, per: options.per }),
    ...(options.quota === undefined ? {} : { quota_max: options.quota }),
    ...(options.quotaRenews === undefined ? {} : { quota_renewal_rate: options.quotaRenews }),
    ...(options.expires === undefined ? {} : { expires: options.expires }),
  }
  return pastExpiry(session) ?? session
}

/** The gateway stores a past time as "never", as recorded, so that such a key would live for ever. */
function pastExpiry({ expires }: Session): string | undefined {
  if (typeof expires !== 'number' || expires <= 0 || expires * 1000 > Date.now()) return undefined
  return `the key would have expired at ${new Date(expires * 1000).toISOString()} (name a time in the future with --expires, such as 30d)`
}

/** Reads `--session`: a JSON object, or `@FILE` with one. */
function givenSession(text: string | undefined, io: Io): Session | string {
  if (text === undefined) return {}
  let json = text
  const source = text.startsWith('@') ? `--session: ${text.slice(1)}` : '--session'
  if (text.startsWith('@')) {
    try {
      json = readFileSync(resolve(io.cwd, text.slice(1)), 'utf8')
    } catch (cause) {
      return `--session: ${cause instanceof Error ? cause.message : String(cause)}`
    }
  }
  const parsed = parseJson(json)
  if (parsed.problem !== undefined) {
    const { line, column, message } = parsed.problem
    return `${source}:${line}:${column}: ${message}`
  }
  return isJson(parsed.value) ? (parsed.value as Session) : `${source}: must be one JSON object`
}
