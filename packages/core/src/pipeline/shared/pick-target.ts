/**
 * Selects the target of a request: the target of the API, one of its list in turn, one that a rewrite named, or one of
 * a discovery service (docs/reference/service-discovery.md).
 */
import { listedTarget, parseTargetUrl } from '../../definition/target-url.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { Discovered } from '../../route/discovery/read-targets.ts'
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

/** The rejection after a picker found no target: every host is down, or no URL is valid. */
export function noTargetRejection({ api, version }: Pick<CompileContext, 'api' | 'version'>): Rejection {
  const { targetUrl, targetList, enableLoadBalancing, checkHostAgainstUptimeTests } = api.document.proxy
  const listed = version.overrideTarget === '' && enableLoadBalancing
  if (listed && (targetList ?? []).length === 0) return rejections.allHostsDown
  const urls = listed ? (targetList ?? []).map((entry) => listedTarget(entry)) : [version.overrideTarget || targetUrl]
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

/** Returns the target of the next request, or a rejection if there is none. */
type DiscoveredPicker = () => Maybe<Target | Rejection>

/** `undefined` if the version does not use service discovery. */
export function makeDiscoveredPicker(compileContext: CompileContext): DiscoveredPicker | undefined {
  const { api, version, services } = compileContext
  const lease = version.overrideTarget === '' ? services.discovery?.lease(api) : undefined
  if (lease === undefined) return undefined
  const list = new TargetList(compileContext)
  const fixed = makeTarget(api.document.proxy.targetUrl, compileContext) ?? rejections.upstreamBroken
  services.onRelease?.(() => {
    lease.release()
    list.clear()
    if (!('kind' in fixed)) fixed.link.release()
  })
  return () => when(lease.lookup.find(), (found) => pickFrom(found, list, fixed))
}

function pickFrom(found: Discovered, list: TargetList, fixed: Target | Rejection): Target | Rejection {
  switch (found.kind) {
    case 'targets':
      return list.next(found.targets)
    case 'none':
      return rejections.allHostsDown
    case 'unusable':
      return rejections.upstreamBroken
    case 'unavailable':
      return fixed
  }
}

/** The targets of the latest list, with their connections. A target is made when its turn first comes. */
class TargetList {
  private readonly compileContext: CompileContext
  private urls: readonly string[] = []
  private targets = new Map<string, Target | undefined>()
  private turn = 0

  constructor(compileContext: CompileContext) {
    this.compileContext = compileContext
  }

  next(urls: readonly string[]): Target | Rejection {
    if (urls !== this.urls) this.replace(urls)
    const { enableLoadBalancing, checkHostAgainstUptimeTests } = this.compileContext.api.document.proxy
    if (!enableLoadBalancing) return this.at(0)
    const { uptime } = this.compileContext.services
    for (let tried = 0; tried < urls.length; tried++) {
      const target = this.at(this.turn)
      this.turn = (this.turn + 1) % urls.length
      const isDown = checkHostAgainstUptimeTests && 'host' in target && uptime?.isDown(target.host) === true
      if (!isDown) return target
    }
    return rejections.allHostsDown
  }

  clear(): void {
    for (const target of this.targets.values()) target?.link.release()
    this.targets.clear()
  }

  /** Targets that the new list contains too keep their connections. */
  private replace(urls: readonly string[]): void {
    const named = new Set(urls)
    for (const [url, target] of this.targets) {
      if (named.has(url)) continue
      target?.link.release()
      this.targets.delete(url)
    }
    this.urls = urls
    this.turn %= urls.length
  }

  private at(index: number): Target | Rejection {
    const url = this.urls[index] as string
    if (!this.targets.has(url)) this.targets.set(url, makeDiscovered(url, this.compileContext))
    return this.targets.get(url) ?? rejections.upstreamBroken
  }
}

/**
 * The service is another party than the author of the definition, so all characters of its URL but printable ASCII are
 * escaped.
 */
function makeDiscovered(url: string, compileContext: CompileContext): Target | undefined {
  if (parseTargetUrl(url) === undefined) return undefined
  return makeTarget(url.replace(/[^\x21-\x7e]/gu, encodeURIComponent), compileContext)
}
