/** Sends traces, each as a client without recent requests, within the budget. */

import { asClient, type Client, type ClientPool, type KeyPlace } from '../http/client-pool.ts'
import type { RawClient, RawRequest } from '../http/raw-client.ts'
import {
  durationOf,
  type Exchange,
  type Group,
  type History,
  makeGroup,
  requestsOf,
  type Step,
  type Trace,
} from '../trace/trace-and-history.ts'
import type { Budget } from './run-budget.ts'

export interface Subject {
  readonly request: RawRequest
  readonly place: KeyPlace
  /** Statuses of rejections by the limit. Calm traffic may show that some of them are not. */
  rejected: readonly number[]
  /** Statuses of 400 and more that count as admitted, such as a 404 of the upstream. */
  admitted: readonly number[]
  readonly periodMs: number
}

/** A trace that was not sent, or not to its end, and why. */
export interface NotRun {
  readonly notRun: string
}

export interface Prober {
  readonly subject: Subject
  readonly budget: Budget
  readonly pool: ClientPool
  /** A prober that sends every trace as this client, which rests in between. */
  only(client: Client): Prober
  run(trace: Trace, deadline: number, options?: RunOptions): Promise<History | NotRun>
}

export interface RunOptions {
  /** Adds steps that depend on the responses so far, until it returns `undefined`. */
  readonly more?: ((groups: readonly Group[], startedAt: number) => Step | undefined) | undefined
  /** True while mistakes are looked for: a part of the requests is kept to repeat them. */
  readonly isSearch?: boolean
}

export const isNotRun = (result: History | NotRun): result is NotRun => 'notRun' in result

export function makeProber(subject: Subject, http: RawClient, pool: ClientPool, budget: Budget): Prober {
  return {
    subject,
    budget,
    pool,
    only: (client) => makeProber(subject, http, pool.only(client), budget),
    async run(trace, deadline, { more, isSearch = false } = {}) {
      const reason = reasonNotToRun(trace, budget, deadline, isSearch)
      if (reason !== undefined) return { notRun: reason }
      const client = await pool.take(deadline - durationOf(trace))
      if (client === undefined) return { notRun: 'no client has rested for long enough; give more keys' }
      try {
        return await sendTrace({ subject, http, budget, client, deadline }, trace, more)
      } catch (cause) {
        return { notRun: cause instanceof Error ? cause.message : String(cause) }
      } finally {
        pool.release(client)
      }
    },
  }
}

function reasonNotToRun(trace: Trace, budget: Budget, deadline: number, isSearch: boolean): string | undefined {
  if (budget.isStopped()) return 'the run was interrupted'
  const { maxRate } = budget
  const crowd = Math.max(...trace.steps.filter(({ together }) => together).map(({ count }) => count), 0)
  if (maxRate !== undefined && crowd > maxRate)
    return `it sends ${crowd} requests at once, and --max-rate is ${maxRate}`
  const seconds = (ms: number) => (ms / 1000).toFixed(ms < 10_000 ? 1 : 0)
  const needed = Math.max(durationOf(trace), maxRate === undefined ? 0 : (requestsOf(trace) * 1000) / maxRate)
  const left = deadline - budget.timer.now()
  if (needed > left)
    return `it takes ${seconds(needed)} s, and ${seconds(Math.max(0, left))} s are left; raise --seconds`
  if (!budget.reserve(requestsOf(trace), isSearch))
    return isSearch
      ? `the rest of --max-requests ${budget.maxRequests} is kept for repetitions; raise it`
      : `--max-requests ${budget.maxRequests} is used up`
  return undefined
}

interface Sending {
  readonly subject: Subject
  readonly http: RawClient
  readonly budget: Budget
  readonly client: Client
  readonly deadline: number
}

async function sendTrace(sending: Sending, trace: Trace, more: RunOptions['more']): Promise<History> {
  const { client, deadline, subject } = sending
  const { timer } = sending.budget
  await timer.sleepUntil(startOf(trace, subject.periodMs, timer.now()))
  const startedAt = timer.now()
  const steps = [...trace.steps]
  const groups: Group[] = []
  for (let index = 0; ; index += 1) {
    const step = steps[index] ?? more?.(groups, startedAt)
    if (step === undefined) break
    if (index === steps.length) steps.push(step)
    // A gateway that delays requests makes a trace longer than its plan.
    if (Math.max(startedAt + step.atMs, timer.now()) > deadline)
      throw new Error('the budget of time ended before the trace')
    await timer.sleepUntil(startedAt + step.atMs)
    if (sending.budget.isStopped()) throw new Error('the run was interrupted')
    groups.push(...(await sendStep(sending, step, index)))
  }
  return { trace: { ...trace, steps }, startedAt, client: client.name, groups }
}

function startOf({ startPhaseMs }: Trace, periodMs: number, instant: number): number {
  const now = instant + 5
  if (startPhaseMs === undefined) return now - 5
  return now + ((((startPhaseMs - now) % periodMs) + periodMs) % periodMs)
}

async function sendStep(sending: Sending, step: Step, index: number): Promise<Group[]> {
  if (step.together) {
    const sent = Array.from({ length: step.count }, () => sendOne(sending, step))
    const settled = await Promise.allSettled(sent)
    const exchanges = settled.flatMap((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
    return [makeGroup(index, exchanges)]
  }
  const groups: Group[] = []
  for (let i = 0; i < step.count; i += 1) groups.push(makeGroup(index, await sendOne(sending, step)))
  return groups
}

async function sendOne({ subject, http, budget, client }: Sending, { variant }: Step): Promise<readonly Exchange[]> {
  await budget.pace()
  const plain = asClient(subject.request, client, subject.place)
  const response = await http.send(variant?.shape(plain, client) ?? plain)
  const statuses = variant?.statuses?.(response) ?? [response.status]
  const { sentAt, answeredAt, headers } = response
  return statuses.map((status) => ({
    sentAt,
    answeredAt,
    status,
    headers,
    admitted: isAdmitted(subject, status, variant !== undefined),
  }))
}

function isAdmitted({ rejected, admitted }: Subject, status: number, isVariant: boolean): boolean {
  if (rejected.includes(status)) return false
  if (status < 400 || admitted.includes(status)) return true
  // An unusual spelling may be an unknown key, and a batch item an unknown path.
  if (isVariant) return false
  throw new Error(
    `a request got status ${status}, which is neither a success nor one of --rejected ${rejected.join(',')}; name it in --rejected or --admitted`,
  )
}
