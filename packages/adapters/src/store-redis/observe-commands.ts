/** Reports commands of Redis to an observer, such as the spans of requests. Without an observer nothing here runs. */
import type { RedisClient } from './connection-options.ts'
import type { Script } from './scripts/script.ts'

export interface StoreObserver {
  /** Called when a command is sent. Returns what to call at its end; `undefined`: the command is not observed. */
  started(): EndCommand | undefined
}

export type EndCommand = (command: ObservedCommand) => void

export interface ObservedCommand {
  /** Name of the command in capitals. */
  readonly operation: string
  /** SHA-1 of the script, for commands that run one. */
  readonly script?: string | undefined
  /** Number of decisions that one command carries, if it is above 1. */
  readonly batchSize?: number | undefined
  /** Class of the error; `undefined` if the command succeeded. */
  readonly error?: string | undefined
}

/** Calls `send` with a client that records which command is called. */
export function observeCommand<T>(
  observer: StoreObserver,
  client: RedisClient,
  send: (client: RedisClient) => Promise<T>,
): Promise<T> {
  const end = observer.started()
  if (end === undefined) return send(client)
  let operation = ''
  const noted = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (typeof name === 'string') operation ||= name.toUpperCase()
      return (value as (...args: unknown[]) => unknown).bind(target)
    },
  })
  return settle(send(noted), (error) => end({ operation, error }))
}

export function observeScript<T>(observer: StoreObserver, { sha }: Script, send: () => Promise<T>): Promise<T> {
  const end = observer.started()
  return end === undefined ? send() : settle(send(), (error) => end({ operation: 'EVALSHA', script: sha, error }))
}

export function errorNameOf(cause: unknown): string {
  return cause instanceof Error ? cause.name : 'Error'
}

async function settle<T>(result: Promise<T>, end: (error: string | undefined) => void): Promise<T> {
  try {
    const value = await result
    end(undefined)
    return value
  } catch (cause) {
    end(errorNameOf(cause))
    throw cause
  }
}
