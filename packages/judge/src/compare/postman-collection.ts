/**
 * Reads the requests of a Postman collection (format 2.0 or 2.1) with its variables. Scripts of a collection are not run;
 * what cannot be sent without them is named.
 */
import {
  type ClientRequest,
  connectionHeaders,
  type HeaderLines,
  makeRequest,
  type NamedTrace,
} from '@turnpike/exchange'
import { isObject } from '../gateway/gateway-to-judge.ts'
import { JudgeInputError } from '../judge-input.ts'

/** What a file of requests gives. */
export interface ComparedRequests {
  readonly traces: readonly NamedTrace[]
  /** Requests that are not sent, with the reason. */
  readonly notCompared: readonly { readonly what: string; readonly why: string }[]
}

type Json = Record<string, unknown>
type Variables = ReadonlyMap<string, string>

/** Folders in folders. Tools of Postman stay far below it. */
const maxDepth = 100

export function isPostmanCollection(value: unknown): value is Json {
  return isObject(value) && Array.isArray(value['item'])
}

/**
 * Returns a trace for each request of a collection, in its order.
 *
 * @param collection the parsed file
 * @param name name of the file, for messages
 * @param environment values that win over those of the collection
 */
export function readPostmanCollection(collection: Json, name: string, environment: Variables): ComparedRequests {
  const variables = new Map([...valuesOf(collection['variable']), ...environment])
  const found = { traces: [] as NamedTrace[], notCompared: [] as { what: string; why: string }[] }
  let scripts = 0

  const readItem = (item: unknown, path: string, auth: unknown, depth: number): void => {
    if (depth > maxDepth) throw new JudgeInputError(`${name}: ${path} is nested more than ${maxDepth} folders deep`)
    if (!isObject(item)) throw new JudgeInputError(`${name}: ${path} is not an object`)
    scripts += scriptsOf(item)
    const own = item['auth'] ?? auth
    if (Array.isArray(item['item'])) {
      for (const [index, one] of item['item'].entries()) readItem(one, titleOf(one, path, index), own, depth + 1)
      return
    }
    try {
      found.traces.push({ id: path, trace: [{ waitMs: 0, request: requestOf(item['request'], own, variables) }] })
    } catch (cause) {
      if (!(cause instanceof NotSent)) throw cause
      found.notCompared.push({ what: path, why: cause.message })
    }
  }
  readItem(collection, '', undefined, 0)
  if (scripts > 0) found.notCompared.push({ what: `scripts of ${name}`, why: `${scripts} are not run` })
  if (found.traces.length === 0 && found.notCompared.length === 0)
    throw new JudgeInputError(`${name} is a Postman collection without requests`)
  return found
}

/** Reads variables from an environment that Postman exported, or from an object of names and values. */
export function readPostmanEnvironment(value: unknown, name: string): Variables {
  if (isObject(value) && Array.isArray(value['values'])) return valuesOf(value['values'])
  if (!isObject(value) || Object.values(value).some((one) => typeof one === 'object'))
    throw new JudgeInputError(`${name} must be an environment of Postman, or names with values: { "baseUrl": "/v1" }`)
  return new Map(Object.entries(value).map(([key, one]) => [key, String(one)]))
}

/** A request that cannot be sent as it stands: why, and what would help. */
class NotSent extends Error {}

function requestOf(request: unknown, inherited: unknown, variables: Variables): ClientRequest {
  const given = typeof request === 'string' ? { url: request } : request
  if (!isObject(given)) throw new NotSent('it has no request')
  const fill = (text: unknown) => filled(String(text ?? ''), variables)
  const auth = credentialOf(given['auth'] ?? inherited, fill)
  const body = bodyOf(given['body'], fill)
  const headers: HeaderLines = [...headersOf(given['header'], fill), ...auth.headers]
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return makeRequest(targetOf(given['url'], auth.query, variables), {
    method: fill(given['method'] ?? 'GET').toUpperCase(),
    headers: body?.type === undefined || hasType ? headers : [...headers, ['Content-Type', body.type]],
    body: body === undefined ? undefined : new TextEncoder().encode(body.text),
  })
}

/** Path and query. Scheme and host are those of the gateways that are compared. */
function targetOf(url: unknown, added: string, variables: Variables): string {
  const text = typeof url === 'string' ? url : isObject(url) ? textOfUrl(url) : ''
  const noHost = filled(
    text.replace(/^\{\{[^{}]*\}\}/, (one) => variableOf(one, variables) ?? ''),
    variables,
  )
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '//')
    .replace(/^\/\/[^/?#]*/, '')
    .replace(/^[^/?#]+/, (host) => (text.startsWith('{{') || /[.:]|^localhost$/.test(host) ? '' : `/${host}`))
    .replace(/#.*$/s, '')
  const target = noHost + (added === '' ? '' : `${noHost.includes('?') ? '&' : '?'}${added}`)
  return (target.startsWith('?') ? `/${target}` : target).replace(/[^\x21-\x7e]+|["<>\\^`{|}]/gu, encodeURIComponent)
}

/** The parts of an address count, because its text may contain what is disabled. */
function textOfUrl(url: Json): string {
  const { raw, path, query, host } = url
  if (!Array.isArray(path) && !Array.isArray(query)) return String(raw ?? '')
  const own = valuesOf(url['variable'])
  const parts = (Array.isArray(path) ? path : []).map((part) => {
    const text = isObject(part) ? String(part['value'] ?? '') : String(part)
    return text.startsWith(':') ? (own.get(text.slice(1)) ?? text) : text
  })
  const pairs = enabled(query).map(({ key, value }) => (value == null ? `${key}` : `${key}=${value}`))
  const origin = Array.isArray(host) ? host.join('.') : String(host ?? '')
  const start = origin.startsWith('{{') ? origin : `//${origin}`
  return `${start}${parts.length === 0 ? '' : `/${parts.join('/')}`}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function headersOf(header: unknown, fill: (text: unknown) => string): HeaderLines {
  const lines: HeaderLines =
    typeof header === 'string'
      ? header.split(/\r?\n/).flatMap((line) => {
          const at = line.indexOf(':')
          return at < 1 ? [] : [[line.slice(0, at).trim(), fill(line.slice(at + 1).trim())] as const]
        })
      : enabled(header).map(({ key, value }) => [fill(key), fill(value)] as const)
  for (const [name, value] of lines) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new NotSent(`the header ${JSON.stringify(name)} cannot be sent`)
  }
  // Postman sets those of the connection itself, and collections record them.
  return lines.filter(([name]) => !connectionHeaders.includes(name.toLowerCase()))
}

interface Credential {
  readonly headers: HeaderLines
  readonly query: string
}

function credentialOf(auth: unknown, fill: (text: unknown) => string): Credential {
  const type = isObject(auth) ? String(auth['type'] ?? 'noauth') : 'noauth'
  const fields = isObject(auth) ? fieldsOf(auth[type]) : new Map<string, unknown>()
  const field = (name: string) => fill(fields.get(name))
  const inHeader = (name: string, value: string): Credential => ({ headers: [[name, value]], query: '' })
  if (type === 'noauth') return { headers: [], query: '' }
  if (type === 'bearer') return inHeader('Authorization', `Bearer ${field('token')}`)
  if (type === 'basic') {
    const pair = Buffer.from(`${field('username')}:${field('password')}`).toString('base64')
    return inHeader('Authorization', `Basic ${pair}`)
  }
  if (type === 'apikey') {
    if (field('in') !== 'query') return inHeader(field('key'), field('value'))
    return { headers: [], query: `${encodeURIComponent(field('key'))}=${encodeURIComponent(field('value'))}` }
  }
  throw new NotSent(`its authentication "${type}" is not computed; give the header with -H`)
}

/** Format 2.1 has a list of members, 2.0 an object. */
function fieldsOf(members: unknown): ReadonlyMap<string, unknown> {
  if (isObject(members)) return new Map(Object.entries(members))
  return new Map(enabled(members).map(({ key, value }) => [String(key), value]))
}

function bodyOf(body: unknown, fill: (text: unknown) => string): { text: string; type?: string } | undefined {
  if (!isObject(body) || body['disabled'] === true || body['mode'] == null) return undefined
  const mode = String(body['mode'])
  const content = body[mode]
  if (mode === 'raw') return content == null || content === '' ? undefined : { text: fill(content), type: typeOf(body) }
  if (mode === 'urlencoded') {
    const pairs = enabled(content).map(({ key, value }): [string, string] => [fill(key), fill(value)])
    return { text: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' }
  }
  if (mode === 'graphql' && isObject(content)) {
    const variables = fill(content['variables']).trim()
    const text = JSON.stringify({ query: fill(content['query']) })
    return {
      text: variables === '' ? text : `${text.slice(0, -1)},"variables":${variables}}`,
      type: 'application/json',
    }
  }
  if (mode === 'formdata') return formOf(enabled(content), fill)
  throw new NotSent(`its body is of the kind "${mode}", which is not part of the file`)
}

const boundary = 'turnpike-judge-form'

function formOf(fields: readonly Json[], fill: (text: unknown) => string): { text: string; type: string } {
  const parts = fields.map(({ key, value, type }) => {
    if (type === 'file') throw new NotSent(`its form field "${key}" is a file, which is not part of the collection`)
    const name = fill(key).replace(/["\r\n]/g, encodeURIComponent)
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${fill(value)}\r\n`
  })
  return { text: `${parts.join('')}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` }
}

const languages: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
}

function typeOf(body: Json): string {
  const options = body['options']
  const raw = isObject(options) ? options['raw'] : undefined
  return languages[String(isObject(raw) ? raw['language'] : '')] ?? 'text/plain'
}

/** Replaces `{{name}}` by its value, which may contain other names. */
function filled(text: string, variables: Variables): string {
  let now = text
  // A value that names itself would go on for ever.
  for (let round = 0; round < 10 && now.includes('{{'); round++) {
    const next = now.replace(/\{\{[^{}]*\}\}/g, (one) => variableOf(one, variables) ?? one)
    if (next === now) break
    now = next
  }
  const [missing] = /\{\{[^{}]*\}\}/.exec(now) ?? []
  if (missing !== undefined) throw new NotSent(`the variable ${missing} has no value; give it with --env FILE`)
  return now
}

function variableOf(reference: string, variables: Variables): string | undefined {
  return variables.get(reference.slice(2, -2).trim())
}

function valuesOf(list: unknown): Map<string, string> {
  return new Map(enabled(list).map(({ key, id, value }) => [String(key ?? id), String(value ?? '')]))
}

/** Members of a list that count. */
function enabled(list: unknown): readonly Json[] {
  if (!Array.isArray(list)) return []
  return list.filter((one) => isObject(one) && one['disabled'] !== true && one['enabled'] !== false)
}

function scriptsOf(item: Json): number {
  return enabled(item['event']).filter(({ script }) => isObject(script) && String(script['exec'] ?? '') !== '').length
}

function titleOf(item: unknown, parent: string, index: number): string {
  const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : `item[${index}]`
  return parent === '' ? name : `${parent} / ${name}`
}
