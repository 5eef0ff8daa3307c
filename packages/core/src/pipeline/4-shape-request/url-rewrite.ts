/**
 * Replaces the URL for the upstream, by path. The result is a path of the API, a URL elsewhere, or an API of this
 * gateway. A later stage sends the request there (docs/reference/transforms.md#url-rewrite).
 */
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { compileRe2, type Re2 } from '../../lib/regex/re2.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { mapPercent } from '../../lib/text/percent-map.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { LoopTarget } from '../contract/loop-target.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { type BrokenRule, brokenRule, makeRuleStage } from '../shared/match-path-rules.ts'
import { parseLoopTarget } from '../shared/parse-loop-target.ts'
import { listenPathOf } from '../shared/replace-request.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { variablesOf } from '../shared/variable-values.ts'
import { compileRewriteTarget, type RewriteTarget } from './rewrite-target.ts'
import { compileTrigger, type Trigger } from './rewrite-triggers.ts'

type RewriteDocument = CompileContext['version']['paths']['urlRewrites'][number]

interface Rewrite {
  readonly pattern: Re2
  readonly triggers: readonly Trigger[]
  /** Used if no trigger fires; `undefined` leaves the URL unchanged. */
  readonly target: RewriteTarget | undefined
  readonly needsPayload: boolean
}

export const makeUrlRewrite: MakeStage = (compileContext) =>
  makeRuleStage(
    compileContext.version.paths.urlRewrites,
    compileContext,
    (rule) => compileRewrite(rule, compileContext),
    (rewrite, context) => {
      if (!rewrite.needsPayload) return follow(rewrite, context, '', compileContext)
      return withRequestBody(context, compileContext.services, (body) =>
        follow(rewrite, context, utf8Text(body), compileContext),
      )
    },
  )

function compileRewrite(rule: RewriteDocument, compileContext: CompileContext): Rewrite | BrokenRule {
  const pattern = compileRe2(rule.matchPattern)
  if (pattern.problem !== undefined) return brokenRewrite(rule, rule.matchPattern, pattern.problem, compileContext)
  const triggers: Trigger[] = []
  for (const [i, document] of (rule.triggers ?? []).entries()) {
    const trigger = compileTrigger(document, i, compileContext)
    if ('problem' in trigger) return brokenRewrite(rule, trigger.pattern, trigger.problem, compileContext)
    triggers.push(trigger)
  }
  return {
    pattern,
    triggers,
    target: rule.rewriteTo === '' ? undefined : compileRewriteTarget(rule.rewriteTo, compileContext),
    needsPayload: triggers.some((trigger) => trigger.needsPayload),
  }
}

/** The message is that of the original gateway. */
function brokenRewrite(
  rule: RewriteDocument,
  pattern: string,
  problem: string,
  compileContext: CompileContext,
): BrokenRule {
  const rejection = reword(rejections.ruleBroken, { message: `URLRewrite regexp error ${pattern}` })
  return brokenRule(rule, `the pattern ${JSON.stringify(pattern)} is invalid: ${problem}`, compileContext, rejection)
}

function follow(
  rewrite: Rewrite,
  context: RequestContext,
  payload: string,
  compileContext: CompileContext,
): Rejection | undefined {
  const path = wholePath(context)
  const { query } = context.outgoing
  const url = query === '' ? path : `${path}?${query}`
  const groups = rewrite.pattern.exec(url)?.groups ?? groupsOfDecoded(rewrite.pattern, url)
  if (groups === undefined) return undefined
  const variables = variablesOf(context, compileContext)
  const seen = { context, variables, path: decodePercent(path), payload }
  const target = rewrite.triggers.find((trigger) => trigger.fires(seen))?.target ?? rewrite.target
  if (target === undefined) return undefined
  const made = target.urlOf(groups, variables)
  if (made === undefined) return rejections.pathAmbiguous
  return goTo(made, target, context, compileContext)
}

/** Groups of a match in the decoded URL, as the client sent them: the target gets their escapes. */
function groupsOfDecoded(pattern: Re2, url: string): readonly (string | undefined)[] | undefined {
  const { text, rawOf } = mapPercent(url)
  return pattern.locate(text)?.map((span) => span && rawOf(span[0], span[1]))
}

/** Returns the path of the client with the listen path, without a stripped version segment. */
function wholePath(context: RequestContext): string {
  const { request, path, pathWithVersion } = context
  if (path === pathWithVersion) return request.path
  const listenPath = listenPathOf(context)
  return listenPath.endsWith('/') ? listenPath + path.slice(1) : listenPath + path
}

function goTo(
  url: string,
  { controls }: Pick<RewriteTarget, 'controls'>,
  context: RequestContext,
  compileContext: CompileContext,
): Rejection | undefined {
  context.trace?.note(`rewritten to ${url}`)
  context.isRewritten = true
  const { outgoing } = context
  const loop = parseLoopTarget(url, compileContext.services.settings.vendor, controls)
  if (loop !== undefined) return goInside(loop, context, compileContext)
  const [, origin, path, query] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? []
  outgoing.query = query ?? ''
  if (origin === undefined) outgoing.path = withoutListenPath(path ?? '', context, compileContext)
  else {
    outgoing.target = origin
    outgoing.path = path || '/'
  }
  return undefined
}

/** Strips the listen path from a target below it. If the listen path has variables, the matched text is stripped. */
function withoutListenPath(path: string, context: RequestContext, { api }: CompileContext): string {
  const listenPath = api.listenPath.includes('{') ? listenPathOf(context) : api.listenPath
  const strip = api.document.proxy.stripListenPath && path.startsWith(listenPath)
  const inner = strip ? path.slice(listenPath.length) : path
  return inner.startsWith('/') ? inner : `/${inner}`
}

function goInside(loop: LoopTarget, context: RequestContext, { services }: CompileContext): Rejection | undefined {
  if (services.loops === undefined || !(loop.api === 'self' || services.loops.knows(loop.api)))
    return rejections.loopTarget
  context.loop = loop
  return undefined
}
