/**
 * Checks a JSON-RPC message on an MCP proxy after the key's rate and quota: first its method, then its tool, resource or
 * prompt. Source: docs/reference/mcp-proxies.md#allow-and-block, docs/reference/mcp-proxies.md#key-rights.
 *
 * The original gateway sends a message through its whole chain once for the path, once for the method and once for the
 * primitive, so rate and quota count up to three times. Here a call counts once. With `mcp_count_each_stage` the
 * counting stages run again at the same positions as there. Rates of one method or primitive always count.
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules } from '../../definition/mcp/primitive-rules.ts'
import { setHeader } from '../../http/headers.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { isPromise, type Maybe, when } from '../../lib/maybe.ts'
import { type Counter, StoreUnavailableError } from '../../ports/store.ts'
import type { EndpointLimit } from '../../session/access/endpoint-rates.ts'
import { counterOfEndpoint } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import {
  makeMethodAccess,
  makePrimitiveAccess,
  mayListHiddenItems,
  type PrimitiveAccess,
} from '../mcp/primitive-access.ts'
import { noteRate } from '../shared/limit-notes.ts'
import { type FindRule, methodRules, nameMatching } from '../shared/match-path-rules.ts'
import { apiCounter, makeApiRateLimit } from './api-rate-limit.ts'
import { makeKeyLimits } from './key-limits.ts'

type Step = (context: RequestContext) => Maybe<Outcome>
type Repeated = ReturnType<MakeStage>

export const makeMcpAdmit: MakeStage = (compileContext) => {
  const { api, version, services } = compileContext
  if (!speaksMcp(api.document)) return null
  const open = makePrimitiveAccess(version.paths, nameMatching(compileContext, { foldsByVersion: true }))
  const again = services.settings.mcpCountEachStage
    ? { limits: makeKeyLimits(compileContext), apiRate: makeApiRateLimit(compileContext) }
    : { limits: null, apiRate: null }
  const ofMethod = [
    checkMethodRules(compileContext),
    keyLimits(compileContext, ({ mcp, access }) => access?.mcp?.methodRate(mcp?.method ?? ''), again.limits),
    checkMethod,
    rateOf(compileContext, findMethodCounter(compileContext), again.apiRate),
  ]
  const ofPrimitive = [
    (context: RequestContext) => checkPrimitive(open, context),
    keyLimits(
      compileContext,
      ({ mcp, access }) => mcp?.primitive && access?.mcp?.primitiveRate(mcp.primitive),
      again.limits,
    ),
    checkKeyPrimitive,
    rateOf(compileContext, findPrimitiveCounter(compileContext), again.apiRate),
  ]
  const forMethod = ofMethod.filter((one) => one !== undefined)
  const forBoth = [...forMethod, ...ofPrimitive.filter((one) => one !== undefined)]

  return {
    run(context) {
      const { mcp, outgoing } = context
      // The list filter cannot read a compressed response.
      if (mayListHiddenItems(context, open)) setHeader(outgoing.ownHeaders(), 'accept-encoding', 'identity')
      // Responses of the client to requests of the server have no method and need no check.
      if (mcp === undefined || mcp.method === '') return undefined
      return runSteps(mcp.primitive === undefined ? forMethod : forBoth, context, 0)
    },
  }
}

/**
 * Runs the steps up to the first rejection. If the store is unavailable, the remaining steps still run before the error
 * is thrown, because `storage_outage: "allow"` waives the limits and not the access checks. `unavailable` is the error of
 * an earlier step.
 */
function runSteps(
  steps: readonly Step[],
  context: RequestContext,
  start: number,
  unavailable?: StoreUnavailableError,
): Maybe<Outcome> {
  let storeError = unavailable
  for (let i = start; i < steps.length; i++) {
    let outcome: Maybe<Outcome>
    try {
      outcome = (steps[i] as Step)(context)
    } catch (cause) {
      storeError = toStoreUnavailable(cause)
      continue
    }
    if (isPromise(outcome)) {
      return outcome.then(
        (made) => made ?? runSteps(steps, context, i + 1, storeError),
        (cause: unknown) => runSteps(steps, context, i + 1, toStoreUnavailable(cause)),
      )
    }
    if (outcome !== undefined) return outcome
  }
  if (storeError !== undefined) throw storeError
  return undefined
}

/** Rethrows every other error: it is a bug. */
function toStoreUnavailable(cause: unknown): StoreUnavailableError {
  if (cause instanceof StoreUnavailableError) return cause
  throw cause
}

function step(stage: Repeated): Step | undefined {
  return stage === null ? undefined : (context) => stage.run(context)
}

/** Allow and block rules of methods. */
function checkMethodRules({ version }: CompileContext): Step | undefined {
  const access = makeMethodAccess(version.paths)
  if (access === undefined) return undefined
  return ({ mcp, trace }) => {
    const rejection = access(mcp?.method ?? '')
    if (rejection !== undefined) trace?.note(`the method ${mcp?.method} is closed`)
    return rejection
  }
}

function checkMethod({ mcp, access }: RequestContext): Rejection | undefined {
  if (mcp === undefined || (access?.mcp?.allowsMethod(mcp.method) ?? true)) return undefined
  return reword(rejections.methodUnavailable, { message: `method '${mcp.method}' is not available` })
}

function checkPrimitive(access: PrimitiveAccess, { mcp, trace }: RequestContext): Rejection | undefined {
  const verdict = mcp?.primitive === undefined ? 'open' : access.of(mcp.primitive)
  if (verdict === 'open') return undefined
  trace?.note(verdict === 'blocked' ? 'blocked by its name' : 'not on the allow list of its kind')
  return verdict === 'blocked' ? rejections.pathForbidden : rejections.primitiveForbidden
}

function checkKeyPrimitive({ mcp, access }: RequestContext): Rejection | undefined {
  const primitive = mcp?.primitive
  if (primitive === undefined || (access?.mcp?.allows(primitive) ?? true)) return undefined
  const message = `${primitive.kind} '${primitive.name}' is not available`
  return reword(rejections.primitiveUnavailable, { message })
}

/**
 * Counts the key's own rate for the method or primitive. `again` is the counting stage to repeat, or `null` if a call
 * counts once. It runs if the key has no such rate; if the key has one, the quota counts again together with it.
 */
function keyLimits(
  { services, api }: CompileContext,
  find: (context: RequestContext) => EndpointLimit | undefined,
  again: Repeated,
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

/**
 * Counts the rate of the method or primitive over all callers, or repeats the counting stage if it has none. `find`:
 * returns its counter; `null`: no rule has a rate.
 */
function rateOf({ services }: CompileContext, find: FindRule<Counter> | null, again: Repeated): Step | undefined {
  if (find === null) return step(again)
  return (context) => {
    const counter = context.skipsLimits ? undefined : find(context)
    return counter === undefined ? again?.run(context) : consume(services, counter, context, rejections.apiRateExceeded)
  }
}

function findMethodCounter(compileContext: CompileContext): FindRule<Counter> | null {
  return methodRules(positiveRates(compileContext), compileContext, (rule) => ruleCounter(compileContext, rule))
}

function findPrimitiveCounter(compileContext: CompileContext): FindRule<Counter> | null {
  const find = compilePrimitiveRules(positiveRates(compileContext), nameMatching(compileContext), (rule) =>
    ruleCounter(compileContext, rule),
  )
  return find && (({ mcp }) => mcp?.primitive && find(mcp.primitive))
}

type RateRule = CompileContext['version']['paths']['rateLimit'][number]

/** Rate rules that limit; none if the API has no rate limits. */
function positiveRates({ api, version }: CompileContext): readonly RateRule[] {
  if (api.document.disableRateLimit) return []
  return version.paths.rateLimit.filter(({ rate, per }) => rate > 0 && per > 0)
}

function ruleCounter(compileContext: CompileContext, { rate, per, method, path }: RateRule): Counter {
  return apiCounter(compileContext, rate, per, `${method}:${path}`)
}

/** Counts the request. Only a rate that rejects it replaces the rate of the key in the headers. */
function consume(
  { store, settings }: CompileContext['services'],
  counter: Counter,
  context: RequestContext,
  rejection: Rejection,
): Maybe<Outcome> {
  return when(store.counters.consume(counter, context.trace?.dry ? 0 : 1), ({ rate, quota }) => {
    if (rate !== undefined && context.trace !== undefined) noteRate(context.trace, counter, rate, settings.keys)
    if (rate?.allowed === false) {
      context.rate = rate
      context.rateLimit = counter.rate
      return rejection
    }
    if (quota !== undefined) context.quota = quota
    return quota?.allowed === false ? rejections.quotaExceeded : undefined
  })
}
