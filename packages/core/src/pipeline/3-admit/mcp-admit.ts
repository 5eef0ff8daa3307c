/**
 * What a JSON-RPC message may do on an MCP proxy, behind the key's rate and quota: first its method, then the tool,
 * resource or prompt that it asks for. Source: docs/reference/mcp-proxies.md#allow-and-block, docs/reference/mcp-proxies.md#key-rights.
 *
 * The recorded gateway sends a message through its whole chain once for the path, once for the method and once for the
 * primitive, so that rate and quota count up to three times. Here a call counts once; with `mcp_count_each_stage` the
 * stages that count run again in the places where they did. Rates of one method or primitive count in their own place
 * in both ways.
 */

import { type Primitive, speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type FindPrimitiveRule } from '../../definition/mcp/primitive-rules.ts'
import { type Rejection, rejections, reword } from '../../http/errors.ts'
import { setHeader } from '../../http/headers.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import { type Counter, StoreUnavailableError } from '../../ports/store.ts'
import type { EndpointLimit } from '../../session/access/endpoint-rates.ts'
import { counterOfEndpoint } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome, Stage } from '../contract/stage.ts'
import { makePrimitiveAccess, type PrimitiveAccess } from '../mcp/primitive-access.ts'
import { rateNote } from '../shared/limit-notes.ts'
import { nameMatching } from '../shared/match-path-rules.ts'
import { mayListHiddenItems } from '../shared/may-list-hidden-items.ts'
import { apiCounter, makeApiRateLimit } from './api-rate-limit.ts'
import { makeLimits } from './limits.ts'

type Step = (context: RequestContext) => Maybe<Outcome>

export const makeMcpAdmit: MakeStage = (compileContext) => {
  const { api, version, services } = compileContext
  if (!speaksMcp(api.document)) return null
  const open = makePrimitiveAccess(version.paths, nameMatching(compileContext, { foldsByVersion: true }))
  const again = services.settings.mcpCountEachStage
    ? { limits: makeLimits(compileContext), apiRate: makeApiRateLimit(compileContext) }
    : { limits: null, apiRate: null }
  const ofMethod = [
    keyLimits(compileContext, ({ mcp, access }) => access?.mcp?.methodRate(mcp?.method ?? ''), again.limits),
    checkMethod,
    step(again.apiRate),
  ]
  const ofPrimitive = [
    (context: RequestContext) => checkPrimitive(open, context),
    keyLimits(
      compileContext,
      ({ mcp, access }) => mcp?.primitive && access?.mcp?.primitiveRate(mcp.primitive),
      again.limits,
    ),
    checkKeyPrimitive,
    primitiveRate(compileContext, again.apiRate),
  ]
  const forMethod = ofMethod.filter((one) => one !== undefined)
  const forBoth = [...forMethod, ...ofPrimitive.filter((one) => one !== undefined)]

  return {
    name: 'mcp-admit',
    phase: '3-admit',
    run(context) {
      const { mcp, outgoing } = context
      // A list that comes packed could not be looked at as it passes.
      if (mayListHiddenItems(context, open)) setHeader(outgoing.ownHeaders(), 'accept-encoding', 'identity')
      // Answers to the server's requests ask for nothing.
      if (mcp === undefined || mcp.method === '') return undefined
      return runSteps(mcp.primitive === undefined ? forMethod : forBoth, context, 0)
    },
  }
}

/**
 * Runs the steps up to the first that refuses. A store that is away keeps none of the others from being asked: whoever
 * goes on without it must not go on without them. `away`: what a step before said of the store.
 */
function runSteps(
  steps: readonly Step[],
  context: RequestContext,
  start: number,
  away?: StoreUnavailableError,
): Maybe<Outcome> {
  let gone = away
  for (let i = start; i < steps.length; i++) {
    let outcome: Maybe<Outcome>
    try {
      outcome = (steps[i] as Step)(context)
    } catch (cause) {
      gone = toStoreUnavailable(cause)
      continue
    }
    if (isPromise(outcome)) {
      return outcome.then(
        (made) => made ?? runSteps(steps, context, i + 1, gone),
        (cause: unknown) => runSteps(steps, context, i + 1, toStoreUnavailable(cause)),
      )
    }
    if (outcome !== undefined) return outcome
  }
  if (gone !== undefined) throw gone
  return undefined
}

/** Anything else that is thrown is a fault. */
function toStoreUnavailable(cause: unknown): StoreUnavailableError {
  if (cause instanceof StoreUnavailableError) return cause
  throw cause
}

function step(stage: Stage | null): Step | undefined {
  return stage === null ? undefined : (context) => stage.run(context)
}

function checkMethod({ mcp, access }: RequestContext): Rejection | undefined {
  if (mcp === undefined || (access?.mcp?.allowsMethod(mcp.method) ?? true)) return undefined
  return reword(rejections.methodUnavailable, { message: `method '${mcp.method}' is not available` })
}

function checkPrimitive(access: PrimitiveAccess, { mcp, trace }: RequestContext): Rejection | undefined {
  const verdict = mcp?.primitive === undefined ? 'open' : access.of(mcp.primitive)
  if (verdict === 'open') return undefined
  trace?.note(verdict === 'blocked' ? 'blocked by its name' : 'others of its kind are allowed, it is not')
  return verdict === 'blocked' ? rejections.pathForbidden : rejections.primitiveForbidden
}

function checkKeyPrimitive({ mcp, access }: RequestContext): Rejection | undefined {
  const primitive = mcp?.primitive
  if (primitive === undefined || (access?.mcp?.allows(primitive) ?? true)) return undefined
  return unavailable(primitive)
}

function unavailable({ kind, name }: Primitive): Rejection {
  return reword(rejections.primitiveUnavailable, { message: `${kind} '${name}' is not available` })
}

/**
 * The key's own rate for the method or primitive. `again`: the stage that counts again, `null` where a call counts once;
 * it runs where the key has no such rate, and where it has one the quota counts again with it.
 */
function keyLimits(
  { services, api }: CompileContext,
  find: (context: RequestContext) => EndpointLimit | undefined,
  again: Stage | null,
): Step | undefined {
  if (api.authModes.length === 0 || api.document.disableRateLimit) return step(again)
  return (context) => {
    const rate = context.skipsLimits ? undefined : find(context)
    if (rate === undefined || context.counter === undefined) return again?.run(context)
    const counter = counterOfEndpoint(context.counter, rate)
    return consume(
      services,
      again === null ? { ...counter, quota: undefined } : counter,
      context,
      rejections.rateExceeded,
    )
  }
}

/** The rate of the primitive over all callers; where it has none, the stage that counts again. */
function primitiveRate(compileContext: CompileContext, again: Stage | null): Step | undefined {
  const find = primitiveRates(compileContext)
  if (find === null) return step(again)
  return (context) => {
    const primitive = context.skipsLimits ? undefined : context.mcp?.primitive
    const counter = primitive && find(primitive)
    return counter === undefined
      ? again?.run(context)
      : consume(compileContext.services, counter, context, rejections.apiRateExceeded)
  }
}

function primitiveRates(compileContext: CompileContext): FindPrimitiveRule<Counter> | null {
  if (compileContext.api.document.disableRateLimit) return null
  const rules = compileContext.version.paths.rateLimit.filter(({ rate, per }) => rate > 0 && per > 0)
  return compilePrimitiveRules(rules, nameMatching(compileContext), ({ rate, per, method, path }) =>
    apiCounter(compileContext, rate, per, `${method}:${path}`),
  )
}

/** Counts; only a rate that rejects the request is shown in the headers in place of the rate of the key. */
function consume(
  { store, settings }: CompileContext['services'],
  counter: Counter,
  context: RequestContext,
  rejection: Rejection,
): Maybe<Outcome> {
  return when(store.counters.consume(counter, context.trace?.dry ? 0 : 1), ({ rate, quota }) => {
    if (rate !== undefined) context.trace?.note(rateNote(counter, rate, settings.keys.hashKeys))
    if (rate?.allowed === false) {
      context.rate = rate
      context.rateLimit = counter.rate
      return rejection
    }
    if (quota !== undefined) context.quota = quota
    return quota?.allowed === false ? rejections.quotaExceeded : undefined
  })
}
