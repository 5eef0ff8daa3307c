/** The exports that other packages use. A name that none of them imports is not exported here; a repository check enforces it. */
export { fingerprintOfCertificate, isCertificateId } from './auth/certificates/certificate-names.ts'
export { type CertificateStore, makeCertificateStore } from './auth/certificates/certificate-store.ts'
export { type CertificateUse, type ExpiryWatch, makeExpiryWatch } from './auth/certificates/expiry-watch.ts'
export type { StoredCertificate } from './auth/certificates/stored-certificate.ts'
export { compatibleKeyParts } from './cache/cache-key.ts'
export type { ApiDefinition, ApiVersion, Unsupported } from './definition/api-definition.ts'
export { isSafeApiId } from './definition/api-id.ts'
export { authModesOf } from './definition/auth-modes/auth-modes.ts'
export {
  type ClassicDefinition,
  type CustomMiddleware,
  classicShape,
  customMiddlewareShape,
} from './definition/classic.ts'
export {
  baseOf,
  checkVersionParams,
  listVersions,
  readVersionParams,
  type VersionsDocument,
  withoutVersion,
  withVersion,
} from './definition/classic-versions.ts'
export type { DefinitionSource, PolicySource, SourceDocument, SourceSnapshot } from './definition/definition-source.ts'
export { readErrorOverrides } from './definition/error-override-rules.ts'
export { errorOverridesShape } from './definition/error-overrides-shape.ts'
export { eventHandlersShape, webHookDocument } from './definition/event-handlers-shape.ts'
export { isAddressOrRange } from './definition/ip-text.ts'
export { lintEventHandlers, lintHook } from './definition/lint/event-lint.ts'
export type { Finding, LintOptions, Report } from './definition/lint/finding.ts'
export { ineffectiveFindings } from './definition/lint/locate-ineffective-fields.ts'
export { lintMcpDocument } from './definition/lint/mcp-document-lint.ts'
export { lintOpenApiDocument } from './definition/lint/openapi-document-lint.ts'
export { lintDefinition } from './definition/lint-definition.ts'
export { isForPrimitive, readMcpRules } from './definition/mcp/document-rules.ts'
export { speaksMcp } from './definition/mcp/primitive.ts'
export { toMcpClassic } from './definition/mcp/to-mcp-classic.ts'
export { validateMcpDocument } from './definition/mcp/validate-mcp-document.ts'
export { documentSchemaFor } from './definition/openapi/document-schema.ts'
export { extensionName, extensionOf, withExtension } from './definition/openapi/extension.ts'
export { fillExtension } from './definition/openapi/fill-extension.ts'
export {
  unknownInExtension,
  unsupportedInExtensions,
} from './definition/openapi/openapi-support.ts'
export { deref, operationsOf } from './definition/openapi/operations.ts'
export { originOf } from './definition/openapi/resource-metadata-document.ts'
export { hasAlternatives, requiredSchemes, securityGroups } from './definition/openapi/security-groups.ts'
export {
  isSidecarName,
  pairSidecars,
  type SidecarKind,
  sidecarFileOf,
  sidecarNameOf,
} from './definition/openapi/sidecar.ts'
export { toClassic } from './definition/openapi/to-classic/to-classic.ts'
export { unusedMethods, validateDocument, validatePlainDocument } from './definition/openapi/validate-document.ts'
export { parseDefinition, parseJson } from './definition/parse-definition.ts'
export { withScripts } from './definition/scripts/load-scripts.ts'
export type { ScriptBundle, ScriptFiles } from './definition/scripts/script-files.ts'
export { unsupportedInDefinition } from './definition/support-status/definition-support.ts'
export { unsupportedInPolicies, unsupportedInSessions } from './definition/support-status/session-support.ts'
export { strictProblemOf } from './definition/support-status/strict-problem.ts'
export {
  effectOf,
  findUnsupported,
  ignored,
  type SupportTable,
  type UnsupportedRows,
  unknownFields,
  unsupportedRows,
} from './definition/support-status/support.ts'
export { parseTargetUrl, type TargetUrl } from './definition/target-url.ts'
export { missingTemplate, type ReadTemplate, templateFilesOf } from './definition/template-files.ts'
export { validateDefinition } from './definition/validate-definition.ts'
export {
  documentWithReferences,
  oasWithReferences,
  placeWithReferences,
  printDefinition,
  toWireDefinition,
} from './definition/wire-definition.ts'
export { type ClusterMember, joinCluster } from './engine/cluster-member.ts'
export type { DebugListener, DebugResult } from './engine/debug-request.ts'
export { type Engine, makeEngine } from './engine/engine.ts'
export type { EngineOptions } from './engine/engine-options.ts'
export type { CheckedStages } from './engine/find-stage-config-problem.ts'
export {
  type CollectedResponse,
  collectResponse,
  type InjectedRequest,
  type InjectOptions,
  makeInjectedRequest,
} from './engine/inject.ts'
export type { NearListenPath } from './engine/nearest-listen-paths.ts'
export { describeNode, type NodeState } from './engine/node-state.ts'
export type { ReloadReport } from './engine/reload-report.ts'
export {
  BodyTooLarge,
  type ByteSink,
  type ByteStream,
  cancelBody,
  collect,
  joinChunks,
  streamOf,
} from './http/byte-stream.ts'
export { canonicalName, isToken } from './http/field-names.ts'
export { type HeaderPairs, headerOf, headersOf, removeHeader, setHeader } from './http/headers.ts'
export { isStream, type ListenProtocol, listenProtocols, type PortList, type PortRules } from './http/listen-address.ts'
export {
  type GatewayRequest,
  type GatewayResponse,
  type GatewayResponseBody,
  httpVersionOf,
  type Tunnel,
} from './http/messages.ts'
export { ObservedStream } from './http/observed-stream.ts'
export { proxiedMethods, type Rejection, rejections } from './http/rejections.ts'
export { maxTrailerLines, passedTrailerNames, passedTrailers } from './http/trailers.ts'
export { streamOfWeb } from './http/web-stream.ts'
export { isSecret, sameText } from './lib/constant-time.ts'
export { decodeFieldStrictly, encodeField, type FormPairs, formPairs, formType, isFormType } from './lib/form.ts'
export { loadGraphql } from './lib/graphql/load-graphql.ts'
export {
  type HashFunction,
  hashKeyName,
  hashText,
  invertibleHashWarning,
  looksLikeMurmurHash,
} from './lib/hash/hash-key-name.ts'
export { isPublicAddress, makeAddressSet } from './lib/ip-address.ts'
export { isJson, type Json, listOf, memberOf, objectOf, parseJsonObject, textOf } from './lib/json.ts'
export { isPromise, type Maybe, when } from './lib/maybe.ts'
export type { ScriptProblem, ScriptSource } from './lib/script-source.ts'
export type { SecretLookup } from './lib/secret-lookup.ts'
export { printJsonPath } from './lib/shape/json-path.ts'
export { locateJson } from './lib/shape/locate-json.ts'
export {
  anything,
  boolean,
  described,
  type Field,
  field,
  integer,
  type JsonPath,
  type JsonSchema,
  list,
  map,
  nearestName,
  number,
  type ObjectOf,
  type ObjectShape,
  type Of,
  object,
  oneOf,
  optional,
  type Problem,
  readShape,
  type Shape,
  text,
  withDefault,
  wrongType,
} from './lib/shape/shape.ts'
export { parseTemplate as parseTextTemplate, type Template as TextTemplate } from './lib/template/template.ts'
export { decodeBase64, encodeBase64 } from './lib/text/base64.ts'
export { dashedUuid } from './lib/text/dashed-uuid.ts'
export { escapeHtml } from './lib/text/escape-markup.ts'
export { hasBrokenEscape } from './lib/text/percent.ts'
export { jsonLimitProblem, readJson } from './lib/text/read-json.ts'
export { formatRfc3339, type Millis, monthNames, unixSeconds } from './lib/text/time.ts'
export { strictUtf8Text, utf8Bytes, utf8Text } from './lib/text/utf8.ts'
export { vendorForms } from './lib/vendor.ts'
export type { Analytics, AnalyticsSettings, AnalyticsSink } from './observability/analytics/analytics.ts'
export { readIgnoredAddresses } from './observability/analytics/ignored-addresses.ts'
export { makeAnalytics, type RunningAnalytics } from './observability/analytics/make-analytics.ts'
export { makeNormalisePath } from './observability/analytics/normalise-path.ts'
export { makeRecordRing } from './observability/analytics/record-ring.ts'
export { toWireRecord, type UtcOffset } from './observability/analytics/record-to-json.ts'
export { encodeRecord } from './observability/analytics/record-to-msgpack.ts'
export type { BreakerChange, BreakerStatus } from './observability/circuit-breaker/breaker-rule.ts'
export { type EventCounts, makeEvents, type RunningEvents } from './observability/events/dispatch-events.ts'
export type { Events } from './observability/events/events.ts'
export { requestTarget } from './observability/events/hook-dedup-key.ts'
export { type HookLinks, makeHookLinks } from './observability/events/hook-links.ts'
export type { RunEventScript } from './observability/events/script-handler.ts'
export { admitCertificate } from './pipeline/1-accept/client-certificate.ts'
export { recordedStageName } from './pipeline/7-record/access-log.ts'
export { withNoopStages } from './pipeline/compile/noop-stages.ts'
export { type AccessLog, accessLogFieldNames } from './pipeline/contract/access-log-fields.ts'
export type { Dispatch, Endpoint } from './pipeline/contract/endpoint.ts'
export type { RecordSink, RequestRecord } from './pipeline/contract/record-sink.ts'
export type { RejectionReason } from './pipeline/contract/rejection-reason.ts'
export type {
  ErrorFormat,
  ErrorTemplates,
  RejectionRenderer,
  RenderText,
} from './pipeline/contract/rejection-renderer.ts'
export type { RequestContext } from './pipeline/contract/request-context.ts'
export type { OriginalRequest, RequestDetails, RequestWatcher } from './pipeline/contract/request-watcher.ts'
export type { CompileContext, MakeStage, Outcome, Stage } from './pipeline/contract/stage.ts'
export type { LimitReading, TracedStage } from './pipeline/contract/stage-trace.ts'
export { makeHiddenTexts } from './pipeline/contract/stage-trace.ts'
export type {
  RecordedStages,
  RequestSpan,
  SpannedContext,
  Tracing,
} from './pipeline/contract/tracing.ts'
export { type ListedStage, listStages } from './pipeline/custom-stages/adapt-custom-stages.ts'
export { findStageProblem } from './pipeline/custom-stages/check-stages.ts'
export type {
  CustomStage,
  CustomStagePhase,
  CustomStageServices,
  MessageHeaders,
  StageApi,
  StageHandlers,
  StageLimit,
  StageLimitResult,
  StageOutcome,
  StageRejection,
  StageReply,
  StageRequest,
  StageResponse,
  StageSession,
} from './pipeline/custom-stages/custom-stage.ts'
export type { StageConfigProblem } from './pipeline/custom-stages/make-custom-stages.ts'
export { escapeFor } from './pipeline/errors/render-rejections.ts'
export { hasExample } from './pipeline/openapi/example-response.ts'
export { clientAddressOfRequest, guessAddressOf } from './pipeline/shared/client-address.ts'
export { maxBufferedRequestBytes } from './pipeline/shared/request-body.ts'
export { type StageName, type StageOrder, stageOrder } from './pipeline/stage-order.ts'
export type { AnalyticsRecord } from './ports/analytics-record.ts'
export type { ApiPort, ApiPorts } from './ports/api-ports.ts'
export type { Brotli } from './ports/brotli.ts'
export type { CallSpan, CallTracer, OutgoingCall } from './ports/call-span.ts'
export type { Certificate, Certificates, NamedCertificate, PublicKey, SigningKey } from './ports/certificates.ts'
export type { Cancel, Clock } from './ports/clock.ts'
export type { DedupKeys } from './ports/dedup-keys.ts'
export type { Fetch, FetchResponse } from './ports/fetch.ts'
export type { Address, FrontEnd, Handle, Listening } from './ports/front-end.ts'
export type { Ids } from './ports/ids.ts'
export { type Log, type LogFields, silentLog } from './ports/log.ts'
export { type Passwords, PasswordsBusyError } from './ports/passwords.ts'
export type { CertificateDetails, DistinguishedName, PemCodec, PemContents } from './ports/pem-codec.ts'
export type { QuotaLimit, QuotaResult, QuotaState } from './ports/quota.ts'
export type { RateAlgorithm, RateLimit, RateResult, Smoothing } from './ports/rate-limit.ts'
export type {
  ScriptCall,
  ScriptHelper,
  ScriptKind,
  ScriptLogLine,
  ScriptResult,
  ScriptRuntime,
  ScriptScope,
  ScriptScopeOptions,
} from './ports/script.ts'
export { type AllowedUrl, type ApiLimit, apiLimitShape, type Session, sessionShape } from './ports/session.ts'
export { defaultSettings, type GatewaySettings } from './ports/settings.ts'
export type { Signal, Signals } from './ports/signals.ts'
export {
  type Counter,
  type CounterId,
  type CounterStore,
  counterKey,
  type ListedMember,
  type RankedLists,
  type RecordStore,
  type ResponseStore,
  type SessionStore,
  type SessionSummary,
  type Store,
  type StoredSession,
  type StoreHealth,
  StoreUnavailableError,
} from './ports/store.ts'
export type { StoredResponse } from './ports/stored-response.ts'
export type { ParsedToken, TokenFamily, TokenKey, TokenVerifier } from './ports/token-verifier.ts'
export type {
  ConnectionFailure,
  ExpiredCertificate,
  Upstream,
  UpstreamError,
  UpstreamLink,
  UpstreamOptions,
  UpstreamRequest,
  UpstreamResponse,
  UpstreamTls,
} from './ports/upstream.ts'
export { decideQuota, freshQuota } from './quota/decide-quota.ts'
export { decideRate, freshRate } from './rate-limit/decide-rate.ts'
export { decideRolling, entriesKept, freshLog } from './rate-limit/rolling-log.ts'
export { cleanPath } from './route/clean-path.ts'
export { hasDotSegments } from './route/hidden-segments.ts'
export { hostName } from './route/host-table.ts'
export { makeListenPathTable } from './route/listen-path-table.ts'
export { findPortClashes } from './route/port-clashes.ts'
export type { StreamRoute } from './route/stream-route.ts'
export { makePathPatterns } from './session/access/path-patterns.ts'
export { compileApiAccess, counterOf } from './session/api-access.ts'
export { expiresAtOf, isExpired } from './session/expiry.ts'
export { storageLifetimeMs } from './session/lifetime.ts'
export { type CounterNaming, hashTag, quotaCounterName, rateCounterName } from './session/names/counter-names.ts'
export { makeKeyName, storedNameOf } from './session/names/key-name.ts'
export { makePasswordCheck } from './session/password-check.ts'
export { applyPolicies } from './session/policies/apply-policies.ts'
export { readPolicy } from './session/policies/parse-policies.ts'
export { policyIdsOf } from './session/policies/policies-of-session.ts'
export { isSafePolicyId, type Policy, policyShape, toWirePolicy } from './session/policies/policy.ts'
export { makePolicyBook, type PolicyBook, policyIdOf } from './session/policies/policy-book.ts'
export type { KeyLock } from './session/registry/key-lock.ts'
export { KeyRegistry } from './session/registry/key-registry.ts'
export type {
  KeyAddress,
  KeyEvent,
  KeyRegistryDependencies,
  KeyRejection,
  WrittenKey,
} from './session/registry/key-registry-types.ts'
export { findMisplacedFields } from './session/registry/misplaced-fields.ts'
export { makeOrgSessions, type OrgSessions } from './session/registry/org-sessions.ts'
export { mayRequireProof } from './session/required-proof.ts'
export { type GuessVerdict, secretBackOffOf } from './session/secret-back-off.ts'
export type { SessionCache } from './session/session-cache.ts'
export { parseSession, toWireSession } from './session/session-json.ts'
export { SharedRights, splitSession } from './session/shared-rights.ts'
export { makeMemoryCounters } from './store-memory/memory-counters.ts'
export { makeMemoryDedupKeys } from './store-memory/memory-dedup-keys.ts'
export { makeMemoryResponses } from './store-memory/memory-responses.ts'
export { makeMemoryStore } from './store-memory/memory-store.ts'
export { makeMemorySignals } from './store-memory/signals-memory.ts'
