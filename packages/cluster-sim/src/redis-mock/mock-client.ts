/**
 * A client of a mocked Redis, with the interface that the store adapter expects. Commands and replies may cross a
 * network that loses them. The client then behaves like a broken connection, and its user creates a new one.
 */
import { EventEmitter } from 'node:events'
import type { RedisClient, Timers } from '@turnpike/adapters/store-redis'
import type { Cancel } from '@turnpike/core/ports'
import type { RedisMock } from './redis-mock.ts'

export interface MockClientOptions {
  readonly mock: RedisMock
  /** Sends work to the mock and returns its result; never settles if either is lost. Default: immediate. */
  readonly reach?: <T>(work: () => Promise<T>) => Promise<T>
  /** Used when a connection is opened again. */
  readonly timers: Timers
}

/** Pause before another attempt to connect, and time for one. */
const retryMs = 100
const connectMs = 1000

const atOnce = <T>(work: () => Promise<T>) => work()

export function makeMockClient({ mock, reach = atOnce, timers }: MockClientOptions): RedisClient {
  const events = new EventEmitter()
  let status: 'ready' | 'connecting' | 'end' = 'ready'
  const stopListening: Cancel[] = []
  /** Pending commands of the current connection. Replies to commands of earlier connections are dropped. */
  let pending = new Set<(cause: Error) => void>()

  const send = (command: string, args: readonly unknown[]): Promise<unknown> => {
    if (status !== 'ready') return Promise.reject(closed())
    const mine = pending
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        if (mine.delete(reject)) then()
      }
      mine.add(reject)
      reach(() => mock.run(command, args)).then(
        (reply) => settle(() => resolve(reply)),
        (cause: Error) => settle(() => reject(cause)),
      )
    })
  }

  const dropConnection = (next: typeof status) => {
    status = next
    for (const stop of stopListening.splice(0)) stop()
    const lost = pending
    pending = new Set()
    for (const reject of lost) reject(closed())
    events.emit('close')
  }

  /** Retries until a reply arrives. */
  const connect = () => {
    if (status !== 'connecting') return
    let isOver = false
    const cancel = timers.after(connectMs, () => {
      isOver = true
      timers.after(retryMs, connect)
    })
    void reach(() => mock.run('ping', [])).then(() => {
      if (isOver || status !== 'connecting') return
      cancel()
      status = 'ready'
      events.emit('ready')
    })
  }

  const own = {
    get status() {
      return status
    },
    isCluster: false,
    on: (name: string, listener: (...args: unknown[]) => void) => events.on(name, listener),
    subscribe(channel: string) {
      stopListening.push(mock.listen(channel, (text) => events.emit('message', channel, text)))
      return Promise.resolve(1)
    },
    disconnect(again = false) {
      if (status === 'end') return
      dropConnection(again ? 'connecting' : 'end')
      if (again) timers.after(retryMs, connect)
    },
  }
  const client = new Proxy(own, {
    get(target, name) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name)
      // A client is no promise.
      if (name === 'then') return undefined
      return (...args: unknown[]) => send(name, args)
    },
  })
  return client as unknown as RedisClient
}

const closed = () => new Error('Connection is closed.')
