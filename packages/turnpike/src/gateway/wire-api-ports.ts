/** How a port of an API's own is opened: by which server, and what is done with what comes. */
import { type Engine, type Handle, isStream, type ListenProtocol, type Log } from '@turnpike/core'
import type { OpenPort } from './api-ports.ts'
import { hostOf } from './gateway-ports.ts'
import type { FrontEnds } from './wire-front-end.ts'

export interface ApiPortDependencies {
  readonly engine: Pick<Engine, 'handleOn' | 'streamOn'>
  readonly frontEnds: FrontEnds
  /** Where the gateway listens; empty: every address. */
  readonly host: string
  /** Around the handling of requests: what the gateway's own port does too. */
  readonly wrapHandler: (handle: Handle) => Handle
  /** How long connections may be idle whose bytes pass as they are; 0: for ever. */
  readonly streamIdleMs: number
  readonly log: Log
}

export function makeOpenPort({
  engine,
  frontEnds,
  host,
  wrapHandler,
  streamIdleMs,
  log,
}: ApiPortDependencies): OpenPort {
  return async ({ port, protocol }, served) => {
    const at = { host: hostOf({ host }), port }
    let isServed = false
    void served.then(() => {
      isServed = true
    })
    if (isStream({ protocol })) {
      const { makeStreamProxy } = await import('@turnpike/adapters/stream-proxy')
      const tls = protocol === 'tls' ? await frontEnds.tls() : undefined
      const routeOf = () => (isServed ? engine.streamOn(port) : served.then(() => engine.streamOn(port)))
      return makeStreamProxy({ idleTimeoutMs: streamIdleMs, log }).listen(routeOf, at, tls)
    }
    const frontEnd = await frontEnds.of(protocol as Exclude<ListenProtocol, 'tcp' | 'tls'>)
    const handle = wrapHandler(engine.handleOn(port))
    return frontEnd.listen((request) => (isServed ? handle(request) : served.then(() => handle(request))), at)
  }
}
