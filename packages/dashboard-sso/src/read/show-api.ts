/** APIs as the page shows them: what they are, how they did in the last minute, how their breakers stand. */
import { type ApiDefinition, documentWithReferences, placeWithReferences } from '@turnpike/core/definition'
import type { BreakerStatus } from '@turnpike/core/observability'
import type { MinuteNumbers } from '../feed/tally.ts'

export function showApi(api: ApiDefinition, breakers: readonly BreakerStatus[], lastMinute: MinuteNumbers): object {
  const { cacheOptions, name, proxy } = documentWithReferences(api)
  const { listenPath, domain } = placeWithReferences(api)
  return {
    id: api.id,
    name: name === '' ? api.id : name,
    listenPath: api.internal ? '' : listenPath,
    domain,
    target: shownTarget(proxy.targetUrl),
    access: api.authModes,
    active: api.active,
    internal: api.internal,
    versions: api.versioning.kind === 'named' ? [...api.versions.keys()] : [],
    cached: cacheOptions.enableCache,
    cacheSeconds: cacheOptions.cacheTimeout,
    breakers: breakers.filter(({ apiId }) => apiId === api.id).map(showBreaker),
    lastMinute,
  }
}

function showBreaker({
  path,
  method,
  state,
  failures,
  successes,
  threshold,
  samples,
  closesAt,
}: BreakerStatus): object {
  return { path, method, state, failures, successes, threshold, samples, closesAt }
}

/** Without user, password and query, which can hold credentials. */
function shownTarget(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/, '')
}
