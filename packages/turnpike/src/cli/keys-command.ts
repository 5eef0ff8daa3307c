/** `turnpike keys create | show | delete | list`: keys of a running gateway, through its management API. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseJson } from '@turnpike/core'
import { type ExitCode, exitCodes, type Io } from './io.ts'
import { callManagement, findTarget, type TargetOptions } from './management-client.ts'

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
  const path = id === undefined ? '/keys/create' : `/keys/${encodeURIComponent(id)}`
  const code = await ask('POST', path, options, io, (body) => String((body as { key?: unknown }).key), session)
  if (code === exitCodes.found) await tellUnknown(session, options, io)
  return code
}

/** The gateway says only that a key was refused; most often it names something that is not there. */
async function tellUnknown(session: Record<string, unknown>, options: CreateOptions, io: Io): Promise<void> {
  const found = findTarget(options, io)
  if ('faults' in found) return
  const policies = Array.isArray(session.apply_policies) ? session.apply_policies : []
  const named = [
    ...policies.map((id) => ['policy', `/policies/${encodeURIComponent(String(id))}`, String(id)] as const),
    ...Object.keys(session.access_rights ?? {}).map((id) => ['API', `/apis/${encodeURIComponent(id)}`, id] as const),
  ]
  for (const [what, path, id] of named) {
    const answer = await callManagement(found.target, 'GET', path)
    if (answer.kind === 'answer' && answer.status === 404) io.err(`the gateway has no ${what} "${id}"`)
  }
}

export function showKeyCommand(key: string, options: KeyOptions & { hashed?: boolean }, io: Io): Promise<ExitCode> {
  return ask('GET', keyPath(key, options), options, io, (body) => JSON.stringify(body, null, 2))
}

export function deleteKeyCommand(key: string, options: KeyOptions & { hashed?: boolean }, io: Io): Promise<ExitCode> {
  return ask('DELETE', keyPath(key, options), options, io, () => 'deleted')
}

export function listKeysCommand(options: KeyOptions & { filter?: string }, io: Io): Promise<ExitCode> {
  const filter = options.filter === undefined ? '' : `?filter=${encodeURIComponent(options.filter)}`
  return ask('GET', `/keys${filter}`, options, io, (body) => ((body as { keys?: string[] }).keys ?? []).join('\n'))
}

function keyPath(key: string, options: KeyOptions & { hashed?: boolean }): string {
  const query = new URLSearchParams()
  if (options.org !== undefined) query.set('org_id', options.org)
  if (options.hashed === true) query.set('hashed', 'true')
  return `/keys/${encodeURIComponent(key)}${query.size > 0 ? `?${query}` : ''}`
}

async function ask(
  method: string,
  path: string,
  options: KeyOptions,
  io: Io,
  tell: (body: unknown) => string,
  body?: unknown,
): Promise<ExitCode> {
  const found = findTarget(options, io)
  if ('faults' in found) {
    for (const fault of found.faults) io.err(fault)
    return exitCodes.found
  }
  const answer = await callManagement(found.target, method, path, body)
  if (answer.kind === 'away') {
    io.err(`${answer.reason} (start one with: turnpike start)`)
    return exitCodes.found
  }
  if (answer.status >= 300) {
    const hint = answer.status === 404 && options.org === undefined ? ' (a name of your own wants --org as well)' : ''
    io.err(`${answer.status}: ${messageOf(answer.body)}${hint}`)
    return exitCodes.found
  }
  const text = options.json === true ? JSON.stringify(answer.body) : tell(answer.body)
  if (text !== '') io.out(text)
  return exitCodes.fine
}

function messageOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message)
  return typeof body === 'string' ? body.trim() : JSON.stringify(body)
}

/** The session that the options describe, or what is wrong with them. */
function sessionOf(options: CreateOptions, io: Io): Record<string, unknown> | string {
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
