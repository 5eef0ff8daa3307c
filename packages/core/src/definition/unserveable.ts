/** What makes a definition impossible to serve. Source: spec/apis-and-pipeline.md 1.5, spec/oauth-certs-reload.md 6. */
import { parseListenPath } from '../route/listen-path.ts'
import type { JsonPath } from '../wire/shape.ts'
import type { ClassicDefinition } from './classic.ts'
import { listedTarget, parseTargetUrl } from './target-url.ts'

export interface Unserveable {
  readonly path: JsonPath
  readonly message: string
}

/** The first reason why nothing can be routed to this API, or from it; `undefined` when it can be served. */
export function findUnserveable(document: ClassicDefinition): Unserveable | undefined {
  const { listenPath, targetUrl, enableLoadBalancing, targetList } = document.proxy
  const at = ['proxy', 'listen_path']
  if (listenPath === '') return { path: at, message: 'must not be empty: no request could reach this API' }
  if (/\s/.test(listenPath)) return { path: at, message: 'must not hold a blank: no request path can' }
  const parsed = parseListenPath(listenPath)
  if (parsed.problem !== undefined) return { path: at, message: parsed.problem }
  // With balancing on, only the list is asked.
  if (enableLoadBalancing && targetList !== null && targetList.length > 0) {
    const broken = targetList.findIndex((target) => parseTargetUrl(listedTarget(target)) === undefined)
    return broken === -1 ? undefined : { path: ['proxy', 'target_list', broken], message: targetMessage }
  }
  return parseTargetUrl(targetUrl) !== undefined ? undefined : { path: ['proxy', 'target_url'], message: targetMessage }
}

const targetMessage = 'is not a URL; its form is http://host:port/path'
