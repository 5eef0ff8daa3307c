/**
 * One JSON-RPC message of a client: what it asks for, or why it is refused before anybody looks at it.
 * Source: spec/oas-and-mcp.md 2.2; decisions.md on answers to the server's requests.
 *
 * The upstream gets the bytes as they came and reads them with a parser of its own. So a message that two parsers may
 * read in two ways is refused: names that stand twice (some take the first, most the last) and names that differ
 * from ours in case only (some parsers fold it). Otherwise a closed tool could be named past the gateway.
 */

import type { PrimitiveKind } from '../../definition/mcp/primitive.ts'
import { type Rejection, rejections, reword } from '../../http/errors.ts'
import { isJson, type Json } from '../../lib/json.ts'
import type { McpMessage } from '../contract/json-rpc-message.ts'
import { eachMember } from './json-members.ts'

export interface ReadMessage {
  readonly message: McpMessage
  /** `undefined`: the message may go on. */
  readonly refusal: Rejection | undefined
}

/** Methods that name a primitive, and the parameter that does. */
const naming: Readonly<Record<string, readonly [kind: PrimitiveKind, parameter: string]>> = {
  'tools/call': ['tool', 'name'],
  'resources/read': ['resource', 'uri'],
  'prompts/get': ['prompt', 'name'],
}

const envelope: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** Reads a body. Arrays are no message: batches are not offered. */
export function readMessage(text: string): ReadMessage {
  const value = parse(text)
  if (value === undefined) return refused('null', rejections.rpcNoJson)
  let idJson = 'null'
  let paramsAt = 0
  const isClear = areUnambiguous(text, 0, envelope, (name, from, to) => {
    if (name === 'params') paramsAt = from
    if (name === 'id' && '"-0123456789'.includes(text[from] as string)) idJson = text.slice(from, to)
  })
  if (!isClear || value['jsonrpc'] !== '2.0') return refused(idJson, rejections.rpcInvalid)
  if (!Object.hasOwn(value, 'method')) {
    const answers = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')
    const message: McpMessage = { idJson, method: '', primitive: undefined }
    return { message, refusal: answers ? undefined : rejections.rpcInvalid }
  }
  const { method } = value
  if (typeof method !== 'string' || method === '') return refused(idJson, rejections.rpcInvalid)
  const named = Object.hasOwn(naming, method) ? naming[method] : undefined
  if (named === undefined) return { message: { idJson, method, primitive: undefined }, refusal: undefined }
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
  if (params === undefined || params === null) return { message, refusal: rejections.rpcParamsMissing }
  if (!isJson(params)) return { message, refusal: rejections.rpcParamsNoObject }
  if (!areUnambiguous(text, paramsAt, new Set([parameter]))) return { message, refusal: rejections.rpcParamsInvalid }
  if (!Object.hasOwn(params, parameter)) return { message, refusal: missing[parameter] }
  const name = params[parameter]
  if (typeof name !== 'string' || name === '') return { message, refusal: rejections.rpcParamsInvalid }
  return { message: { ...message, primitive: { kind, name } }, refusal: undefined }
}

const missing: Readonly<Record<string, Rejection>> = {
  name: rejections.rpcParameterMissing,
  uri: reword(rejections.rpcParameterMissing, { message: 'missing required parameter: uri' }),
}

function refused(idJson: string, refusal: Rejection): ReadMessage {
  return { message: { idJson, method: '', primitive: undefined }, refusal }
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether each of the names stands at most once in the object, and no other name reads like one of them. */
function areUnambiguous(
  text: string,
  at: number,
  names: ReadonlySet<string>,
  visit?: (name: string, from: number, to: number) => void,
): boolean {
  const seen = new Set<string>()
  let clear = true
  eachMember(text, at, (name, from, to) => {
    // Compatibility forms too: parsers that fold case take U+017F for an s and U+212A for a k.
    const folded = name.normalize('NFKC').toLowerCase()
    if (!names.has(folded)) return
    if (folded !== name || seen.has(name)) clear = false
    seen.add(name)
    visit?.(name, from, to)
  })
  return clear
}
