/** Clients that call the gateways concurrently and record what they see. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Consume,
  type Consumed,
  type ConsumedInWindow,
  makeHistoryRecorder,
  type Operation,
  type RecordCall,
  type RecordReply,
} from '@turnpike/testkit'
import { managementKey, sessionFor } from '../support/folder.ts'
import type { Gateway } from './gateways.ts'

/**
 * Each call uses one of four objects of its kind, and every second two of them are replaced by new ones: histories are short,
 * and limits are reached during every fault.
 */
const objectsAtOnce = 4
const newObjectsPerSecond = 2
export const quotaMax = 8
export const rateMax = 8
export const windowMax = 5
const windowSeconds = 2
/** After a longer call the response may name a later window, because the node adds what is left to its own time. */
const maxWindowDelayMs = 800

/** A client gives up after this time. The gateway may still perform the call. */
const timeoutMs = 1500
/** After a call with unknown result a client waits, so that few of them are concurrent with later calls. */
const afterFailureMs = 150

/** What the clients saw. The times are in ms. */
export interface Histories {
  readonly quotas: readonly Operation<Consume, Consumed>[]
  readonly rates: readonly Operation<Consume, Consumed>[]
  readonly windows: readonly Operation<Consume, ConsumedInWindow>[]
  /** Management calls on keys. */
  readonly records: readonly Operation<RecordCall, RecordReply>[]
  /** Requests with these keys: whether the gateway knew the key. */
  readonly admissions: readonly Operation<RecordCall, RecordReply>[]
  /** Responses that no call may have. */
  readonly unexpected: readonly string[]
}

export interface Clients {
  /** Stops all clients and waits for their last calls. */
  stop(): Promise<Histories>
}

interface Reply {
  readonly status: number
  readonly body: string
  header(name: string): number
}

export interface ClientsOptions {
  readonly limiter: 'rolling' | 'fixed'
  readonly count: number
  readonly seconds: number
  readonly draw: Draw
}

/** A function that returns an integer below `limit`. */
export type Draw = (limit: number) => number

/**
 * Creates the keys with limits for a run of `seconds`, then starts `count` clients. Each call goes to a gateway that `draw`
 * chooses.
 */
export async function startClients(
  gateways: readonly Gateway[],
  { limiter, count, seconds, draw }: ClientsOptions,
): Promise<Clients> {
  const agent = new Agent({ keepAlive: true })
  const call = (gateway: Gateway, method: string, path: string, headers: Record<string, string>, body?: object) =>
    send(agent, `${gateway.url}${path}`, method, headers, body)
  await createKeys(gateways[0] as Gateway, limiter, newObjectsPerSecond * seconds + objectsAtOnce, call)
  const quotas = makeHistoryRecorder<Consume, Consumed>()
  const rates = makeHistoryRecorder<Consume, Consumed>()
  const windows = makeHistoryRecorder<Consume, ConsumedInWindow>()
  const records = makeHistoryRecorder<RecordCall, RecordReply>()
  const admissions = makeHistoryRecorder<RecordCall, RecordReply>()
  const problems: string[] = []
  const orNote = <T>(reading: T | Unexpected): T | undefined => {
    if (!(reading instanceof Unexpected)) return reading
    problems.push(reading.message)
    return undefined
  }
  const consume: Consume = { kind: 'consume' }
  const ask = (gateway: Gateway, key: string) => call(gateway, 'GET', '/keyed/x', { Authorization: key })

  const steps: ((client: string, gateway: Gateway, object: number) => Promise<unknown>)[] = [
    (client, gateway, object) =>
      quotas.record(client, `quota-${object}`, consume, async () =>
        orNote(decisionOf(await ask(gateway, `quota-${object}`), quotaRejection, limiter === 'rolling')),
      ),
    (client, gateway, object) => {
      const key = `rate-${object}`
      if (limiter === 'rolling') {
        return rates.record(client, key, consume, async () =>
          orNote(decisionOf(await ask(gateway, key), rateRejection, false)),
        )
      }
      return windows.record(client, key, consume, async () => {
        const sentAt = performance.now()
        const reply = await ask(gateway, key)
        const decision = orNote(decisionOf(reply, rateRejection, false))
        if (performance.now() - sentAt > maxWindowDelayMs) return undefined
        return decision && { allowed: decision.allowed, windowEndsAt: windowEndOf(reply) }
      })
    },
    (client, gateway, object) => {
      const key = `record-${object}`
      const input = drawCall(draw)
      return records.record(client, key, input, async () =>
        orNote(recordReply(await manageKey(call, gateway, key, input), input)),
      )
    },
    (client, gateway, object) => {
      const key = `record-${object}`
      return admissions.record(client, key, { kind: 'read' }, async () => {
        const { status } = await ask(gateway, key)
        return status === 200 || status === 403 ? { found: status === 200 } : undefined
      })
    },
  ]
  let stopped = false
  const startedAt = performance.now()
  const drawObject = () => {
    const elapsed = Math.min(seconds, Math.floor((performance.now() - startedAt) / 1000))
    return newObjectsPerSecond * elapsed + draw(objectsAtOnce)
  }
  const runClient = async (number: number) => {
    while (!stopped) {
      const gateway = gateways[draw(gateways.length)] as Gateway
      const step = steps[draw(steps.length)] as (typeof steps)[number]
      const reply = await step(`client ${number} at ${gateway.name}`, gateway, drawObject())
      await sleep(reply === undefined ? afterFailureMs : draw(12))
    }
  }
  const running = Array.from({ length: count }, (_, number) => runClient(number))
  return {
    async stop() {
      stopped = true
      await Promise.all(running)
      agent.destroy()
      return {
        quotas: quotas.operations,
        rates: rates.operations,
        windows: windows.operations,
        records: records.operations,
        admissions: admissions.operations,
        unexpected: [...new Set(problems)],
      }
    },
  }
}

type Call = (
  gateway: Gateway,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
) => Promise<Reply>

const admin = { 'X-Svc-Authorization': managementKey }

/** Before any fault: a creation that is repeated could reset a counter. */
async function createKeys(gateway: Gateway, limiter: 'rolling' | 'fixed', count: number, call: Call): Promise<void> {
  const unlimited = { ...sessionFor('keyed'), rate: 0, per: 0, quota_max: -1 }
  const rate = limiter === 'rolling' ? { rate: rateMax, per: 3600 } : { rate: windowMax, per: windowSeconds }
  for (let object = 0; object < count; object++) {
    const quota = { ...unlimited, quota_max: quotaMax, quota_renewal_rate: 3600 }
    for (const [key, session] of Object.entries({
      [`quota-${object}`]: quota,
      [`rate-${object}`]: { ...unlimited, ...rate },
    })) {
      const { status, body } = await call(gateway, 'POST', `/svc/keys/${key}`, admin, session)
      if (status !== 200) throw new Error(`the key ${key} was not created: ${status} ${body}`)
    }
  }
}

let lastValue = 0

/** Updates are missing: docs/architecture.md#ports says that between nodes the last write wins. */
function drawCall(draw: Draw): RecordCall {
  const choice = draw(10)
  if (choice < 4) return { kind: 'read' }
  return choice < 8 ? { kind: 'create', value: `v${++lastValue}` } : { kind: 'delete' }
}

function manageKey(call: Call, gateway: Gateway, key: string, input: RecordCall): Promise<Reply> {
  const path = `/svc/keys/${key}`
  if (input.kind === 'create') {
    const session = { ...sessionFor('keyed'), rate: 0, per: 0, alias: input.value }
    return call(gateway, 'POST', path, admin, session)
  }
  return call(gateway, input.kind === 'read' ? 'GET' : 'DELETE', `${path}?org_id=acme`, admin)
}

/** A response that no call may have. */
class Unexpected {
  readonly message: string
  constructor({ status, body }: Reply) {
    this.message = `${status} ${body}`
  }
}

/** The call may still take effect. A node that has just started responds with 503 until its APIs are loaded. */
function isUnknown({ status }: Reply): boolean {
  return status >= 500
}

function recordReply(reply: Reply, input: RecordCall): RecordReply | Unexpected | undefined {
  const { status, body } = reply
  if (isUnknown(reply)) return undefined
  // 400 is the response to a DELETE that another one overtook.
  if (status === 404 || (status === 400 && input.kind === 'delete')) return { found: false }
  if (status !== 200) return new Unexpected(reply)
  return input.kind === 'read' ? { found: true, value: String(JSON.parse(body).alias) } : { found: true }
}

const quotaRejection = { status: 403, text: 'Quota exceeded' }
const rateRejection = { status: 429, text: 'Rate Limit Exceeded' }

function decisionOf(
  reply: Reply,
  rejection: { readonly status: number; readonly text: string },
  hasRemaining: boolean,
): Consumed | Unexpected | undefined {
  if (isUnknown(reply)) return undefined
  if (reply.status === rejection.status && reply.body.includes(rejection.text)) return { allowed: false }
  if (reply.status !== 200) return new Unexpected(reply)
  return hasRemaining ? { allowed: true, remaining: reply.header('x-ratelimit-remaining') } : { allowed: true }
}

/**
 * Windows end at multiples of their length in the time of Redis. A node reports the end in its own time, rounded up to
 * seconds, so its report is the end or one second later.
 */
function windowEndOf(reply: Reply): number {
  return Math.floor(reply.header('x-ratelimit-reset') / windowSeconds) * windowSeconds
}

function send(
  agent: Agent,
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = request(url, { method, headers, agent, signal }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          header: (name) => Number(response.headers[name] ?? Number.NaN),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
