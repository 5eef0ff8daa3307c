/** Clients that send one request after the other over kept connections, and note failures and stalls. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SteadyClients {
  readonly total: number
  /** Failures outside of faults: status or error, with the number of seconds since the start. */
  readonly wrong: readonly string[]
  /** Requests without a complete response in time. */
  readonly stalled: readonly string[]
  /** Stops sending, and resolves when all responses have arrived. */
  stop(): Promise<void>
}

export interface SteadyRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface SteadyOptions {
  readonly port: number
  readonly requests: readonly SteadyRequest[]
  readonly clients: number
  /** Pause of each client between two requests. */
  readonly pauseMs: number
  /** Returns true while a fault excuses failures. */
  isDisturbed(): boolean
  now(): number
}

/** Longer than every time limit of the gateway in this soak. */
const stallMs = 20_000
const most = 100

export function startSteadyClients(options: SteadyOptions): SteadyClients {
  const { port, requests, clients, pauseMs, isDisturbed, now } = options
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const [wrong, stalled]: [string[], string[]] = [[], []]
  let total = 0
  let isStopped = false
  const lane = async (number: number) => {
    for (let i = number; !isStopped; i += 1) {
      const one = requests[i % requests.length] as SteadyRequest
      const startedAt = now()
      const wasDisturbed = isDisturbed()
      total += 1
      const outcome = await exchangeOnce(agent, port, one)
      const what = `${one.path} at ${startedAt.toFixed(0)} s: ${outcome}`
      if (outcome === 'stalled' && stalled.length < most) stalled.push(what)
      const isFine = outcome === '200' || outcome === '429'
      if (!isFine && !wasDisturbed && !isDisturbed() && wrong.length < most) wrong.push(what)
      await sleep(pauseMs)
    }
  }
  const lanes = Promise.all(Array.from({ length: clients }, (_, i) => lane(i)))
  return {
    get total() {
      return total
    },
    wrong,
    stalled,
    async stop() {
      isStopped = true
      await lanes
      agent.destroy()
    },
  }
}

/** Resolves with the status, `stalled`, or the code of the error. */
function exchangeOnce(
  agent: Agent,
  port: number,
  { method = 'GET', path, headers = {}, body }: SteadyRequest,
): Promise<string> {
  return new Promise((resolve) => {
    const call = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => settle(String(response.statusCode)))
      response.on('error', (cause: NodeJS.ErrnoException) => settle(cause.code ?? cause.message))
    })
    const timer = setTimeout(() => {
      settle('stalled')
      call.destroy()
    }, stallMs)
    const settle = (outcome: string) => {
      clearTimeout(timer)
      resolve(outcome)
    }
    // A connection that the server closes just when it is used again is no failure of the gateway.
    call.on('error', (cause: NodeJS.ErrnoException) =>
      settle(call.reusedSocket && cause.code === 'ECONNRESET' ? '200' : (cause.code ?? cause.message)),
    )
    call.end(body)
  })
}
