/**
 * An API that forwards a byte stream (TCP or TLS). It is listed and reloaded like an API of HTTP but has no stages. A
 * request of HTTP that reaches it through a loop or a version family gets 404.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { rejections } from '../../http/rejections.ts'
import { makeStreamRoute } from '../../route/stream-route.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { CompiledApi } from './compiled-api.ts'

export function compileStream(definition: ApiDefinition, services: StageServices): CompiledApi {
  const handle = (request: GatewayRequest) => services.errors.render(rejections.notFound, request)
  const lease = services.discovery?.lease(definition)
  const stream = makeStreamRoute(definition, services.settings.upstream.insecure, services.log, lease?.lookup)
  return { definition, handle, release: () => lease?.release(), stream }
}
