/** Finds definitions that are invalid for serving. Source: docs/reference/api-management.md#definitions-that-are-not-loaded. */

import type { ClassicDefinition } from './classic.ts'
import type { ServingProblem } from './definition-problem.ts'
import { parseListenPath } from './listen-path.ts'
import { isStreamApi } from './listen-port.ts'
import { parseStreamTarget, streamTargetMessage } from './stream-target.ts'
import { listedTarget, parseTargetUrl } from './target-url.ts'

/** The first reason why the gateway cannot route to or from this API; `undefined`: it is valid. */
export function findServingProblem(document: ClassicDefinition): ServingProblem | undefined {
  // An API that forwards bytes needs no listen path, and its targets are not HTTP URLs.
  if (isStreamApi(document)) return findTargetProblem(document, 'tcp', isConnectable)
  const { listenPath } = document.proxy
  const at = ['proxy', 'listen_path']
  if (listenPath === '') return { path: at, message: 'must not be empty: no request could reach this API' }
  if (/\s/.test(listenPath)) return { path: at, message: 'must not contain white space: no request path can' }
  const parsed = parseListenPath(listenPath)
  if (parsed.problem !== undefined) return { path: at, message: parsed.problem }
  return findTargetProblem(document, 'http', (target) => parseTargetUrl(target) !== undefined)
}

const targetMessages = { http: 'is not a URL; its form is http://host:port/path', tcp: streamTargetMessage }

/** The first invalid target. With load balancing, only the list is used. */
function findTargetProblem(
  { proxy: { targetUrl, enableLoadBalancing, targetList } }: ClassicDefinition,
  scheme: 'http' | 'tcp',
  isValid: (target: string) => boolean,
): ServingProblem | undefined {
  const message = targetMessages[scheme]
  if (enableLoadBalancing && targetList !== null && targetList.length > 0) {
    const invalid = targetList.findIndex((target) => !isValid(listedTarget(target, scheme)))
    return invalid === -1 ? undefined : { path: ['proxy', 'target_list', invalid], message }
  }
  return isValid(targetUrl) ? undefined : { path: ['proxy', 'target_url'], message }
}

/** A reference to a secret is accepted, because its value is known only to the running gateway. */
function isConnectable(target: string): boolean {
  return parseStreamTarget(target) !== undefined || /^(env|secrets):\/\//.test(target)
}
