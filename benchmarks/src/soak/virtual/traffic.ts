/** The clients of the soak on virtual time. Each checks its responses; all of them run once per virtual second. */
import type { VirtualClock } from '@turnpike/testkit'
import { makeBurstClient, makeQuotaClient, makeShortLivedKeys } from './clients-with-keys.ts'
import { makeAbortingClient, makeBatchClient, makeCacheClient, makePlainClient } from './clients-without-limits.ts'
import { makeTokenClient } from './oauth-client.ts'
import type { Problems } from './problems.ts'
import type { SoakedNode } from './soaked-node.ts'
import type { VirtualUpstream } from './virtual-upstream.ts'

export interface SoakConditions {
  /** True while the store is unavailable or the node is down, and for some seconds after. */
  isDisturbed(): boolean
  /** Virtual seconds since the start. */
  second(): number
  /** The version of the definitions that the node serves at least. */
  version(): number
}

export interface TrafficServices {
  readonly clock: VirtualClock
  readonly node: SoakedNode
  readonly upstream: VirtualUpstream
  readonly conditions: SoakConditions
  readonly problems: Problems
  readonly requests: RequestCounter
}

/** Counts requests, and finds those that got no response in time. */
export interface RequestCounter {
  /** Sends a request; resolves with `undefined` if the node crashes first. Notes a stall after 30 virtual seconds. */
  send(request: SoakRequest): Promise<SoakResponse | undefined>
  /** Requests of the current life of the node are lost. */
  crashed(): void
  readonly total: number
  readonly pending: number
}

export interface SoakRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface SoakResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface SoakClient {
  readonly name: string
  /** Called once per virtual second. */
  tick(second: number): void
}

export function makeClients(services: TrafficServices): SoakClient[] {
  return [
    makePlainClient(services),
    makeBurstClient(services),
    makeQuotaClient(services),
    makeShortLivedKeys(services),
    makeTokenClient(services),
    makeBatchClient(services),
    makeCacheClient(services),
    makeAbortingClient(services),
  ]
}
