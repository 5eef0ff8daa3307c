/** `turnpike keys create | show | delete | list`: keys of a running gateway, through its management API. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Client, Result, Session } from '@turnpike/client'
import { parseJson } from '@turnpike/core'
import { type ExitCode, exitCodes, type Io } from './io.ts'
import { findGateway, type TargetOptions } from './management-client.ts'

interface KeyOptions extends TargetOptions {
  readonly org?: string
  readonly json?: boolean
}

interface CreateOptions extends KeyOptions {
  readonly alias?: string
  readonly policy: readonly string[]
  readonly api: readonly string[]
  readonly rate?: number
  readonly per?: number
  readonly quota?: number
  readonly quotaRenews?: number
  readonly session?: string
}

export async function createKeyCommand(id: string | undefined, options: CreateOptions, io: Io): Promise<ExitCode> {
  const session = sessionOf(options, io)
  if (typeof session === 'string') {
    io.err(session)
    return exitCodes.wrongUse
  }
  const create = ({ keys }: Client) =>
    id === undefined ? keys.createKey({ body: session }) : keys.addCustomKey({ name: id, body: session })
  const code = await callGateway(create, options, io, ({ key }) => key)
  if (code === exitCodes.found) await reportUnknownReferences(session, options, io)
  return code
}

/** Adds a hint to a rejected key, because the usual cause is a policy or an API that does not exist. */
async function reportUnknownReferences(session: Session, options: CreateOptions, io: Io): Promise<void> {
  const found = findGateway(options, io)
  if ('problems' in found) return
  const { policies, apis } = found.client
  for (const id of session.apply_policies ?? []) {
    const response = await policies.getPolicy({ id })
    if (response.status === 404) io.err(`the gateway has no policy "${id}"`)
  }
  for (const id of Object.keys(session.access_rights ?? {})) {
    const response = await apis.getApi({ id })
    if (response.status === 404) io.err(`the gateway has no API "${id}"`)
  }
}

interface NamedKeyOptions extends KeyOptions {
  readonly hashed?: boolean
}

export function showKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  const show = ({ keys }: Client) => keys.getKey({ name: key, ...lookupOf(options) })
  return callGateway(show, options, io, (session) => JSON.stringify(session, null, 2))
}

export function deleteKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  const remove = ({ keys }: Client) => keys.deleteKey({ name: key, ...lookupOf(options) })
  return callGateway(remove, options, io, () => 'deleted')
}

export function listKeysCommand(options: KeyOptions & { filter?: string }, io: Io): Promise<ExitCode> {
  const filter = options.filter === undefined ? {} : { filter: options.filter }
  return callGateway(
    ({ keys }) => keys.listKeys(filter),
    options,
    io,
    ({ keys }) => keys.join('\n'),
  )
}

function lookupOf({ org, hashed }: NamedKeyOptions): { org_id?: string; hashed?: string } {
  return { ...(org === undefined ? {} : { org_id: org }), ...(hashed === true ? { hashed: 'true' } : {}) }
}

async function callGateway<T>(
  call: (client: Client) => Promise<Result<T>>,
  options: KeyOptions,
  io: Io,
  format: (value: T) => string,
): Promise<ExitCode> {
  const found = findGateway(options, io)
  if ('problems' in found) {
    for (const problem of found.problems) io.err(problem)
    return found.code
  }
  const response = await call(found.client)
  if (!response.ok && response.status === undefined) {
    io.err(`${response.message} (start one with: turnpike start)`)
    return exitCodes.found
  }
  if (!response.ok) {
    const hint = response.status === 404 && options.org === undefined ? ' (a name of your own wants --org as well)' : ''
    io.err(`${response.status}: ${response.message}${hint}`)
    return exitCodes.found
  }
  if (response.warning !== undefined) io.err(`warning: ${response.warning}`)
  const text = options.json === true ? JSON.stringify(response.value) : format(response.value)
  if (text !== '') io.out(text)
  return exitCodes.fine
}

/** Returns the session that the options describe, or a problem with them. */
function sessionOf(options: CreateOptions, io: Io): Session | string {
  const given = givenSession(options.session, io)
  if (typeof given === 'string') return given
  if ((options.rate === undefined) !== (options.per === undefined))
    return '--rate and --per go together: --rate 5 --per 10'
  const rights = Object.fromEntries(options.api.map((id) => [id, { api_id: id, versions: ['Default'] }]))
  return {
    ...given,
    ...(options.org === undefined ? {} : { org_id: options.org }),
    ...(options.alias === undefined ? {} : { alias: options.alias }),
    ...(options.policy.length === 0 ? {} : { apply_policies: options.policy }),
    ...(options.api.length === 0 ? {} : { access_rights: rights }),
    ...(options.rate === undefined ? {} : { rate: options.rate, per: options.per }),
    ...(options.quota === undefined ? {} : { quota_max: options.quota }),
    ...(options.quotaRenews === undefined ? {} : { quota_renewal_rate: options.quotaRenews }),
  }
}

function givenSession(text: string | undefined, io: Io): Record<string, unknown> | string {
  if (text === undefined) return {}
  let json = text
  if (text.startsWith('@')) {
    try {
      json = readFileSync(resolve(io.cwd, text.slice(1)), 'utf8')
    } catch (cause) {
      return `--session: ${cause instanceof Error ? cause.message : String(cause)}`
    }
  }
  const parsed = parseJson(json)
  if (parsed.problem !== undefined) return `--session: line ${parsed.problem.line}: ${parsed.problem.message}`
  if (parsed.value === null || typeof parsed.value !== 'object' || Array.isArray(parsed.value)) {
    return '--session: must be one JSON object'
  }
  return parsed.value as Record<string, unknown>
}
