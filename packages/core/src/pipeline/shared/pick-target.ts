/** Selects the target of a request: the target of the API, one of its list in turn, or one that a rewrite named. */
import { listedTarget } from '../../definition/target-url.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { Target } from '../contract/target.ts'
import { makeTarget, parseTarget } from './upstream-target.ts'

/** Maximum number of rewritten targets with open connections, for one version of one API. */
const maxRewrittenTargets = 100

/**
 * Picks the target of the version or the API, or round robin from the list. If the API enables it, hosts that uptime
 * tests report as down are skipped.
 */
export function makePicker(compileContext: CompileContext): () => Target | undefined {
  const { proxy } = compileContext.api.document
  const { uptime } = compileContext.services
  const isDown = (target: Target | undefined) =>
    proxy.checkHostAgainstUptimeTests && target !== undefined && uptime?.isDown(target.host) === true
  if (compileContext.version.overrideTarget === '' && proxy.enableLoadBalancing) {
    const targets = (proxy.targetList ?? [])
      .map((url) => keptTarget(listedTarget(url), compileContext))
      .filter((target) => target !== undefined)
    let next = 0
    return () => {
      for (let tried = 0; tried < targets.length; tried++) {
        const target = targets[next]
        next = next + 1 >= targets.length ? 0 : next + 1
        if (!isDown(target)) return target
      }
      return undefined
    }
  }
  const target = keptTarget(compileContext.version.overrideTarget || proxy.targetUrl, compileContext)
  return proxy.checkHostAgainstUptimeTests ? () => (isDown(target) ? undefined : target) : () => target
}

/** Returns the rejection if there is no target: its URL is invalid, or every host is down. */
export function noTargetRejection({ api, version }: Pick<CompileContext, 'api' | 'version'>): Rejection {
  const { targetUrl, targetList, enableLoadBalancing, checkHostAgainstUptimeTests } = api.document.proxy
  const listed = version.overrideTarget === '' && enableLoadBalancing
  const urls = listed ? (targetList ?? []).map(listedTarget) : [version.overrideTarget || targetUrl]
  const usable = urls.some((url) => parseTarget(url) !== undefined)
  return checkHostAgainstUptimeTests && usable ? rejections.allHostsDown : rejections.upstreamBroken
}

/** Makes a target whose connections stay open until the API is released. */
function keptTarget(url: string, compileContext: CompileContext): Target | undefined {
  const target = makeTarget(url, compileContext)
  if (target !== undefined) compileContext.services.onRelease?.(() => target.link.release())
  return target
}

/**
 * Targets that rewrites name at run time. Each holds connections, and clients can influence the names, so the number is
 * limited and the least recently used target is released. Its requests in flight finish.
 */
export function makeRewrittenTargets(compileContext: CompileContext): (origin: string) => Target | undefined {
  const known = new Map<string, Target>()
  compileContext.services.onRelease?.(() => {
    for (const { link } of known.values()) link.release()
    known.clear()
  })
  return (origin) => {
    const found = known.get(origin)
    const target = found ?? makeTarget(origin, compileContext)
    if (target === undefined) return undefined
    // Reinsert at the end: a Map iterates in insertion order, which makes it an LRU list.
    if (found !== undefined) known.delete(origin)
    else if (known.size >= maxRewrittenTargets) releaseFirst(known)
    known.set(origin, target)
    return target
  }
}

function releaseFirst(known: Map<string, Target>): void {
  for (const [origin, { link }] of known) {
    known.delete(origin)
    link.release()
    return
  }
}
