/**
 * Decides which requests carry JSON-RPC messages, decodes one message of a client, and parses it or returns why it is
 * rejected (docs/reference/mcp-proxies.md#request-routing, docs/differences.md#mcp-proxies).
 *
 * A message must be JSON that every parser reads alike (`lib/text/unambiguous-json.ts`). Otherwise a client could call a closed
 * tool through a name that the gateway does not see.
 */
import type { PrimitiveKind } from '../../definition/mcp/primitive.ts'
import { readResourceUri } from '../../definition/mcp/resource-uri.ts'
import { headersOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { isJson, type Json, parseJsonObject } from '../../lib/json.ts'
import { foldsToOneOf } from '../../lib/text/folded-name.ts'
import { eachMember } from '../../lib/text/json-members.ts'
import { codingProblem, hasRepeatedMember, unambiguousText } from '../../lib/text/unambiguous-json.ts'
import type { McpMessage } from '../contract/request-context.ts'

interface ReadMessage {
  readonly message: McpMessage
  /** `undefined` if the message is valid. */
  readonly rejection: Rejection | undefined
}

type Naming = readonly [kind: PrimitiveKind, parameter: string]

const resource: Naming = ['resource', 'uri']
const prompt: Naming = ['prompt', 'name']

/** Methods that name a primitive, and the parameter with its name. */
const naming: Readonly<Record<string, Naming>> = {
  'tools/call': ['tool', 'name'],
  'resources/read': resource,
  'resources/subscribe': resource,
  'resources/unsubscribe': resource,
  'prompts/get': prompt,
}

/** Types of a reference, which a completion and other methods name their resource or prompt with. */
const references: Readonly<Record<string, Naming>> = { 'ref/resource': resource, 'ref/prompt': prompt }

const envelope: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** Parses a body. Arrays are rejected: batches are not supported. */
export function readMessage(text: string): ReadMessage {
  const value = parseJsonObject(text)
  if (value === undefined) return rejected('null', rejections.rpcNoJson)
  const read = readObject(text, value)
  if (read.rejection !== undefined || !hasRepeatedMember(text, value)) return read
  return rejected(read.message.idJson, rejections.rpcInvalid)
}

function readObject(text: string, value: Json): ReadMessage {
  let idJson = 'null'
  let paramsAt = 0
  const isClear = areUnambiguous(text, 0, envelope, (name, from, to) => {
    if (name === 'params') paramsAt = from
    if (name === 'id' && '"-0123456789'.includes(text[from] as string)) idJson = text.slice(from, to)
  })
  if (!isClear || value['jsonrpc'] !== '2.0') return rejected(idJson, rejections.rpcInvalid)
  if (!Object.hasOwn(value, 'method')) {
    const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')
    const message: McpMessage = { idJson, method: '', primitive: undefined }
    return { message, rejection: isResponse ? undefined : rejections.rpcInvalid }
  }
  const { method } = value
  if (typeof method !== 'string' || method === '') return rejected(idJson, rejections.rpcInvalid)
  const message: McpMessage = { idJson, method, primitive: undefined }
  const named = Object.hasOwn(naming, method) ? naming[method] : undefined
  return named === undefined
    ? readOther(text, value, message, paramsAt)
    : readNamed(text, value['params'], message, paramsAt, named)
}

/** Kinds of primitives of methods that later versions of the protocol may add, by the beginning of their names. */
const groups: Readonly<Record<string, Naming>> = { tools: ['tool', 'name'], resources: resource, prompts: prompt }

/** Reads a method that names a primitive only in some messages: `completion/complete`, and unknown methods. */
function readOther(text: string, { params }: Json, message: McpMessage, paramsAt: number): ReadMessage {
  if (!isJson(params)) return { message, rejection: undefined }
  const [group = ''] = message.method.split('/', 1)
  const own = Object.hasOwn(groups, group) ? groups[group] : undefined
  let refAt = 0
  const isClear = areUnambiguous(text, paramsAt, new Set(['ref', ...(own?.slice(1) ?? [])]), (name, from) => {
    if (name === 'ref') refAt = from
  })
  if (!isClear) return { message, rejection: rejections.rpcParamsInvalid }
  if (Object.hasOwn(params, 'ref')) return readReference(text, params['ref'], message, refAt)
  return own !== undefined && Object.hasOwn(params, own[1])
    ? readNamed(text, params, message, paramsAt, own)
    : { message, rejection: undefined }
}

function readReference(text: string, ref: unknown, message: McpMessage, refAt: number): ReadMessage {
  const type = isJson(ref) && areUnambiguous(text, refAt, new Set(['type'])) ? ref['type'] : undefined
  const named = typeof type === 'string' && Object.hasOwn(references, type) ? references[type] : undefined
  if (named === undefined) return { message, rejection: rejections.rpcParamsInvalid }
  return readNamed(text, ref, message, refAt, named)
}

function readNamed(
  text: string,
  params: unknown,
  message: McpMessage,
  paramsAt: number,
  [kind, parameter]: Naming,
): ReadMessage {
  if (params === undefined || params === null) return { message, rejection: rejections.rpcParamsMissing }
  if (!isJson(params)) return { message, rejection: rejections.rpcParamsNoObject }
  if (!areUnambiguous(text, paramsAt, new Set([parameter]))) return { message, rejection: rejections.rpcParamsInvalid }
  if (!Object.hasOwn(params, parameter)) return { message, rejection: missing[parameter] }
  const name = params[parameter]
  if (typeof name !== 'string' || name === '') return { message, rejection: rejections.rpcParamsInvalid }
  const problem = kind === 'resource' ? readResourceUri(name).problem : undefined
  if (problem !== undefined) {
    return { message, rejection: reword(rejections.rpcParamsInvalid, { message: `invalid params: uri: ${problem}` }) }
  }
  return { message: { ...message, primitive: { kind, name } }, rejection: undefined }
}

const missing: Readonly<Record<string, Rejection>> = {
  name: rejections.rpcParameterMissing,
  uri: reword(rejections.rpcParameterMissing, { message: 'missing required parameter: uri' }),
}

function rejected(idJson: string, rejection: Rejection): ReadMessage {
  return { message: { idJson, method: '', primitive: undefined }, rejection }
}

/** Returns true if each name occurs at most once in the object and no other name can be mistaken for one. */
function areUnambiguous(
  text: string,
  at: number,
  names: ReadonlySet<string>,
  visit?: (name: string, from: number, to: number) => void,
): boolean {
  const seen = new Set<string>()
  let clear = true
  eachMember(text, at, (name, from, to) => {
    if (!foldsToOneOf(name, names)) return
    if (!names.has(name) || seen.has(name)) clear = false
    seen.add(name)
    visit?.(name, from, to)
  })
  return clear
}

/** Returns true for every media type that contains `application/json`, because some servers match only that part. */
export function carriesMessage({ method, headers }: Pick<GatewayRequest, 'method' | 'headers'>): boolean {
  if (method !== 'POST') return false
  return headersOf(headers, 'content-type').some((type) => type.toLowerCase().includes('application/json'))
}

/** Decodes the body; `undefined` if it is not plain UTF-8. */
export function textOfMessage({ headers }: Pick<GatewayRequest, 'headers'>, body: Uint8Array): string | undefined {
  return codingProblem(headers) === undefined ? unambiguousText(body) : undefined
}

/** Bytes of a message at most, unless the gateway configures more. */
export const maxMessageBytes = 4 * 1024 * 1024

/** Maximum number of values in a message. Its members are read twice, to find names that two parsers read differently. */
export const maxMessageValues = 20_000
