/** What a caller says about the gateway to judge, and the checks of it. */
import type { BatchOptions } from '../attacks/batch-attack.ts'
import { addressClients, type Client, type KeyPlace, type PoolOptions, templateClients } from '../http/client-pool.ts'
import type { RawRequest, TargetUrl } from '../http/raw-client.ts'
import { JudgeInputError } from '../judge-input.ts'
import { type Kind, kinds } from '../models/model.ts'
import type { LimitOptions } from './limit-options.ts'

/** Makes the key of a fresh client. `index` is 0, 1, …; `undefined` says that there are no more. */
export type MakeKey = (index: number) => string | undefined | Promise<string | undefined>

export interface GatewayToJudge extends LimitOptions {
  /** Requested as written. Hosts other than this machine need `iOwnThisHost`. */
  readonly url: string
  /** The documented kind of limiter. Default `auto`: found by probing. */
  readonly kind?: Kind | 'auto' | undefined
  /** Default GET. */
  readonly method?: string | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** Where the key of a client is: `header`, possibly with a `prefix`, or `query`. Default: clients have no keys. */
  readonly key?: KeyPlace | undefined
  /**
   * Keys of fresh clients: a template with `{n}` (1, 2, …) or `{random}`, a list, or a function that makes one.
   * Default `judge-{random}`.
   */
  readonly keys?: string | readonly string[] | MakeKey | undefined
  /** True if clients are addresses: 127.0.0.0/8 are the source addresses. Default false. */
  readonly byAddress?: boolean | undefined
  /** Other spellings of one key, such as `acme.{key}` or `{KEY}`. */
  readonly spellings?: readonly string[] | undefined
  readonly batch?: BatchOptions | undefined
  /** Statuses of rejections. Default 429 and 503. */
  readonly rejected?: readonly number[] | undefined
  /** Statuses from 400 on that are admitted. Default: none. */
  readonly admitted?: readonly number[] | undefined
  /** Budget of time. Default 60. */
  readonly seconds?: number | undefined
  /** Budget of requests. Default 5000, and more for limits of more than 20. */
  readonly maxRequests?: number | undefined
  /** Requests per second. Default: unlimited on this machine, otherwise 20. */
  readonly maxRate?: number | undefined
  /** Seed of the drawn traces. Default: drawn. */
  readonly seed?: number | undefined
  /** Allows hosts that are not this machine. Default false. */
  readonly iOwnThisHost?: boolean | undefined
  /** File with certificates of authorities in PEM format, which are trusted instead of those of Node. */
  readonly caFile?: string | undefined
  /** Accepts any certificate. Default false. */
  readonly insecure?: boolean | undefined
  /** Ends the run early: what is confirmed until then is reported. */
  readonly signal?: AbortSignal | undefined
  /** Called with one line at the start of each part. */
  onProgress?(text: string): void
}

type Check = (value: unknown) => string | undefined

const whole =
  (least: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least ? undefined : `must be a whole number from ${least} on`
const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text')
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
const listOf =
  (isItem: (item: unknown) => boolean, what: string): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem) ? undefined : `must be a list of ${what}`
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const isStatus = (value: unknown) => Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599
const isText = (value: unknown) => typeof value === 'string'
const isFieldName = (value: unknown) => typeof value === 'string' && token.test(value)

const checks: { readonly [option in keyof GatewayToJudge]-?: Check } = {
  url: text,
  limit: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.length > 0 && value.every(isText))
      ? undefined
      : 'must be a text such as 10/60s, or a list of them',
  kind: (value) =>
    ['auto', ...kinds].includes(value as Kind) ? undefined : `must be one of auto, ${kinds.join(', ')}`,
  burst: whole(1),
  block: text,
  slack: text,
  method: (value) => (isFieldName(value) ? undefined : 'must be a method, such as GET'),
  headers: (value) =>
    isObject(value) && Object.entries(value).every(([name, field]) => isFieldName(name) && isText(field))
      ? undefined
      : "must be an object of names and texts, such as { Accept: 'text/plain' }",
  body: text,
  key: keyProblem,
  keys: (value) =>
    typeof value === 'function' ||
    (typeof value === 'string' && value !== '') ||
    (Array.isArray(value) && value.length > 0 && value.every((key) => typeof key === 'string' && key !== ''))
      ? undefined
      : 'must be a template such as key-{n}, a list of keys that is not empty, or a function that makes a key',
  byAddress: flag,
  spellings: (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string' && /\{key\}/i.test(item))
      ? undefined
      : 'must be a list of texts with {key}, such as acme.{key}',
  batch: batchProblem,
  rejected: listOf(isStatus, 'statuses, such as 429'),
  admitted: listOf(isStatus, 'statuses, such as 404'),
  seconds: whole(1),
  maxRequests: whole(1),
  maxRate: whole(1),
  seed: whole(0),
  iOwnThisHost: flag,
  caFile: text,
  insecure: flag,
  signal: (value) => (value instanceof AbortSignal ? undefined : 'must be an AbortSignal'),
  onProgress: (value) => (typeof value === 'function' ? undefined : 'must be a function'),
}

/** Throws a `JudgeInputError` that names the first option with a wrong value. */
export function checkGateway(gateway: GatewayToJudge): void {
  if (!isObject(gateway)) throw new JudgeInputError("pass an object, such as { url: 'http://…', limit: '10/60s' }")
  for (const [option, value] of Object.entries(gateway)) {
    if (!Object.hasOwn(checks, option))
      throw new JudgeInputError(`option ${option} is unknown; the options are: ${Object.keys(checks).join(', ')}`)
    if (value === undefined) continue
    const problem = checks[option as keyof GatewayToJudge](value)
    if (problem !== undefined) throw new JudgeInputError(`${option} is ${show(value)}; it ${problem}`)
  }
  if (gateway.url === undefined)
    throw new JudgeInputError('name the URL to judge, such as http://127.0.0.1:8080/orders')
  if (gateway.limit === undefined) throw new JudgeInputError('name the limit to judge, such as 10/60s')
  if (gateway.byAddress === true && gateway.key !== undefined)
    throw new JudgeInputError('clients differ by key or by address, not both: remove key or byAddress')
  if (gateway.keys !== undefined && gateway.key === undefined)
    throw new JudgeInputError(
      "keys are given, but not where a request has its key: add key, such as { header: 'X-Key' }",
    )
}

function keyProblem(value: unknown): string | undefined {
  const problem = "must be { header: 'X-Key' }, { header: 'Authorization', prefix: 'Bearer ' } or { query: 'key' }"
  if (!isObject(value)) return problem
  const { header, prefix, query, ...others } = value
  if (Object.keys(others).length > 0 || (header === undefined) === (query === undefined)) return problem
  if (header !== undefined && (!isFieldName(header) || !(prefix === undefined || isText(prefix)))) return problem
  return query !== undefined && (!isText(query) || prefix !== undefined) ? problem : undefined
}

function batchProblem(value: unknown): string | undefined {
  const problem = "must be { path: '/batch', item: '/a', outside: [] }"
  if (!isObject(value) || !isText(value['path']) || !isText(value['item'])) return problem
  return listOf(isText, 'paths')(value['outside']) === undefined ? undefined : problem
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function show(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
}

/** The request of a client without its key. */
export function requestOf({ method = 'GET', headers = {}, body }: GatewayToJudge, target: TargetUrl): RawRequest {
  return { method, target, headers: { Host: target.host, ...headers }, ...(body !== undefined && { body }) }
}

/** Clients differ by key or address; without either, there is a single client. */
export function clientsOf({
  key,
  keys = 'judge-{random}',
  byAddress,
}: Pick<GatewayToJudge, 'key' | 'keys' | 'byAddress'>): Pick<PoolOptions, 'make' | 'size'> {
  const many = 100_000
  if (byAddress === true) return { make: addressClients(), size: 60_000 }
  if (key === undefined) return { make: () => ({ name: 'everyone' }), size: 1 }
  if (typeof keys === 'function') return { make: async (index) => clientOf(await keys(index)), size: many }
  if (typeof keys === 'string' && /\{n\}|\{random\}/.test(keys)) return { make: templateClients(keys), size: many }
  const list = [...new Set(typeof keys === 'string' ? [keys] : keys)]
  // Two runs, one soon after the other, begin with other keys.
  const start = Math.floor(Math.random() * list.length)
  return { make: (index) => clientOf(list[(start + index) % list.length]), size: list.length }
}

function clientOf(key: unknown): Client | undefined {
  if (key === undefined) return undefined
  if (typeof key === 'string' && key !== '') return { name: key, key }
  throw new JudgeInputError(`keys returned ${show(key)}; it must return a key, or undefined if there are no more`)
}
