/**
 * Reads what scripts return. Names of members are read in any case, unknown ones are ignored, and a member of the wrong
 * type is a failure (docs/reference/scripts.md#script-rules).
 */
import { isToken } from '../../http/field-names.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { isHeaderValue, isSetByGateway } from '../../http/reserved-headers.ts'
import {
  anything,
  boolean,
  field,
  integer,
  list,
  map,
  type Of,
  object,
  readShape,
  type Shape,
  text,
} from '../../lib/shape/shape.ts'
import { fieldValueOf } from '../../lib/text/field-values.ts'
import { sessionShape } from '../../ports/session.ts'

/** A member whose name begins with a capital letter. */
export const named = <T>(shape: Shape<T>, wireName: string) => field(shape, { wireName })

const endpointShape = object({
  response: named(
    object({ code: named(integer, 'Code'), body: named(text, 'Body'), headers: named(map(text), 'Headers') }),
    'Response',
  ),
  sessionMeta: named(map(anything), 'SessionMeta'),
})

const changesShape = object({
  url: named(text, 'URL'),
  body: named(text, 'Body'),
  ignoreBody: named(boolean, 'IgnoreBody'),
  setHeaders: named(map(text), 'SetHeaders'),
  deleteHeaders: named(list(text), 'DeleteHeaders'),
  addParams: named(map(text), 'AddParams'),
  extendedParams: named(map(list(text)), 'ExtendedParams'),
  deleteParams: named(list(text), 'DeleteParams'),
  returnOverrides: named(
    object({
      responseCode: named(integer, 'ResponseCode'),
      responseBody: named(text, 'ResponseBody'),
      responseError: named(text, 'ResponseError'),
      responseHeaders: named(map(text), 'ResponseHeaders'),
      overrideError: named(boolean, 'OverrideError'),
    }),
    'ReturnOverrides',
  ),
})

const stageShape = object({ request: named(changesShape, 'Request'), sessionMeta: named(map(text), 'SessionMeta') })
const authShape = object({
  request: named(changesShape, 'Request'),
  session: named(sessionShape, 'Session'),
  authValue: named(text, 'AuthValue'),
})

const responseShape = object({
  response: named(
    object({
      code: named(integer, 'Code'),
      body: named(text, 'Body'),
      setHeaders: named(map(text), 'SetHeaders'),
      deleteHeaders: named(list(text), 'DeleteHeaders'),
    }),
    'Response',
  ),
})

export type RequestChanges = Of<typeof changesShape>
export type Overrides = RequestChanges['returnOverrides']
export type EndpointResult = Of<typeof endpointShape>
export type AuthResult = Of<typeof authShape>
export type ResponseResult = Of<typeof responseShape>

export type Reading<T> = { readonly value: T; readonly problem: undefined } | { readonly problem: string }

export const readEndpointResult = (value: string | undefined) => read(endpointShape, value, 'Response')
export const readStageResult = (value: string | undefined) => read(stageShape, value, 'Request')
export const readAuthResult = (value: string | undefined) => read(authShape, value, 'Request')
export const readResponseResult = (value: string | undefined) => read(responseShape, value, 'Response')

function read<T>(shape: Shape<T>, value: string | undefined, member: string): Reading<T> {
  let json: unknown
  try {
    json = JSON.parse(value ?? '')
  } catch {
    return { problem: value === undefined ? 'it returned nothing' : 'what it returned is not JSON' }
  }
  if (typeof json !== 'object' || json === null || !hasMember(json, member)) {
    return { problem: `what it returned is not an object with the member ${member}` }
  }
  const { value: made, problems } = readShape(shape, json)
  const wrong = problems.find(({ kind }) => kind === 'type')
  if (wrong === undefined) return { value: made, problem: undefined }
  return { problem: `what it returned is wrong at ${wrong.path.join('.')}: ${wrong.message}` }
}

function hasMember(json: object, member: string): boolean {
  const lower = member.toLowerCase()
  return Object.entries(json).some(([name, value]) => name.toLowerCase() === lower && value !== null)
}

/** Headers of a script as pairs; `undefined`: a name or a value cannot be part of a message. */
export function headerPairs(headers: Readonly<Record<string, string>> | null): HeaderPairs | undefined {
  const pairs: HeaderPairs = []
  for (const [name, value] of Object.entries(headers ?? {})) {
    const sent = fieldValueOf(value)
    if (!isToken(name) || !isHeaderValue(sent)) return undefined
    const lower = name.toLowerCase()
    if (!isSetByGateway(lower)) pairs.push(lower, sent)
  }
  return pairs
}
