/**
 * What the stages of one request hand on to each other. One object per request; every field names the stage that
 * sets it. State that outlives a request lives in the stores, never here.
 */

import type { CachePlan } from '../../cache/cache-plan.ts'
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import type { ByteStream } from '../../http/byte-stream.ts'
import type { Rejection } from '../../http/errors.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { DetailCapture } from '../../observability/analytics/detail-capture.ts'
import type { CallResult } from '../../observability/circuit-breaker/breaker-state.ts'
import type { Millis } from '../../ports/clock.ts'
import type { QuotaResult } from '../../ports/quota.ts'
import type { RateResult } from '../../ports/rate-limit.ts'
import type { Counter } from '../../ports/store.ts'
import type { ApiAccess } from '../../session/api-access.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { OrgEntry } from '../../session/org-registry.ts'
import type { McpMessage } from './json-rpc-message.ts'
import type { LoopTarget } from './loop-target.ts'
import type { Phase } from './phase.ts'
import type { RequestVariables } from './request-variables.ts'
import type { Trace } from './trace.ts'

export class RequestContext {
  readonly request: GatewayRequest
  readonly api: ApiDefinition
  readonly version: ApiVersion
  /** When the request came in, by the gateway's clock. */
  readonly startedAt: Millis
  /**
   * The client's path behind the listen path (and behind a version segment that is stripped), always with a leading
   * slash, undecoded. Rules by path look at it, also on the way back; it never changes.
   */
  readonly path: string
  /** Set by the router: the path of the whole request still with the version segment, without the listen path. */
  readonly pathWithVersion: string

  /** Set by the router: the version that serves a request that did not name it; empty: the request did, or needs not. */
  defaultVersion = ''
  /** 1-accept/org-inactive: session of the API's organisation, where limits of organisations are enforced. */
  org: OrgEntry | undefined = undefined
  /** 1-accept/path-lists: an ignored path needs no key, so phases 2 and 3 pass it. */
  ignored = false
  /** 1-accept/mcp-message: the JSON-RPC message, on MCP proxies only; its refusals are told as JSON-RPC errors. */
  mcp: McpMessage | undefined = undefined
  /** Headers that 1-accept/cors adds to whatever is answered. */
  extraHeaders: HeaderPairs | undefined = undefined

  /** 2-identify: whose request it is. `undefined` on keyless APIs and ignored paths. */
  key: CachedKey | undefined = undefined
  /** 2-identify/auth-token: the credential as sent, for what must name it; never logged. */
  credential: string | undefined = undefined
  /** 1-accept/org-limits: what came of the organisation's quota, for its monitor. */
  orgQuota: QuotaResult | undefined = undefined
  /** 3-admit/key-access: what the key may do on this API. */
  access: ApiAccess | undefined = undefined
  /** 3-admit/key-access: the counter of the key on this API, for the stages that count. */
  counter: Counter | undefined = undefined
  /** 3-admit/limits, or api-rate-limit where the key has no rate: for headers. */
  rate: RateResult | undefined = undefined
  /** Rate asked by the stage that set `rate`. */
  rateLimit: { readonly rate: number; readonly per: number } | undefined = undefined
  /** 3-admit/limits: for headers. */
  quota: QuotaResult | undefined = undefined

  /** Values of `$svc_context` and `$svc_meta` in this request; made by the first stage that asks. */
  variables: RequestVariables | undefined = undefined
  /** How many times a rewrite has sent this request on inside the gateway; 0: it came from outside (4.5). */
  loopLevel = 0
  /** Set by the router: a looped request that spends neither rate nor quota (4.5). */
  skipsLimits = false
  /** 4-shape-request/url-rewrite: the request goes to an API of this gateway instead of the upstream. */
  loop: LoopTarget | undefined = undefined
  /** 5-answer/follow-loop: another chain has made, shaped and recorded the answer. */
  handledByLoop = false
  /** 5-answer/circuit-breaker: reports the result of a call that the breaker admitted. Call it exactly once. */
  settleBreaker: ((result: CallResult) => void) | undefined = undefined

  /** 5-answer/cache-read: what to do with the answer, where it may be kept. */
  cachePlan: CachePlan | undefined = undefined
  /** 5-answer/cache-read: the answer is one that was made before. */
  fromCache = false
  /** 5-answer/cache-read: phase 6 has been on the answer already, up to cache-write; it goes on behind that. */
  shaped = false
  /** 5-answer/cache-read: an answer in place of a refusal by the upstream, where there is one. */
  rescue: ((rejection: Rejection) => GatewayResponse | undefined) | undefined = undefined

  /** What goes to the upstream; phase 4 changes it. */
  readonly outgoing: Outgoing
  /** Set while the request is traced (`turnpike explain`); stages note what they read and counted. */
  readonly trace: Trace | undefined
  /** The stage that refused, and what it said: for records. */
  rejectedBy: string | undefined = undefined
  rejectedIn: Phase | undefined = undefined
  rejection: Rejection | undefined = undefined
  /** 4-shape-request/detail-tap: the client's body for a detailed record, as far as it has passed. */
  detail: DetailCapture | undefined = undefined
  /** 5-answer/forward: milliseconds the upstream took to the head of its answer. */
  upstreamMs = 0
  /** 5-answer/forward: host and port that was asked. */
  upstreamAddress = ''
  /** Memoised by `client-address.ts`. */
  clientAddress: string | undefined = undefined

  constructor(
    request: GatewayRequest,
    api: ApiDefinition,
    version: ApiVersion,
    path: string,
    pathWithVersion: string,
    outgoingPath: string,
    startedAt: Millis,
    trace: Trace | undefined,
  ) {
    this.request = request
    this.api = api
    this.version = version
    this.path = path
    this.pathWithVersion = pathWithVersion
    this.startedAt = startedAt
    this.trace = trace
    this.outgoing = new Outgoing(request, outgoingPath)
  }
}

/** The request as the upstream will see it. Untouched parts stay the client's own. */
export class Outgoing {
  method: string
  /** Path for the upstream, to be put behind the target's own path. */
  path: string
  /** Query as the upstream will see it, without question mark. */
  query: string
  /** The client's headers, or a changed copy: see `ownHeaders`. */
  headers: HeaderPairs
  /** A body that a stage read or made; `undefined`: the client's body streams through. */
  body: Uint8Array | undefined = undefined
  /** The client's body where nobody has read it; 4-shape-request/detail-tap looks at it as it passes. */
  stream: ByteStream | undefined
  /** Another upstream than the API's: absolute URL whose path goes before `path` (4.5). */
  target: string | undefined = undefined
  /** Off where a header rule takes X-Forwarded-For off (4.10). */
  addForwardedFor = true
  /** Time for the answer's head in ms, where the path has one of its own; else the gateway's. */
  timeoutMs: number | undefined = undefined
  private headersAreOwn = false

  constructor(request: GatewayRequest, path: string) {
    this.method = request.method
    this.path = path
    this.query = request.query
    this.headers = request.headers
    this.stream = request.body
  }

  /** Headers that may be changed; the first call copies them. */
  ownHeaders(): HeaderPairs {
    if (!this.headersAreOwn) {
      this.headers = this.headers.slice()
      this.headersAreOwn = true
    }
    return this.headers
  }
}
