/** Opens the TCP port of an API with the server for its protocol. */
import { type Engine, type Handle, isStream, type ListenProtocol, type Log } from '@turnpike/core'
import { hostOf } from './gateway-ports.ts'
import type { OpenPort } from './open-api-ports.ts'
import type { FrontEnds } from './wire-front-end.ts'

export interface ApiPortDependencies {
  readonly engine: Pick<Engine, 'handleOn' | 'streamOn'>
  readonly frontEnds: FrontEnds
  /** The host to bind; empty means every address. */
  readonly host: string
  /** Wraps each handler, as on the gateway's own port. */
  readonly wrapHandler: (handle: Handle) => Handle
  /** Idle timeout of `tcp` and `tls` connections in milliseconds; 0 means none. */
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
