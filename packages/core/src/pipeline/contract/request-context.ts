/**
 * The state that the stages of one request share: one object per request. Each field names the stage that sets it.
 * State that requests share is in the stores.
 */
import type { CachePlan } from '../../cache/cache-plan.ts'
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import type { Primitive } from '../../definition/mcp/primitive.ts'
import type { ByteStream } from '../../http/byte-stream.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { withoutNamedInConnection } from '../../http/hop-by-hop-names.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'
import type { CheckedOperation, CheckedQuery } from '../../lib/graphql/checked-query.ts'
import type { Json } from '../../lib/json.ts'
import type { DetailCapture } from '../../observability/analytics/detail-capture.ts'
import type { CallResult } from '../../observability/circuit-breaker/breaker.ts'
import type { Millis } from '../../ports/clock.ts'
import type { QuotaResult, QuotaState } from '../../ports/quota.ts'
import type { RateLimit, RateResult } from '../../ports/rate-limit.ts'
import type { Counter } from '../../ports/store.ts'
import type { ExpiredCertificate } from '../../ports/upstream.ts'
import type { ApiAccess } from '../../session/api-access.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { OrgEntry } from '../../session/org-session-cache.ts'
import type { LoopTarget } from './loop-target.ts'
import type { Phase } from './phase.ts'
import type { RequestVariables } from './request-variables.ts'
import type { Trace } from './stage-trace.ts'
import type { Target } from './target.ts'
import type { RequestSpan } from './tracing.ts'

export class RequestContext {
  /** The client's request; scripts of stages replace it by a changed one (`replaceRequest`). */
  request: GatewayRequest
  readonly api: ApiDefinition
  readonly version: ApiVersion
  /** Arrival of the request by the gateway's clock. */
  readonly startedAt: Millis
  /**
   * The client's path below the listen path and below a stripped version segment, with a leading slash, undecoded. Path
   * rules for requests and for responses use it. Only scripts of stages change it (`replaceRequest`).
   */
  path: string
  /** Set by the compiled API: the path below the listen path, with the version segment. */
  pathWithVersion: string

  /** Set by the compiled API: name of the version chosen by default; empty if the request names one or needs none. */
  defaultVersion = ''
  /** 1-accept/org-inactive: session of the API's organisation, if limits of organisations are enforced. */
  org: OrgEntry | undefined = undefined
  /** 1-accept/path-lists: the path is on the ignored list, so phases 2 and 3 need no key. */
  ignored = false
  /** 1-accept/mcp-message, MCP proxies only: the JSON-RPC message. Rejections are rendered as JSON-RPC errors. */
  mcp: McpMessage | undefined = undefined
  /** 4-shape-request/graphql-check, GraphQL APIs only: the checked query. */
  graphql: GraphqlRequest | undefined = undefined
  /** Headers that phase 1 adds to every response, errors included (`shared/extra-headers.ts`). */
  extraHeaders: HeaderPairs | undefined = undefined

  /** 2-identify: the key of the request. `undefined` on keyless APIs and ignored paths. */
  key: CachedKey | undefined = undefined
  /** 2-identify/oauth-token: `key` is a token of an OAuth client that is registered under this API. */
  isClientToken = false
  /** 2-identify/jwt, openid: the verified token and the key name of its session, for variables. */
  token: { readonly text: string; readonly keyName: string } | undefined = undefined
  /** 2-identify: the credential as sent, for events. It is never logged. */
  credential: string | undefined = undefined
  /** 1-accept/org-limits: result of the organisation's quota, for the quota monitor. */
  orgQuota: QuotaResult | undefined = undefined
  /** 3-admit/key-access: what the key may do on this API. */
  access: ApiAccess | undefined = undefined
  /** 3-admit/key-access: the counter of the key on this API, for the stages that count. */
  counter: Counter | undefined = undefined
  /** 3-admit/key-limits, or api-rate-limit if the key has no rate: for headers. */
  rate: RateResult | undefined = undefined
  /** The limit that `rate` is the result of. */
  rateLimit: Pick<RateLimit, 'algorithm' | 'rate' | 'per'> | undefined = undefined
  /** 3-admit/key-limits: for headers. */
  quota: QuotaResult | undefined = undefined
  /** 3-admit/key-limits, only with `disable_quota`: what the other APIs of the key counted, for headers. */
  quotaElsewhere: QuotaState | undefined = undefined

  /** Values of `$svc_context` and `$svc_meta`; the first stage that needs them creates the object. */
  variables: RequestVariables | undefined = undefined
  /** Number of loops so far; 0 for a request of a client (docs/reference/transforms.md#loops). */
  loopLevel = 0
  /** Set by the compiled API: a looped request that consumes neither rate nor quota. */
  skipsLimits = false
  /** 4-shape-request/url-rewrite: the API of this gateway that gets the request instead of the upstream. */
  loop: LoopTarget | undefined = undefined
  /** 4-shape-request/url-rewrite: a rule matched, so scripts that run later cannot change the URL for the upstream. */
  isRewritten = false
  /** Scripts of stages: path and query as the client sent them; `undefined`: no script changed the request. */
  requestUri: string | undefined = undefined
  /** Scripts: the response is a script's, and whether that script had the session of the key. */
  scripted: 'with-session' | 'without-session' | undefined = undefined
  /** 5-respond/follow-loop: another chain has already shaped and recorded the response. */
  handledByLoop = false
  /** 5-respond/circuit-breaker: reports the result of a call that the breaker admitted. Call it exactly once. */
  settleBreaker: ((result: CallResult) => void) | undefined = undefined

  /** 5-respond/cache-read-configured: how cache-write stores the response; `undefined` if it does not. */
  cachePlan: CachePlan | undefined = undefined
  /** shared/body-template: a template read data of the caller, so the response is only for this request. */
  usedCallerData = false
  /** 5-respond/cache-read-configured: the response comes from the cache. */
  fromCache = false
  /** 5-respond/cache-read-configured: the cached response has passed phase 6 up to cache-write; the chain continues after it. */
  shaped = false
  /** 5-respond/cache-read-rfc9111: returns a stale response to send instead of an upstream error, if there is one. */
  rescue: ((rejection: Rejection) => GatewayResponse | undefined) | undefined = undefined

  /** 5-respond/discover-target: replaces the target of the definition. */
  target: Target | undefined = undefined

  /** The request to the upstream; phase 4 changes it. */
  readonly outgoing: Outgoing
  /** Set if the request is traced (`turnpike explain`). Stages note what they read and counted. */
  readonly trace: Trace | undefined
  /** Set by the compiled API if requests are traced across services. */
  span: RequestSpan | undefined = undefined
  /** The stage that rejected the request, its phase and the rejection: for records. */
  rejectedBy: string | undefined = undefined
  rejectedIn: Phase | undefined = undefined
  rejection: Rejection | undefined = undefined
  /** 4-shape-request/detail-tap: the part of the client's body that has passed so far, for a detailed record. */
  detail: DetailCapture | undefined = undefined
  /** 5-respond/forward: milliseconds until the upstream sent the head of its response. */
  upstreamMs = 0
  /** 5-respond/forward: host and port of the upstream. */
  upstreamAddress = ''
  /** 5-respond/forward: scheme and authority of the upstream, and the path and query sent to it. */
  upstreamOrigin = ''
  upstreamPath = ''
  /** 5-respond/forward: status of the upstream's response; 0: there is none. */
  upstreamStatus = 0
  /** 5-respond/forward: the certificate of the upstream that was rejected. */
  expiredCertificate: ExpiredCertificate | undefined = undefined
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

/** The request to the upstream. Parts that no stage changes are shared with the client's request. */
export class Outgoing {
  method: string
  /** Path below the target's own path; empty: the target's path exactly as written. */
  path: string
  /** Query without the question mark. */
  query: string
  /** The client's headers, or a changed copy: see `ownHeaders`. */
  headers: HeaderPairs
  /** A body that a stage read or replaced; `undefined` if the client's body streams through. */
  body: Uint8Array | undefined = undefined
  /** The client's unread body; 4-shape-request/detail-tap replaces it by a stream that keeps a copy. */
  stream: ByteStream | undefined
  /** Origin of a URL rewrite that replaces the target of the API. */
  target: string | undefined = undefined
  /** False if a header rule removes X-Forwarded-For. */
  addForwardedFor = true
  /** Time limit for the head of the response in ms, if the path has one; otherwise the gateway's applies. */
  timeoutMs: number | undefined = undefined
  private headersAreOwn = false

  constructor(request: GatewayRequest, path: string) {
    this.method = request.method
    this.path = path
    this.query = request.query
    this.headers = request.headers
    this.stream = request.body
  }

  /**
   * Returns headers that the caller may change. The first call copies those of the client, except the ones that the
   * client lists in `Connection`, so that it cannot remove headers that stages add.
   */
  ownHeaders(): HeaderPairs {
    if (!this.headersAreOwn) {
      this.headers = withoutNamedInConnection(this.headers)
      this.headersAreOwn = true
    }
    return this.headers
  }

  /** Returns a function that undoes changes of everything but the body, which may have been read in the meantime. */
  checkpoint(): () => void {
    const { method, path, query, target, headersAreOwn } = this
    const headers = this.headers.slice()
    return () => {
      this.method = method
      this.path = path
      this.query = query
      this.target = target
      this.headers = headers
      this.headersAreOwn = headersAreOwn
    }
  }
}

/** The checked query of a request to a GraphQL API. */
export interface GraphqlRequest {
  readonly query: CheckedQuery
  /** The operation that the request selects. */
  readonly operation: CheckedOperation
  readonly variables: Json
  /** The variables of the body; `undefined`: it has none. */
  readonly sent: Json | undefined
  /** The body that was checked. */
  readonly body: Uint8Array
  /** 5-respond/respond-from-schema: the root fields that are resolved from the schema. */
  introspected: Json
}

/** The parts of a JSON-RPC message from a client of an MCP proxy that stages use. */
export interface McpMessage {
  /** JSON text of the request's id, exactly as sent; `null` if it has none. */
  readonly idJson: string
  /** Empty if the message is a response to a request of the server. */
  readonly method: string
  /** The tool, resource or prompt that the method names. */
  readonly primitive: Primitive | undefined
}
