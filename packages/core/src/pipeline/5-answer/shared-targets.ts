/**
 * Targets that APIs have in common: with thousands of APIs on a few upstreams, what a request needs of its target stays
 * in the processor's caches (docs/decisions/0006-a-million-keys.md).
 */
import type { Upstream } from '../../ports/upstream.ts'
import type { Scope } from '../contract/stage.ts'
import { upstreamOptions } from '../shared/upstream-options.ts'
import { makeTarget, parseTarget, type Target } from '../shared/upstream-target.ts'

interface Shared {
  readonly target: Target
  users: number
}

const byUpstream = new WeakMap<Upstream, Map<string, Shared>>()

/**
 * The target for a URL, the same one for all who are connected to it in the same way; `undefined`: the URL cannot be
 * used. Its link is released with the last share.
 */
export function shareTarget(url: string, scope: Scope): { readonly target: Target; release(): void } | undefined {
  const { upstream } = scope.tools
  const parts = parseTarget(url)
  if (parts === undefined) return undefined
  const known = byUpstream.get(upstream) ?? new Map<string, Shared>()
  byUpstream.set(upstream, known)
  const { disableStripSlash } = scope.api.document.proxy
  const name = JSON.stringify([url, disableStripSlash, upstreamOptions(parts.origin, parts.host, scope)])
  const shared = known.get(name) ?? share(known, name, makeTarget(url, scope))
  if (shared === undefined) return undefined
  shared.users++
  let released = false
  return {
    target: shared.target,
    release() {
      if (released) return
      released = true
      shared.users--
      if (shared.users > 0) return
      if (known.get(name) === shared) known.delete(name)
      shared.target.link.release()
    },
  }
}

function share(known: Map<string, Shared>, name: string, target: Target | undefined): Shared | undefined {
  if (target === undefined) return undefined
  const shared = { target, users: 0 }
  known.set(name, shared)
  return shared
}
