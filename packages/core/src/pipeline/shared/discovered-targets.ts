/** Selects the target of a request among those of a discovery service (docs/reference/service-discovery.md). */
import { parseTargetUrl } from '../../definition/target-url.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { Discovered } from '../../route/discovery/read-targets.ts'
import type { CompileContext } from '../contract/stage.ts'
import type { Target } from '../contract/target.ts'
import { makeTarget } from './upstream-target.ts'

/** Returns the target of the next request, or a rejection if there is none. */
export type DiscoveredPicker = () => Maybe<Target | Rejection>

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

/** The service is another party than the author of the definition, so characters that a path cannot contain are escaped. */
function makeDiscovered(url: string, compileContext: CompileContext): Target | undefined {
  if (parseTargetUrl(url) === undefined) return undefined
  return makeTarget(url.replace(/[^\x21-\x7e]/gu, encodeURIComponent), compileContext)
}
