/**
 * The client: a group for each resource, in it a function for each operation, under the operation's name. Types and
 * places of calls are generated from the gateway's own operations (`generated/`), so that neither is written twice.
 */
import { type Calls, calls } from './generated/calls.ts'
import type { Result } from './result.ts'
import { type CallFacts, type Connection, type Input, sendCall } from './send-call.ts'

type Facts = typeof calls
type CallId = keyof Calls & keyof Facts
type Group = Facts[CallId]['group']
type InGroup<G extends Group> = { [Id in CallId]: Facts[Id]['group'] extends G ? Id : never }[CallId]

/** Segments of the path, parameters of the query, and `body`, in one object; left out where nothing is needed. */
export type CallFunction<Id extends CallId> =
  Record<string, never> extends Calls[Id]['input']
    ? (input?: Calls[Id]['input']) => Promise<Result<Calls[Id]['response']>>
    : (input: Calls[Id]['input']) => Promise<Result<Calls[Id]['response']>>

export type Client = { readonly [G in Group]: { readonly [Id in InGroup<G>]: CallFunction<Id> } }

export interface ClientOptions {
  /** URL of the management API: `http://127.0.0.1:8080`. */
  readonly url: string
  /** Management key. */
  readonly secret: string
  /** Vendor word of the gateway. Default: `svc`. */
  readonly vendor?: string
  /** Longest wait for a response, ms. Default: 30,000. */
  readonly timeoutMs?: number
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch
}

/** Makes a client; nothing is sent before the first call. */
export function makeClient(options: ClientOptions): Client {
  const connection: Connection = {
    url: options.url,
    secret: options.secret,
    vendor: (options.vendor ?? 'svc').toLowerCase(),
    timeoutMs: options.timeoutMs ?? 30_000,
    fetch: options.fetch ?? fetch,
  }
  const client: Record<string, Record<string, (input?: Input) => Promise<Result<unknown>>>> = {}
  for (const [id, facts] of Object.entries<CallFacts & { readonly group: string }>(calls)) {
    client[facts.group] ??= {}
    const group = client[facts.group] as Record<string, (input?: Input) => Promise<Result<unknown>>>
    group[id] = (input = {}) => sendCall(facts, input, connection)
  }
  // The table and the types are generated together: what is made of the one is what the other says.
  return client as unknown as Client
}
