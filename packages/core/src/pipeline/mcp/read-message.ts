/**
 * Decides which requests carry JSON-RPC messages, decodes one message of a client, and parses it or returns why it is
 * rejected (docs/reference/mcp-proxies.md#request-routing, docs/differences.md#mcp-proxies).
 *
 * The upstream gets the same bytes and parses them with its own parser. A body is therefore accepted only if every parser
 * decodes the same text from it: UTF-8 without byte order mark, content coding or another charset. A message that two
 * parsers may read differently is rejected: duplicate names (parsers take the first or the last) and names that differ
 * from ours only in case (some parsers fold case). Otherwise a client could call a closed tool through a name that the
 * gateway does not see.
 */
import type { PrimitiveKind } from '../../definition/mcp/primitive.ts'
import { headersOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { isJson, type Json, parseJsonObject } from '../../lib/json.ts'
import { strictUtf8Text, utf8Text } from '../../lib/text/utf8.ts'
import type { McpMessage } from '../contract/request-context.ts'
import { eachMember } from './json-members.ts'

interface ReadMessage {
  readonly message: McpMessage
  /** `undefined` if the message is valid. */
  readonly rejection: Rejection | undefined
}

/** Methods that name a primitive, and the parameter with its name. */
const naming: Readonly<Record<string, readonly [kind: PrimitiveKind, parameter: string]>> = {
  'tools/call': ['tool', 'name'],
  'resources/read': ['resource', 'uri'],
  'prompts/get': ['prompt', 'name'],
}

const envelope: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** Parses a body. Arrays are rejected: batches are not supported. */
export function readMessage(text: string): ReadMessage {
  const value = parseJsonObject(text)
  if (value === undefined) return rejected('null', rejections.rpcNoJson)
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
  const named = Object.hasOwn(naming, method) ? naming[method] : undefined
  if (named === undefined) return { message: { idJson, method, primitive: undefined }, rejection: undefined }
  return readNamed(text, value, { idJson, method, primitive: undefined }, paramsAt, named)
}

function readNamed(
  text: string,
  value: Json,
  message: McpMessage,
  paramsAt: number,
  [kind, parameter]: readonly [PrimitiveKind, string],
): ReadMessage {
  const params = Object.hasOwn(value, 'params') ? value['params'] : undefined
  if (params === undefined || params === null) return { message, rejection: rejections.rpcParamsMissing }
  if (!isJson(params)) return { message, rejection: rejections.rpcParamsNoObject }
  if (!areUnambiguous(text, paramsAt, new Set([parameter]))) return { message, rejection: rejections.rpcParamsInvalid }
  if (!Object.hasOwn(params, parameter)) return { message, rejection: missing[parameter] }
  const name = params[parameter]
  if (typeof name !== 'string' || name === '') return { message, rejection: rejections.rpcParamsInvalid }
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
    // NFKC too: parsers that fold case treat U+017F as s and U+212A as k.
    const folded = name.normalize('NFKC').toLowerCase()
    if (!names.has(folded)) return
    if (folded !== name || seen.has(name)) clear = false
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
  if (headersOf(headers, 'content-encoding').some((coding) => !isPlainCoding(coding))) return undefined
  if (headersOf(headers, 'content-type').some(namesOtherCharset)) return undefined
  // The byte order mark, which the decoder would remove silently.
  if (body[0] === 0xef && body[1] === 0xbb) return undefined
  const text = utf8Text(body)
  // A replacement character may mean invalid bytes, so only then decode again strictly.
  return text.includes('\ufffd') ? strictUtf8Text(body) : text
}

function isPlainCoding(coding: string): boolean {
  const name = coding.trim().toLowerCase()
  return name === '' || name === 'identity'
}

function namesOtherCharset(type: string): boolean {
  for (const [, charset] of type.toLowerCase().matchAll(/charset\s*=\s*["']?([^;"'\s,]*)/g)) {
    if (!['utf-8', 'utf8', 'us-ascii'].includes(charset as string)) return true
  }
  return false
}

/** Bytes of a message at most, unless the gateway configures more. */
export const maxMessageBytes = 4 * 1024 * 1024

/** Maximum number of values in a message. Its members are read twice, to find names that two parsers read differently. */
export const maxMessageValues = 20_000
