/**
 * An API that passes bytes on, beside those of HTTP: it is listed, kept and reloaded like them, and takes no part in
 * their way. A request that comes to it all the same, by a loop or a family, finds nothing.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { rejections } from '../../http/errors.ts'
import { makeStreamRoute } from '../../route/stream-route.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { CompiledApi } from './compiled-api.ts'

export function compileStream(definition: ApiDefinition, services: StageServices): CompiledApi {
  const handle: CompiledApi['handle'] = (request) => services.errors.render(rejections.notFound, request)
  const stream = makeStreamRoute(definition, services.settings.upstream.insecure, services.log)
  return { definition, handle, handleAsChild: handle, release() {}, stream }
}
