/** The names of this folder that other packages import, as `@turnpike/core/http`. */
export {
  BodyTooLarge,
  type ByteSink,
  type ByteStream,
  cancelBody,
  collect,
  joinChunks,
  streamOf,
} from './byte-stream.ts'
export { canonicalName, isToken } from './field-names.ts'
export { type HeaderPairs, headerOf, headersOf, removeHeader, setHeader } from './headers.ts'
export { isStream, type ListenProtocol, listenProtocols, type PortList, type PortRules } from './listen-address.ts'
export {
  type GatewayRequest,
  type GatewayResponse,
  type GatewayResponseBody,
  httpVersionOf,
  type Tunnel,
} from './messages.ts'
export { ObservedStream } from './observed-stream.ts'
export { proxiedMethods, type Rejection, rejections } from './rejections.ts'
export { maxTrailerLines, passedTrailerNames, passedTrailers } from './trailers.ts'
export { trimSpaces } from './trim-spaces.ts'
export { streamOfWeb } from './web-stream.ts'
