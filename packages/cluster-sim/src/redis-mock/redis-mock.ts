/**
 * A Redis without a server, on any clock: ioredis-mock, which carries commands and Lua scripts out in memory. For
 * simulations and quick tests. `mock-client.ts` makes clients of it.
 *
 * The mock does not support everything that Redis does. Two limits are fixed here: replies of pairs, which need modules
 * that version 6 of the client does not have, and integers in scripts, which have only 32 bits. The other differences
 * are listed in `store-mock.test.ts`.
 */
import { createHash } from 'node:crypto'
import type { Millis } from '@turnpike/core/lib'
import type { Cancel } from '@turnpike/core/ports'

/** The part of ioredis-mock that is used. */
export interface RedisMockClass {
  new (options: { readonly host: string; readonly port: number }): MockCommands
  /** Its own; what it refers to is that of the real client. */
  readonly Command: { transformers: { readonly argument: object; readonly reply: object } }
}

type MockCommands = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

export interface RedisMock {
  /** Executes a command synchronously. Rejects like a Redis client. */
  run(command: string, args: readonly unknown[]): Promise<unknown>
  /** Calls `receive` with what is published on a channel, after the publisher has continued. */
  listen(channel: string, receive: (text: string) => void): Cancel
  /** Deletes all data. Do not use the mock afterwards. */
  close(): void
}

/** Loads ioredis-mock, which users install beside Turnpike. Rejects with what to do when it is not installed. */
export async function loadRedisMock(name = 'ioredis-mock'): Promise<RedisMockClass> {
  try {
    const { default: loaded } = (await import(name)) as { readonly default: RedisMockClass }
    return mended(loaded)
  } catch (cause) {
    throw new Error(`a mocked Redis needs the package "${name}" (8.13 or later): npm install ioredis-mock`, { cause })
  }
}

/** Whole numbers of its Lua have 32 bits; as floating point they hold every ms and every count. */
const wideNumbers = 'local plain = tonumber; local function tonumber(v) local n = plain(v); return n and n + 0.0 end; '

/** The mock keeps what it holds by address for ever, so that addresses are used again. */
const freePorts: number[] = []
let ports = 0

/** Makes an empty one whose time is `now()`. */
export function openRedisMock(now: () => Millis, Mock: RedisMockClass): RedisMock {
  const port = freePorts.pop() ?? ++ports
  const address = { host: 'turnpike-mock', port }
  const mock = new Mock(address)
  const scripts = new Map<string, string>()
  let lastAt = Number.NaN
  let micros = 0
  let closed = false

  const carryOut = async (command: string, args: readonly unknown[]): Promise<unknown> => {
    const at = Math.floor(now())
    // Each command takes a microsecond, so that those of one instant differ in time as they do on a server.
    micros = at === lastAt ? Math.min(micros + 1, 999) : 0
    lastAt = at
    const run = mock[command]
    if (run === undefined) throw new Error(`ERR unknown command '${command}'`)
    return atInstant(at, micros, () => run.apply(mock, [...args]))
  }

  const runScript = (text: string, args: readonly unknown[]) => carryOut('eval', [wideNumbers + text, ...args])

  const dispatch = (command: string, [first, ...rest]: readonly unknown[]): Promise<unknown> => {
    if (command === 'eval') {
      const text = String(first)
      scripts.set(createHash('sha1').update(text).digest('hex'), text)
      return runScript(text, rest)
    }
    if (command === 'evalsha') {
      const text = scripts.get(String(first))
      return text === undefined ? Promise.reject(new Error('NOSCRIPT No matching script.')) : runScript(text, rest)
    }
    return carryOut(command, first === undefined ? [] : [first, ...rest])
  }

  return {
    async run(command, args) {
      try {
        const reply = await dispatch(command, args)
        // What a script counted is kept as a number, where Redis keeps a text.
        return command === 'get' && typeof reply === 'number' ? String(reply) : reply
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause)
        throw Object.assign(new Error(message, { cause }), { name: 'ReplyError' })
      }
    },
    listen(channel, receive) {
      // A connection that listens does nothing else.
      const listening = new Mock(address)
      listening['on']?.('message', (_: string, text: string) => receive(text))
      void listening['subscribe']?.(channel)
      return () => void listening['disconnect']?.()
    },
    close() {
      if (closed) return
      closed = true
      void mock['flushall']?.()
      void mock['disconnect']?.()
      freePorts.push(port)
    },
  } satisfies RedisMock
}

/** Commands whose replies it would hand to the client's own readers, which need to know the protocol. */
const ofPairs = ['zrange', 'zrangebyscore', 'zrevrange', 'zrevrangebyscore', 'zpopmin', 'zpopmax', 'zdiff']

function mended(Mock: RedisMockClass): RedisMockClass {
  const { argument, reply } = Mock.Command.transformers
  const plain = Object.fromEntries(Object.entries(reply).filter(([command]) => !ofPairs.includes(command)))
  Mock.Command.transformers = { argument, reply: plain }
  return Mock
}

/**
 * Carries `work` out, which must not wait for anything, at an instant; `micros` (0 to 999) is behind its ms. The mock reads
 * `Date` for expiries and `Date` with `process.hrtime` for TIME, and accepts no other clock. Each command is executed
 * synchronously, so both are replaced only for the duration of a command.
 */
function atInstant<T>(now: Millis, micros: number, work: () => T): T {
  const { Date: realDate } = globalThis
  const { hrtime } = process
  const ms = Math.floor(now)
  const inSecond = ms % 1000
  // TIME rounds a date to the nearest second, and takes the microseconds from elsewhere: a date is a whole second.
  const date = new Proxy(realDate, {
    construct: () => new realDate(ms - inSecond),
    get: (target, name) => (name === 'now' ? () => ms : Reflect.get(target, name)),
  })
  globalThis.Date = date
  process.hrtime = (() => [0, (inSecond * 1000 + micros) * 1000]) as unknown as typeof hrtime
  try {
    return work()
  } finally {
    globalThis.Date = realDate
    process.hrtime = hrtime
  }
}
