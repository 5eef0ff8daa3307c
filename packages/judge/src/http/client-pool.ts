/** Clients that the gateway distinguishes, by a key or by their address. Each trace needs one that was not used lately. */
import type { RawRequest } from './raw-client.ts'

export interface Client {
  /** Its key or its address, for people. */
  readonly name: string
  /** Its key, if clients differ by a key. */
  readonly key?: string
  readonly localAddress?: string
}

export interface ClientPool {
  /**
   * Returns a client without recent requests; waits until one has rested if all were used. Resolves with `undefined` if
   * that takes until after the deadline.
   */
  take(deadline: number): Promise<Client | undefined>
  /** The client has sent its last request. */
  release(client: Client): void
  /** How many clients were made. The next index makes one that was not used. */
  made(): number
  /** A pool of this client alone, which counts as fresh at first. */
  only(client: Client): ClientPool
  /** How many traces may run at once. */
  readonly size: number
}

export interface PoolOptions {
  /** Clients, made on demand until there are no more. */
  readonly make: (index: number) => Client | undefined | Promise<Client | undefined>
  readonly size: number
  /** How long a used client rests before it counts as fresh, in ms. */
  readonly restMs: number
  readonly now: () => number
}

/** Keys of a template: `{n}` is replaced by 1, 2, …, `{random}` by text that no other run used. */
export function templateClients(template: string): (index: number) => Client {
  const run = Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  return (index) => {
    const key = template.replaceAll('{n}', String(index + 1)).replaceAll('{random}', `${run}${index + 1}`)
    return { name: key, key }
  }
}

/** Source addresses on loopback from 127.0.0.2 on, at a random place so that two runs do not share them. */
export function addressClients(): (index: number) => Client {
  const start = Math.floor(Math.random() * 60_000)
  return (index) => {
    const number = 256 + ((start + index) % 65_000)
    const localAddress = `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
    return { name: localAddress, localAddress }
  }
}

export function makeClientPool(options: PoolOptions): ClientPool {
  const rested: { client: Client; usableAt: number }[] = []
  let made = 0
  return {
    size: options.size,
    made: () => made,
    only: (client) => makeClientPool({ ...options, size: 1, make: () => client }),
    async take(deadline) {
      for (;;) {
        if (made < options.size) {
          const index = made++
          const client = await options.make(index)
          if (client !== undefined) return client
        }
        const next = rested.toSorted((a, b) => a.usableAt - b.usableAt)[0]
        const waitMs = next === undefined ? 50 : next.usableAt - options.now()
        if (next !== undefined && waitMs <= 0) {
          rested.splice(rested.indexOf(next), 1)
          return next.client
        }
        if (options.now() + waitMs > deadline) return undefined
        await new Promise((resolve) => setTimeout(resolve, Math.max(10, Math.ceil(waitMs))))
      }
    },
    release(client) {
      rested.push({ client, usableAt: options.now() + options.restMs })
    },
  }
}

/** Where a key goes in a request: a header field, possibly with a prefix, or a query parameter. */
export interface KeyPlace {
  readonly header?: string
  /** Text before the key in the header, such as `Bearer `. */
  readonly prefix?: string
  readonly query?: string
}

/** Adds the key of the client to a request. */
export function asClient(request: RawRequest, client: Client, place: KeyPlace): RawRequest {
  if (client.localAddress !== undefined) return { ...request, localAddress: client.localAddress }
  if (client.key === undefined) return request
  if (place.query !== undefined) {
    const { path } = request.target
    const joint = path.includes('?') ? '&' : '?'
    const full = `${path}${joint}${place.query}=${encodeURIComponent(client.key)}`
    return { ...request, target: { ...request.target, path: full } }
  }
  if (place.header === undefined) return request
  return { ...request, headers: { ...request.headers, [place.header]: `${place.prefix ?? ''}${client.key}` } }
}
