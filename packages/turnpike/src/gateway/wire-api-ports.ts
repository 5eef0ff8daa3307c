/** Opens the TCP port of an API with the server for its protocol. */
import { isStream, type ListenProtocol } from '@turnpike/core/http'
import type { Components, CreatedEngine } from './create-engine.ts'
import { hostOf } from './gateway-ports.ts'
import type { OpenPort } from './open-api-ports.ts'
import type { FrontEnds } from './wire-front-end.ts'

/** `host` is the host to bind; empty means every address. */
export function makeOpenPort(
  { engine, config, log, countRequests = (handle) => handle }: Components & CreatedEngine,
  frontEnds: FrontEnds,
  host: string,
): OpenPort {
  const idleTimeoutMs = config.streamIdleTimeout * 1000
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
      return makeStreamProxy({ idleTimeoutMs, log }).listen(routeOf, at, tls)
    }
    const frontEnd = await frontEnds.of(protocol as Exclude<ListenProtocol, 'tcp' | 'tls'>)
    const handle = countRequests(engine.handleOn(port))
    return frontEnd.listen((request) => (isServed ? handle(request) : served.then(() => handle(request))), at)
  }
}
