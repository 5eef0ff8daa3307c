/** Reads requests to compare from a YAML or JSON file, a HAR file or a Postman collection. */
import {
  type ClientRequest,
  connectionHeaders,
  HarError,
  type HeaderLines,
  makeRequest,
  type NamedTrace,
  readHar,
  type TraceStep,
} from '@turnpike/exchange'
import { parse } from 'yaml'
import { isObject } from '../gateway/gateway-to-judge.ts'
import { JudgeInputError, readInputFile } from '../judge-input.ts'
import {
  type ComparedRequests,
  isPostmanCollection,
  readPostmanCollection,
  readPostmanEnvironment,
} from './postman-collection.ts'

const fields = ['method', 'path', 'headers', 'body', 'wait', 'times', 'steps']

/**
 * Returns a trace for each request of the file; `steps` are one trace.
 *
 * @param file path of the file
 * @param name its name for messages
 * @param environment file with variables of a Postman collection
 */
export function readRequests(file: string, name: string, environment?: string): ComparedRequests {
  const text = readInputFile(file, name)
  const value = withoutWrapper(parseFile(text, name))
  if (isPostmanCollection(value)) {
    const values = environment === undefined ? {} : parseFile(readInputFile(environment), environment)
    return readPostmanCollection(value, name, readPostmanEnvironment(values, environment ?? ''))
  }
  if (isObject(value) && Array.isArray(value['requests']) && 'id' in value)
    throw new JudgeInputError(`${name} is a Postman collection of format 1; export it in format 2.1`)
  if (environment !== undefined)
    throw new JudgeInputError(`--env has no effect: ${name} is not a Postman collection (format 2.0 or 2.1)`)
  return { traces: tracesOf(value, text, name), notCompared: [] }
}

/** The API of Postman returns a collection below a member of this name. */
function withoutWrapper(value: unknown): unknown {
  return isObject(value) && isPostmanCollection(value['collection']) ? value['collection'] : value
}

function parseFile(text: string, name: string): unknown {
  try {
    // Exports of megabytes are JSON, which the reader of YAML takes long for.
    if (/^\s*[[{]/.test(text)) return JSON.parse(text)
  } catch {
    // YAML may begin like that too; its reader names the place of a mistake.
  }
  try {
    return parse(text)
  } catch (cause) {
    throw new JudgeInputError(`${name} is neither YAML nor JSON: ${(cause as Error).message}`)
  }
}

function tracesOf(value: unknown, text: string, name: string): readonly NamedTrace[] {
  if (isObject(value) && 'log' in value) return tracesOfHar(text, name)
  const list = isObject(value) ? value['requests'] : value
  if (!Array.isArray(list) || list.length === 0) {
    throw new JudgeInputError(`${name} has no requests; write a list such as "requests: [GET /a, POST /b]"`)
  }
  return list.map((item, index) => {
    const id = `requests[${index}]`
    return { id, trace: stepsOf(item, `${name}: ${id}`) }
  })
}

function tracesOfHar(text: string, name: string): readonly NamedTrace[] {
  try {
    return readHar(text).map(({ request }, index) => ({
      id: `log.entries[${index}]`,
      // Browsers write the pseudo-headers of HTTP/2.
      trace: [{ waitMs: 0, request: { ...request, headers: request.headers.filter(([one]) => !one.startsWith(':')) } }],
    }))
  } catch (cause) {
    if (!(cause instanceof HarError)) throw cause
    throw new JudgeInputError(`${name} is not a HAR file: ${cause.message}`)
  }
}

function stepsOf(item: unknown, place: string): readonly TraceStep[] {
  if (typeof item === 'string') return [{ waitMs: 0, request: requestOfLine(item, place) }]
  if (!isObject(item)) throw new JudgeInputError(`${place} is not a request; write "GET /path" or { path: /path }`)
  for (const field of Object.keys(item)) {
    if (!fields.includes(field))
      throw new JudgeInputError(`${place}.${field} is unknown; the fields are ${fields.join(', ')}`)
  }
  const { steps, wait = 0, times = 1, ...one } = item
  if (steps !== undefined) {
    if (Object.keys(item).length > 1 || !Array.isArray(steps) || steps.length === 0)
      throw new JudgeInputError(`${place}.steps must be a list of requests, without other fields beside it`)
    return steps.flatMap((step, index) => stepsOf(step, `${place}.steps[${index}]`))
  }
  const waitMs = wholeNumber(wait, 0, `${place}.wait`, 'milliseconds before the request')
  const request = requestOfFields(one, place)
  return Array.from({ length: wholeNumber(times, 1, `${place}.times`, 'how often it is sent') }, () => ({
    waitMs,
    request,
  }))
}

function requestOfLine(line: string, place: string): ClientRequest {
  const [, method, path] = /^(?:([A-Z][A-Z-]*) +)?([/?]\S*)$/.exec(line.trim()) ?? []
  if (path === undefined)
    throw new JudgeInputError(`${place} is "${line}"; write a method and a path, such as GET /a?b=1`)
  return makeRequest(checkedPath(path, place), { method: method ?? 'GET' })
}

function requestOfFields(item: Record<string, unknown>, place: string): ClientRequest {
  const { method = 'GET', path = '', headers = {}, body } = item
  if (typeof method !== 'string' || !/^[A-Z][A-Z-]*$/.test(method))
    throw new JudgeInputError(`${place}.method is ${JSON.stringify(method)}; write a method in capitals, such as POST`)
  if (typeof path !== 'string')
    throw new JudgeInputError(`${place}.path is ${JSON.stringify(path)}; write a path such as /a`)
  const lines = linesOfHeaders(headers, `${place}.headers`)
  const isText = body === undefined || typeof body === 'string'
  const hasType = lines.some(([name]) => name.toLowerCase() === 'content-type')
  return makeRequest(checkedPath(path, `${place}.path`), {
    method,
    // A body that is not a text is sent as JSON.
    headers: isText || hasType ? lines : [...lines, ['Content-Type', 'application/json']],
    body: body === undefined ? undefined : new TextEncoder().encode(isText ? String(body) : JSON.stringify(body)),
  })
}

function checkedPath(path: string, place: string): string {
  if (path !== '' && !/^[/?][\x21-\x7e]*$/.test(path)) {
    throw new JudgeInputError(`${place} is ${JSON.stringify(path)}; it must begin with / or ? and be percent-encoded`)
  }
  if (path.includes('#')) throw new JudgeInputError(`${place} has a fragment, which is never sent; remove it`)
  return path
}

function linesOfHeaders(headers: unknown, place: string): HeaderLines {
  if (!isObject(headers))
    throw new JudgeInputError(`${place} must be names with values, such as { Accept: text/plain }`)
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => headerLine(name, String(one ?? ''), place)),
  )
}

/** Checks a header of a request. `place` says where it is written. */
export function headerLine(name: string, value: string, place: string): readonly [string, string] {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new JudgeInputError(`${place}: "${name}" is not the name of a header`)
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new JudgeInputError(`${place}: the value of ${name} has a character that a header cannot contain`)
  if (connectionHeaders.includes(name.toLowerCase())) {
    const fix = name.toLowerCase() === 'host' ? "use -H 'Host: NAME', which is for all requests" : 'remove it'
    throw new JudgeInputError(`${place}: ${name} belongs to the connection and is set by the command; ${fix}`)
  }
  return [name, value]
}

function wholeNumber(value: unknown, least: number, place: string, what: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  throw new JudgeInputError(`${place} is ${JSON.stringify(value)}; it must be a whole number from ${least} on: ${what}`)
}
