/** POST /svc/debug: sends a request through a definition that need not be loaded. Source: docs/reference/inspection.md#debug-a-definition. */
import { classicShape, extensionOf, printDefinition, toClassic } from '@turnpike/core/definition'
import { isJson, type Json, type JsonSchema, memberOf, readShape, textOf } from '@turnpike/core/lib'
import { readText, tooLarge } from '../calls/read-body.ts'
import { parseJson } from '../http/parse-json.ts'
import { failure, json, type Reply } from '../http/reply.ts'
import type { DebugInput } from '../management.ts'
import type { Call, Operation } from '../operation.ts'

const malformed = failure(400, 'Request malformed')

const string: JsonSchema = { type: 'string' }
const reportSchema: JsonSchema = {
  type: 'object',
  properties: { message: string, response: string, logs: string },
  required: ['message', 'response', 'logs'],
}
/** A status message, or the report of a definition that cannot be served. */
const failureSchema: JsonSchema = {
  type: 'object',
  properties: { status: string, message: string, response: string, logs: string },
  required: ['message'],
}

export const debugDefinition: Operation = {
  id: 'debugDefinition',
  method: 'POST',
  path: '/svc/debug',
  summary: 'Send a request through a definition that need not be loaded',
  description: 'Keys, rates, quotas and upstreams are the real ones.',
  body: {
    schema: {
      type: 'object',
      properties: { spec: { type: 'object' }, oas: { type: 'object' }, request: { type: 'object' } },
    },
    description: '`spec` is a classic definition, `oas` a document; `request` has method, path, headers and body',
  },
  responses: {
    200: { description: 'The request and the response in wire form, and the logs', schema: reportSchema },
    400: { description: 'The body is malformed, or the definition cannot be served', schema: failureSchema },
    413: 'The body is too large',
  },
  enabled: (management) => management.debug !== undefined,
  async handle(call) {
    const text = await readText(call.request, call.management.options.maxBodyBytes)
    if (text === undefined) return tooLarge(call)
    const input = readInput(parseJson(text)?.value, call)
    if ('status' in input) return input
    const report = await call.management.debug?.(input)
    const isServed = report?.response !== undefined
    const { response = '', logs = '' } = report ?? {}
    return json({ message: isServed ? 'ok' : 'error', response, logs }, isServed ? 200 : 400)
  },
}

function readInput(body: unknown, call: Call): DebugInput | Reply {
  if (!isJson(body)) return malformed
  const spec = memberInAnyCase(body, 'spec')
  const oas = memberInAnyCase(body, 'oas')
  const request = memberInAnyCase(body, 'request')
  if ([spec, oas, request].some((part) => part !== undefined && !isJson(part))) return malformed
  const read = isJson(request) ? readRequest(request) : undefined
  // Every member of a definition must have its type, as in calls that write definitions.
  if (read === 'malformed' || !readShape(classicShape, spec ?? {}).readable) return malformed
  if (!isJson(spec) && !isJson(oas)) return failure(400, 'Spec field is missing')
  if (read === undefined) return failure(400, 'Request field is missing')
  if (!isJson(oas)) return { ...read, spec: JSON.stringify(spec) }
  const definition = fromDocument(oas, call)
  return definition === 'malformed' ? malformed : { ...read, ...definition }
}

/** A document without an extension has no listen path, so it cannot be served. */
function fromDocument(oas: Json, { management }: Call): { spec: string; oas: string } | 'malformed' {
  const extension = extensionOf(oas, management.settings.vendor) ?? {}
  const derived = toClassic(oas, extension)
  if (derived.problem !== undefined) return 'malformed'
  return { spec: printDefinition(derived.value), oas: JSON.stringify(oas) }
}

function readRequest(request: Json): Omit<DebugInput, 'spec' | 'oas'> | 'malformed' {
  const parts = {
    method: memberInAnyCase(request, 'method') ?? '',
    path: memberInAnyCase(request, 'path') ?? '',
    body: memberInAnyCase(request, 'body') ?? '',
  }
  if (Object.values(parts).some((part) => typeof part !== 'string')) return 'malformed'
  const given = memberInAnyCase(request, 'headers') ?? {}
  if (!isJson(given)) return 'malformed'
  const headers: string[] = []
  for (const [name, values] of Object.entries(given)) {
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return 'malformed'
    for (const value of values as string[]) headers.push(name.toLowerCase(), value)
  }
  const { method, path, body } = parts
  return { method: textOf(method) || 'GET', path: textOf(path), headers, body: textOf(body) }
}

/** `null` counts as missing. The exact name has precedence. */
function memberInAnyCase(value: Json, name: string): unknown {
  const exact = memberOf(value, name)
  const key = exact === undefined ? Object.keys(value).find((one) => one.toLowerCase() === name) : name
  return key === undefined ? undefined : (value[key] ?? undefined)
}
