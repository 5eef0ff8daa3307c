/** POST /svc/explain, specific to Turnpike: sends a request through the pipeline and reports what each stage did. */
import type { NearListenPath } from '@turnpike/core/engine'
import type { HeaderPairs } from '@turnpike/core/http'
import { boolean, described, integer, type JsonSchema, map, object, text } from '@turnpike/core/lib'
import type { RejectionReason } from '@turnpike/core/pipeline'
import { readBody } from '../calls/read-body.ts'
import { failure, json, malformed, unknownPath } from '../http/reply.ts'
import type { ExplainReport } from '../management.ts'
import type { Operation } from '../operation.ts'

const requestShape = object({
  method: text,
  path: text,
  headers: map(text),
  body: text,
  dry: boolean,
  port: described("Port by which it comes; absent or 0: the gateway's.", integer),
})

const string: JsonSchema = { type: 'string' }
const reportSchema: JsonSchema = {
  type: 'object',
  properties: {
    api_id: { ...string, description: 'Absent: no API was found' },
    status: { type: 'integer' },
    headers: { type: 'object', additionalProperties: string },
    body: { ...string, description: 'Cut where it is long' },
    why: {
      type: 'object',
      description: 'Why a stage rejected the request; absent: no stage did',
      properties: {
        code: string,
        message: string,
        set_by: { type: 'array', items: { type: 'object', properties: { kind: string, id: string, name: string } } },
        retry_at: { ...string, description: 'When the limit has room again; absent: a retry does not help' },
      },
    },
    nearest: {
      type: 'array',
      description: 'The listen paths that resemble the path most; absent: an API has the path',
      items: { type: 'object', properties: { listen_path: string, api_id: string, name: string, host: string } },
    },
    stages: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          stage: string,
          phase: string,
          verdict: string,
          micros: { type: 'number' },
          notes: { type: 'array', items: string },
        },
      },
    },
  },
}

export const explainRequest: Operation = {
  id: 'explain',
  method: 'POST',
  path: '/svc/explain',
  summary: 'Send a request through the pipeline and report what each stage did',
  description: 'With `dry`, nothing is counted and no upstream is called.',
  body: { schema: requestShape.schema, description: 'The request; `path` with its query' },
  responses: {
    200: { description: 'What each stage did, and the response', schema: reportSchema },
    400: 'The body cannot be parsed, or is no request',
  },
  enabled: (management) => management.explain !== undefined,
  async handle(call) {
    const body = await readBody(call, requestShape, malformed)
    if (body.rejection) return body.rejection
    const { method, path, headers, body: content, dry, port } = body.value
    if (!path.startsWith('/') || /[^\x21-\x7e]/.test(path)) {
      return failure(400, 'path must begin with a slash and hold no blanks or signs that need encoding')
    }
    if (!/^[A-Za-z-]*$/.test(method)) return failure(400, 'method must be the name of a method, such as GET')
    const report = await call.management.explain?.({
      method: method === '' ? 'GET' : method,
      target: path,
      headers: toPairs(headers),
      body: content === '' ? undefined : new TextEncoder().encode(content),
      dry,
      ...(port === 0 ? {} : { port }),
    })
    return report === undefined ? unknownPath : json(toWireExplanation(report))
  },
}

function toPairs(headers: Record<string, string> | null): HeaderPairs {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => [name.toLowerCase(), value])
}

/** The response body of POST /svc/explain. */
export interface WireExplanation {
  /** Absent if no API matches the path. */
  readonly api_id?: string
  readonly status: number
  /** Values of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly stages: ExplainReport['stages']
  readonly why?: {
    readonly code: string
    readonly message: string
    readonly set_by: RejectionReason['setBy']
    readonly retry_at?: string
  }
  readonly nearest?: readonly {
    readonly listen_path: string
    readonly api_id: string
    readonly name: string
    readonly host?: string
  }[]
}

export function toWireExplanation(report: ExplainReport): WireExplanation {
  const { apiId, status, headers, body, stages, why, nearest } = report
  const named: Record<string, string> = Object.create(null)
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    named[name] = named[name] === undefined ? value : `${named[name]}, ${value}`
  }
  return {
    ...(apiId === undefined ? {} : { api_id: apiId }),
    ...{ status, headers: named, body, stages },
    ...(why === undefined ? {} : { why: toWireReason(why) }),
    ...(nearest === undefined ? {} : { nearest: nearest.map(toWirePath) }),
  }
}

function toWireReason({ code, message, setBy, retryAt }: RejectionReason) {
  return {
    code,
    message,
    set_by: setBy,
    ...(retryAt === undefined ? {} : { retry_at: new Date(retryAt).toISOString() }),
  }
}

function toWirePath({ listenPath, apiId, apiName, host }: NearListenPath) {
  return { listen_path: listenPath, api_id: apiId, name: apiName, ...(host === '' ? {} : { host }) }
}
