/**
 * Starts a gateway in this process for a recorded suite, on a virtual clock and the memory store, behind a real HTTP
 * server on loopback. A pause of a suite advances the clock, so a suite takes as long as its requests.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { makeVirtualClock, type VirtualClock } from '../virtual-clock.ts'
import { type CallResponse, send } from './http-call.ts'
import type { Suite } from './recorded-suite.ts'
import type { PlayedGateway } from './run-suite.ts'
import { writeSuiteFolder } from './suite-folder.ts'

/** What the player needs of a gateway; `createGateway` of the package turnpike returns one. */
export interface InProcessGateway {
  listen(port?: number): Promise<unknown>
  reload(): Promise<unknown>
  close(graceMs?: number): Promise<void>
}

export interface InProcessOptions {
  /** Creates the gateway of a configuration file, with this clock and the memory store. */
  readonly create: (conf: string, clock: VirtualClock) => Promise<InProcessGateway>
  readonly upstream: string
  /** Keys that override those of the suite's configuration. */
  readonly config?: Record<string, unknown>
}

/** A call that takes longer than this waits for time: of the upstream, which delays in real time, or of the gateway. */
const slowCallMs = 40
const tickMs = 10

/** Writes the suite's files and starts the gateway. */
export async function startGatewayInProcess(suite: Suite, options: InProcessOptions): Promise<PlayedGateway> {
  const files = await writeSuiteFolder(suite, options.upstream, options.config)
  const { port, folder, values } = files
  const clock = makeVirtualClock(undefined, () => turn())
  let gateway: InProcessGateway | undefined
  const stop = async () => {
    await gateway?.close(0)
    await files.remove()
  }
  try {
    gateway = await options.create(files.conf, clock)
    await gateway.listen(port)
    await gateway.reload()
  } catch (cause) {
    await stop()
    throw cause
  }
  return {
    ...{ port, folder, values, stop },
    patienceMs: 5000,
    sleep: (ms) => clock.run(ms),
    send: (call, vendor) => withTime(send(port, call, vendor), clock),
  }
}

/** Lets the clock run with real time while a call takes long; the time of all other calls is zero. */
async function withTime(call: Promise<CallResponse>, clock: VirtualClock): Promise<CallResponse> {
  let isDone = false
  const settled = call.finally(() => (isDone = true))
  await Promise.race([settled, sleep(slowCallMs)])
  let from = performance.now()
  while (!isDone) {
    await Promise.race([settled, sleep(tickMs)])
    const now = performance.now()
    if (!isDone) await clock.run(now - from)
    from = now
  }
  return settled
}
