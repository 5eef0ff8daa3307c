/**
 * Mock responses, ignored paths, block list and allow list, in this order: the first matching rule decides. If the
 * allow list has an entry, a path without a rule is forbidden. Internal paths are forbidden to all but looped requests
 * and are checked first, so that another list cannot open them (docs/reference/request-pipeline.md#path-lists).
 * A path that is blocked for GET is also blocked for HEAD, unless the allow list has a rule for HEAD.
 */

import { ordinaryRules } from '../../definition/mcp/primitive.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { rejections } from '../../http/rejections.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { compilePathRules, type FindRule, headFollowsGet } from '../shared/match-path-rules.ts'
import { makeMockResponse } from '../shared/mock-response.ts'
import { isPreflight } from './cors.ts'

/** What a listed path means for a request; a function makes a mock response. */
type Verdict = 'ignored' | 'blocked' | 'allowed' | (() => GatewayResponse)
type ListedPath = CompileContext['version']['paths']['ignored'][number]

export const makePathLists: MakeStage = (compileContext) => {
  // Rules for primitives of MCP proxies are enforced by 3-admit/mcp-admit.
  const { document } = compileContext.api
  const { internal: insideOnly, whiteList } = compileContext.version.paths
  const internal = compilePathRules(ordinaryRules(insideOnly, document), compileContext, () => true, {
    triesWholePath: true,
    rejects: true,
    coversHead: true,
  })
  const lists = compileLists(compileContext)
  const closed = ordinaryRules(whiteList, document).length > 0
  if (internal === null && lists.length === 0 && !closed) return null
  const corsOn = compileContext.api.document.cors.enable

  return {
    run(context): Outcome {
      // The CORS stage responds to preflight requests on every path.
      if (corsOn && isPreflight(context.request)) return undefined
      const inside = internal?.(context) ?? false
      if (inside && context.loopLevel === 0) return forbid(context, 'an internal path')
      for (const find of lists) {
        const verdict = find(context)
        if (verdict !== undefined) return follow(verdict, context)
      }
      // 3-admit/mcp-admit decides which JSON-RPC methods an allow list closes.
      return closed && !inside && context.mcp === undefined ? forbid(context, 'not on the allow list') : undefined
    },
  }
}

function follow(verdict: Verdict, context: RequestContext): Outcome {
  if (verdict === 'blocked') return forbid(context, 'on the block list')
  if (verdict === 'allowed') return undefined
  if (verdict === 'ignored') {
    context.ignored = true
    context.trace?.note('an ignored path: no key is required')
    return undefined
  }
  return verdict()
}

function forbid(context: RequestContext, reason: string): Outcome {
  context.trace?.note(reason)
  return rejections.pathForbidden
}

function compileLists(compileContext: CompileContext): FindRule<Verdict>[] {
  const { paths } = compileContext.version
  const { document } = compileContext.api
  const listed = { anyMethod: true, foldsByVersion: true, triesWholePath: true }
  const blocked = { ...listed, rejects: true }
  const mocks = compilePathRules<CompileContext['version']['paths']['mockResponse'][number], Verdict>(
    paths.mockResponse,
    compileContext,
    makeMockResponse,
    { foldsByVersion: true, triesWholePath: true, coversHead: true },
  )
  const block = flatten(ordinaryRules(paths.blackList, document), 'blocked')
  const allow = flatten(ordinaryRules(paths.whiteList, document), 'allowed')
  const blockHead = headFollowsGet(compileContext) ? block.filter(({ method }) => method === 'GET').map(toHead) : []
  const blockedHead = compilePathRules(blockHead, compileContext, verdictOf, blocked)
  const allowHead = allow.filter(({ method }) => method === 'HEAD')
  const allowedHead = compilePathRules(allowHead, compileContext, verdictOf, listed)
  const lists = [
    mocks,
    compilePathRules(flatten(ordinaryRules(paths.ignored, document), 'ignored'), compileContext, verdictOf, listed),
    compilePathRules(block, compileContext, verdictOf, blocked),
    blockedHead && ((context: RequestContext) => allowedHead?.(context) ?? blockedHead(context)),
    compilePathRules(allow, compileContext, verdictOf, listed),
  ]
  return lists.filter((find) => find !== null)
}

interface FlatRule {
  readonly path: string
  readonly method: string
  readonly ignoreCase: boolean
  readonly verdict: Verdict
}

const verdictOf = (rule: FlatRule): Verdict => rule.verdict
const toHead = (rule: FlatRule): FlatRule => ({ ...rule, method: 'HEAD' })

/**
 * Splits an entry with `method_actions` into a rule per method: `reply` sends a mock response, `no_action` or none
 * applies the list, any other action is unknown and blocks the request.
 */
function flatten(entries: readonly ListedPath[], verdict: Verdict): FlatRule[] {
  return entries.flatMap((entry): FlatRule[] => {
    const { path, ignoreCase } = entry
    const actions = Object.entries(entry.methodActions ?? {})
    if (actions.length === 0) return [{ path, ignoreCase, method: entry.method, verdict }]
    return actions.map(([method, { action, code, data, headers }]) => {
      if (action === 'reply')
        return { path, ignoreCase, method, verdict: makeMockResponse({ code, body: data, headers }) }
      return { path, ignoreCase, method, verdict: action === '' || action === 'no_action' ? verdict : 'blocked' }
    })
  })
}
