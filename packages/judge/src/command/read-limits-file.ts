/** Reads a YAML file that describes the limits of a gateway, one entry each. */
import { dirname, resolve } from 'node:path'
import { isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { checkGateway, type GatewayToJudge } from '../gateway/gateway-to-judge.ts'
import { parseLimit } from '../gateway/parse-limit.ts'
import { parseTarget } from '../http/raw-client.ts'
import { JudgeInputError, readInputFile } from '../judge-input.ts'
import { readKeys } from './judge-command.ts'

export interface NamedGateway {
  /** The `name` of the entry, or its method, path and limit. */
  readonly name: string
  readonly gateway: GatewayToJudge
  /** Where the entry begins in the file. */
  readonly line: number
}

/** Fields that are copied without conversion. Each may be in an entry, or beside `limits` for all entries. */
const plain = [
  'method',
  'headers',
  'burst',
  'block',
  'slack',
  'kind',
  'key',
  'byAddress',
  'spellings',
  'batch',
  'rejected',
  'admitted',
]
const fields = [...plain, 'name', 'url', 'path', 'limit', 'quota', 'body', 'keys']

type Fields = Readonly<Record<string, unknown>>

/** A map of the file: its values, and the lines of its fields. */
interface Entry {
  readonly values: Fields
  readonly line: number
  readonly lines: ReadonlyMap<string, number>
}

/**
 * Returns the gateways to judge, one for each limit. `url` replaces the `url` of the file; `name` is the name of the file
 * for messages. Throws a `JudgeInputError` that begins with `name:LINE:`.
 */
export function readLimitsFile(file: string, name: string, url: string | undefined): readonly NamedGateway[] {
  const { common, entries } = parseFile(readInputFile(file, name), name)
  function fail(line: number, problem: string): never {
    throw new JudgeInputError(`${name}:${line}: ${problem}`)
  }
  for (const { values, lines } of [common, ...entries])
    for (const field of Object.keys(values))
      if (!fields.includes(field))
        fail(lines.get(field) ?? 1, `${field} is unknown; the fields are ${fields.join(', ')}`)
  return entries.map((entry, index) => {
    const lineOf = (field: string) => entry.lines.get(field) ?? common.lines.get(field) ?? entry.line
    // Errors that begin with the name of a field are in the line of that field.
    let field: string | undefined
    try {
      const all = { ...common.values, ...entry.values, ...(url !== undefined && { url }) }
      const share = entry.values['keys'] === undefined ? { index, of: entries.length } : { index: 0, of: 1 }
      const gateway = gatewayOf(all, (keys) => keysOf(keys, dirname(file), share))
      checkGateway(gateway)
      field = 'quota' in all ? 'quota' : 'limit'
      for (const limit of [gateway.limit].flat()) parseLimit(limit)
      field = 'path'
      parseTarget(gateway.url)
      return { name: nameOf(all), gateway, line: entry.line }
    } catch (cause) {
      if (!(cause instanceof JudgeInputError)) throw cause
      field ??= /^\w+/.exec(cause.message)?.[0]
      return fail(lineOf(field ?? ''), cause.message)
    }
  })
}

function parseFile(text: string, name: string): { readonly common: Entry; readonly entries: readonly Entry[] } {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false })
  const lineOf = (node: unknown) => counter.linePos((node as Node | null)?.range?.[0] ?? 0).line
  const [error] = document.errors
  if (error !== undefined)
    throw new JudgeInputError(`${name}:${counter.linePos(error.pos[0]).line}: this is not YAML: ${error.message}`)
  const root = document.contents
  const limits = isMap(root) ? root.get('limits', true) : undefined
  if (!isMap(root) || !isSeq(limits) || limits.items.length === 0)
    throw new JudgeInputError(
      `${name}:${lineOf(limits ?? root)}: there are no limits; write a list such as "limits: [{ path: /orders, limit: 10/60s }]"`,
    )
  const entryOf = (node: unknown): Entry => {
    if (!isMap(node))
      throw new JudgeInputError(`${name}:${lineOf(node)}: this is not a limit; write { path: /orders, limit: 10/60s }`)
    const lines = new Map(node.items.map(({ key }) => [String(key), lineOf(key)]))
    return { values: node.toJS(document) as Fields, line: lineOf(node), lines }
  }
  const { values, ...common } = entryOf(root)
  const { limits: _, ...others } = values
  return { common: { ...common, values: others }, entries: limits.items.map(entryOf) }
}

function gatewayOf(all: Fields, keysFor: (keys: unknown) => unknown): GatewayToJudge {
  const { url, path = '', limit, quota, body, keys, headers } = all
  if (typeof url !== 'string')
    throw new JudgeInputError('url is missing; write url: http://HOST:PORT, or name it before --file')
  if (typeof path !== 'string' || !/^([/?]|$)/.test(path))
    throw new JudgeInputError(`path is ${JSON.stringify(path)}; it must begin with / or ?`)
  if ((limit === undefined) === (quota === undefined))
    throw new JudgeInputError(
      'limit and quota: write one of them in each entry; a rate and a quota of the same path are two entries',
    )
  const isJson = typeof body === 'object' && body !== null
  const sent = isJson ? JSON.stringify(body) : body
  return {
    ...Object.fromEntries(plain.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]]))),
    url: path === '' ? url : `${url.replace(/\/$/, '')}${path}`,
    limit: (limit ?? quota) as string | readonly string[],
    keys: keysFor(keys),
    ...(isJson && { headers: { 'Content-Type': 'application/json', ...(headers as object | undefined) } }),
    ...(sent !== undefined && { body: sent as string }),
  } as GatewayToJudge
}

/** Keys in a file or a list; limits that share a list get a part each, so that every limit has fresh clients. */
function keysOf(keys: unknown, folder: string, share: { readonly index: number; readonly of: number }): unknown {
  const isFile = typeof keys === 'object' && keys !== null && !Array.isArray(keys)
  const file = isFile ? (keys as Fields)['file'] : undefined
  if (isFile && typeof file !== 'string')
    throw new JudgeInputError('keys must be a template, a list, or { file: NAME }')
  const list = typeof file === 'string' ? readKeys(resolve(folder, file)) : keys
  if (!Array.isArray(list)) return list
  if (list.length < share.of)
    throw new JudgeInputError(
      `keys has ${list.length} keys for ${share.of} limits; add keys, at least one for each limit`,
    )
  return list.filter((_, i) => i % share.of === share.index)
}

function nameOf({ name, method = 'GET', path = '', limit, quota }: Fields): string {
  if (typeof name === 'string') return name
  return `${method} ${path === '' ? '/' : path}, ${limit === undefined ? `quota ${quota}` : `limit ${limit}`}`
}
