/** The names of this folder that other packages import, as `@turnpike/core/ports`. */
export type { AnalyticsRecord } from './analytics-record.ts'
export type { ApiPort, ApiPorts } from './api-ports.ts'
export type { Brotli } from './brotli.ts'
export type { CallSpan, CallTracer, OutgoingCall } from './call-span.ts'
export type { Certificate, Certificates, NamedCertificate, PublicKey, SigningKey } from './certificates.ts'
export type { Cancel, Clock } from './clock.ts'
export type { DedupKeys } from './dedup-keys.ts'
export type { Fetch, FetchResponse } from './fetch.ts'
export type { Address, FrontEnd, Handle, Listening } from './front-end.ts'
export type { Ids } from './ids.ts'
export { type Log, type LogFields, silentLog } from './log.ts'
export { type PasswordQueue, type Passwords, PasswordsBusyError } from './passwords.ts'
export type { CertificateDetails, DistinguishedName, PemCodec, PemContents } from './pem-codec.ts'
export type { QuotaLimit, QuotaResult, QuotaState } from './quota.ts'
export type { RateAlgorithm, RateLimit, RateResult, Smoothing } from './rate-limit.ts'
export type {
  ScriptCall,
  ScriptHelper,
  ScriptKind,
  ScriptLogLine,
  ScriptResult,
  ScriptRuntime,
  ScriptScope,
  ScriptScopeOptions,
} from './script.ts'
export { type AllowedUrl, type ApiLimit, apiLimitShape, type Session, sessionShape } from './session.ts'
export { defaultSettings, type GatewaySettings } from './settings.ts'
export type { Signal, Signals } from './signals.ts'
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
} from './store.ts'
export type { StoredResponse } from './stored-response.ts'
export type { ParsedToken, TokenFamily, TokenKey, TokenVerifier } from './token-verifier.ts'
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
} from './upstream.ts'
