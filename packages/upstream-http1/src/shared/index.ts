/** What HTTP clients for upstreams have in common, whichever library sends the bytes. @turnpike/adapters uses it for undici. */
export * from './deadlines.ts'
export { isEventStream } from './event-stream.ts'
export { gunzipStreamed, gunzipWhole } from './gunzip-response.ts'
export { headerName } from './header-names.ts'
export { type BodySource, ResponseBodyStream } from './response-body-stream.ts'
export { isRetryable } from './retryable.ts'
export { encodeForWire, isFraming, sendableHeaders } from './sendable-headers.ts'
export * from './upstream-errors.ts'
