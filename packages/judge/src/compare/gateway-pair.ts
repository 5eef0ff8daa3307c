/** Two gateways, and the clients that send the same requests to both. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  type ClientRequest,
  type ComparedGateway,
  type HeaderLines,
  type OpenGateway,
  RunEnded,
  type SendOverHttpOptions,
  sendOverHttp,
} from '@turnpike/exchange'
import type { Client, ClientPool, KeyPlace } from '../http/client-pool.ts'
import type { TargetUrl } from '../http/raw-client.ts'
import type { Budget } from '../judging/run-budget.ts'

export interface PairOptions {
  readonly targets: readonly [TargetUrl, TargetUrl]
  readonly pool: ClientPool
  /** Where the key of a client is; `undefined` if clients have no keys. */
  readonly place: KeyPlace | undefined
  /** Headers of all requests, instead of those with the same names. */
  readonly headers: HeaderLines
  readonly http: SendOverHttpOptions
  readonly budget: Budget
}

/** How many responses had each status. */
export type StatusCounts = ReadonlyMap<number, number>

export interface GatewayPair {
  readonly left: ComparedGateway
  readonly right: ComparedGateway
  /** Statuses of both gateways so far. */
  statuses(): readonly [StatusCounts, StatusCounts]
}

/** Makes the pair. Each trace takes a client of the pool, which sends the requests of the trace to both gateways. */
export function makeGatewayPair(options: PairOptions): GatewayPair {
  const { pool, budget } = options
  const counts = [new Map<number, number>(), new Map<number, number>()] as const
  let client: Client | undefined
  const gateway = (side: 0 | 1): Omit<OpenGateway, 'close'> => {
    const target = options.targets[side]
    const address = client?.localAddress
    const send = sendOverHttp(target.origin, {
      ...options.http,
      ...(address !== undefined && { localAddress: address }),
    })
    return {
      async send(request) {
        if (!budget.reserve(1)) throw new RunEnded(`--max-requests ${budget.maxRequests}`)
        await budget.pace()
        const response = await send(addressedTo(target, requestOf(request, client, options)))
        counts[side].set(response.status, (counts[side].get(response.status) ?? 0) + 1)
        return response
      },
      pass: async (ms) => void (await wait(ms)),
    }
  }
  return {
    left: {
      name: options.targets[0].text,
      async open() {
        client = await pool.take(budget.deadline)
        if (client === undefined) throw new RunEnded('clients: none has rested for long enough; give more keys')
        const used = client
        return { ...gateway(0), close: () => pool.release(used) }
      },
    },
    right: { name: options.targets[1].text, open: () => gateway(1) },
    statuses: () => counts,
  }
}

/** The request of a client: with the headers of all requests and its key. */
export function requestOf(
  request: ClientRequest,
  client: Client | undefined,
  { place, headers }: Pick<PairOptions, 'place' | 'headers'>,
): ClientRequest {
  const key = client?.key
  const inHeader: HeaderLines =
    key === undefined || place?.header === undefined ? [] : [[place.header, `${place.prefix ?? ''}${key}`]]
  const over = [...headers, ...inHeader]
  const names = new Set(over.map(([name]) => name.toLowerCase()))
  const kept = request.headers.filter(([name]) => !names.has(name.toLowerCase()))
  const joint = request.url.includes('?') ? '&' : '?'
  const query =
    key === undefined || place?.query === undefined ? '' : `${joint}${place.query}=${encodeURIComponent(key)}`
  return { ...request, url: `${request.url}${query}`, headers: [...kept, ...over] }
}

/** A relative URL of a request begins with `/`, which continues the path of the gateway, or is empty or a query. */
function addressedTo({ path }: TargetUrl, request: ClientRequest): ClientRequest {
  const base = request.url.startsWith('/') ? path.replace(/\/$/, '') : path
  return { ...request, url: `${base}${request.url}` }
}
