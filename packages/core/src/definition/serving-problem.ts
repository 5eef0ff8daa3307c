/** What makes a definition impossible to serve. Source: spec/apis-and-pipeline.md 1.5, spec/oauth-certs-reload.md 6. */

import type { ClassicDefinition } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'
import { parseListenPath } from './listen-path.ts'
import { asksForStream } from './listen-port.ts'
import { listedStreamTarget, parseStreamTarget, streamTargetMessage } from './stream-target.ts'
import { listedTarget, parseTargetUrl } from './target-url.ts'

/** The first reason why nothing can be routed to this API, or from it; `undefined` when it can be served. */
export function findServingProblem(document: ClassicDefinition): ServingProblem | undefined {
  if (asksForStream(document)) return findUnconnectable(document)
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

/** Where bytes pass as they are there is no path, and the target is no URL of HTTP. */
function findUnconnectable({ proxy }: ClassicDefinition): ServingProblem | undefined {
  const { targetUrl, enableLoadBalancing, targetList } = proxy
  if (enableLoadBalancing && targetList !== null && targetList.length > 0) {
    const broken = targetList.findIndex((target) => !isConnectable(listedStreamTarget(target)))
    return broken === -1 ? undefined : { path: ['proxy', 'target_list', broken], message: streamTargetMessage }
  }
  return isConnectable(targetUrl) ? undefined : { path: ['proxy', 'target_url'], message: streamTargetMessage }
}

/** What stands for a secret is known only where the gateway runs. */
function isConnectable(target: string): boolean {
  return parseStreamTarget(target) !== undefined || /^(env|secrets):\/\//.test(target)
}

const targetMessage = 'is not a URL; its form is http://host:port/path'
