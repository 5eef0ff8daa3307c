/**
 * A gateway for model-based tests: a scheduler of fast-check decides in which order its store operations take effect and
 * settle. Commands run concurrently, and each records when it started and ended, so that a model can check the history.
 */
import type { Store, Upstream } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { makeFakeUpstream, makeVirtualClock, type Script, type VirtualClock } from '@turnpike/testkit'
import fc from 'fast-check'
import { createGateway, type Gateway, type GatewayOptions } from 'turnpike'

/** Commands that run at a time. Fewer would miss races, more would leave no commands that follow each other. */
const lanes = 3

export const secret = 'management-key-of-the-model'

export interface ScheduledGateway {
  readonly gateway: Gateway
  readonly clock: VirtualClock
  readonly upstream: ReturnType<typeof makeFakeUpstream>
  /** The next number of a counter that orders the starts and ends of all commands. */
  tick(): number
  /** Calls the management API. */
  manage(method: string, url: string, body?: string | object): Promise<{ readonly status: number; json<T>(): T }>
  /**
   * Runs the commands, at most three at a time. The scheduler decides when each starts and when its store operations take
   * effect.
   */
  runAll(commands: readonly (() => Promise<void>)[]): Promise<void>
}

export interface ScheduledOptions extends Omit<GatewayOptions, 'store' | 'clock' | 'upstream'> {
  /** The body with which the upstream responds. The scheduler decides when the response arrives. Default: empty. */
  readonly bodyOf?: (request: Parameters<Script>[0]) => string
  /** Puts a seeded bug into the store. */
  readonly breakStore?: ((store: Store) => Store) | undefined
  /** Puts a seeded bug into the upstream client. */
  readonly breakUpstream?: ((upstream: Upstream) => Upstream) | undefined
}

export async function makeScheduledGateway(
  scheduler: fc.Scheduler,
  {
    bodyOf = () => '',
    breakStore = (store) => store,
    breakUpstream = (upstream) => upstream,
    ...options
  }: ScheduledOptions,
): Promise<ScheduledGateway> {
  const clock = makeVirtualClock()
  let isScheduled = false
  const pause = async (what: string) => {
    if (isScheduled) await scheduler.schedule(Promise.resolve(), what)
  }
  const upstream = makeFakeUpstream(clock, async (request) => {
    const body = bodyOf(request)
    await pause('upstream')
    return { body }
  })
  const store = breakStore(pausing(makeMemoryStore({ clock, responseBytes: 1_000_000 }), pause))
  const gateway = await createGateway({ ...options, clock, store, upstream: breakUpstream(upstream), log: 'silent' })
  let ticks = 0
  return {
    ...{ gateway, clock, upstream },
    tick: () => ++ticks,
    manage(method, url, body) {
      const headers = {
        'x-svc-authorization': secret,
        ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      }
      const text = typeof body === 'object' ? JSON.stringify(body) : body
      return gateway.inject({ method, url, headers, ...(text === undefined ? {} : { body: text }) })
    },
    async runAll(commands) {
      isScheduled = true
      const running = Array.from({ length: lanes }, async (_, lane) => {
        for (let i = lane; i < commands.length; i += lanes) {
          await pause(`start ${i}`)
          await commands[i]?.()
        }
      })
      await scheduler.waitFor(Promise.all(running))
      // What follows a response, such as its write to the cache, ends too.
      await scheduler.waitAll()
      isScheduled = false
    },
  }
}

/** Each operation waits for the scheduler before it takes effect, and again before its result arrives. */
function pausing(store: Store, pause: (what: string) => Promise<void>): Store {
  const group = <T extends object>(name: string, inner: T): T =>
    new Proxy(inner, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          await pause(`${name}.${String(key)}`)
          const result: unknown = await member.apply(target, args)
          await pause(`${name}.${String(key)} done`)
          return result
        }
      },
    })
  return {
    sessions: group('sessions', store.sessions),
    organisations: store.organisations,
    counters: group('counters', store.counters),
    responses: group('responses', store.responses),
    records: group('records', store.records),
    check: () => store.check(),
    close: () => store.close(),
  }
}

/** Replaces operations of one part of a store, for seeded bugs. */
export function withOperations<Part extends 'sessions' | 'counters' | 'responses' | 'records'>(
  store: Store,
  part: Part,
  operations: (inner: Store[Part]) => Partial<Store[Part]>,
): Store {
  const inner = store[part]
  const changed = operations(inner)
  const merged = new Proxy(inner, {
    get: (target, key) => Reflect.get(key in changed ? changed : target, key, key in changed ? changed : target),
  })
  return { ...store, [part]: merged }
}

const runs = Number(process.env['TURNPIKE_MODEL_RUNS'] ?? 60)

/** Checks the model for many histories. Rejects with the shrunk counterexample of fast-check. */
export async function checkModel<Command>(
  commands: fc.Arbitrary<Command>,
  run: (scheduler: fc.Scheduler, commands: readonly Command[]) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(commands, { minLength: 2, maxLength: 12, size: 'max' }),
    run,
  )
  await fc.assert(property, { numRuns: runs, seed: 21 })
}
