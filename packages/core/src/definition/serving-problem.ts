/** Finds definitions that are invalid for serving. Source: docs/reference/api-management.md#definitions-that-are-not-loaded. */

import type { ClassicDefinition } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'
import { parseListenPath } from './listen-path.ts'
import { isStreamApi } from './listen-port.ts'
import { listedStreamTarget, parseStreamTarget, streamTargetMessage } from './stream-target.ts'
import { listedTarget, parseTargetUrl } from './target-url.ts'

/** The first reason why the gateway cannot route to or from this API; `undefined`: it is valid. */
export function findServingProblem(document: ClassicDefinition): ServingProblem | undefined {
  if (isStreamApi(document)) return findStreamProblem(document)
  const { listenPath, targetUrl, enableLoadBalancing, targetList } = document.proxy
  const at = ['proxy', 'listen_path']
  if (listenPath === '') return { path: at, message: 'must not be empty: no request could reach this API' }
  if (/\s/.test(listenPath)) return { path: at, message: 'must not contain white space: no request path can' }
  const parsed = parseListenPath(listenPath)
  if (parsed.problem !== undefined) return { path: at, message: parsed.problem }
  // With load balancing, only the list is used.
  if (enableLoadBalancing && targetList !== null && targetList.length > 0) {
    const invalid = targetList.findIndex((target) => parseTargetUrl(listedTarget(target)) === undefined)
    return invalid === -1 ? undefined : { path: ['proxy', 'target_list', invalid], message: targetMessage }
  }
  return parseTargetUrl(targetUrl) !== undefined ? undefined : { path: ['proxy', 'target_url'], message: targetMessage }
}

/** An API that forwards bytes needs no listen path, and its targets are not HTTP URLs. */
function findStreamProblem({ proxy }: ClassicDefinition): ServingProblem | undefined {
  const { targetUrl, enableLoadBalancing, targetList } = proxy
  if (enableLoadBalancing && targetList !== null && targetList.length > 0) {
    const invalid = targetList.findIndex((target) => !isConnectable(listedStreamTarget(target)))
    return invalid === -1 ? undefined : { path: ['proxy', 'target_list', invalid], message: streamTargetMessage }
  }
  return isConnectable(targetUrl) ? undefined : { path: ['proxy', 'target_url'], message: streamTargetMessage }
}

/** A reference to a secret is accepted, because its value is known only to the running gateway. */
function isConnectable(target: string): boolean {
  return parseStreamTarget(target) !== undefined || /^(env|secrets):\/\//.test(target)
}

const targetMessage = 'is not a URL; its form is http://host:port/path'
