/**
 * What a front end refuses by itself, before anybody else sees the request. These are answers about the protocol, so
 * they are plain text and say which rule was broken; the engine's own refusals are in core/errors.ts.
 */
export interface Refusal {
  readonly status: number
  readonly text: string
  /** The connection may go on: the end of this request is beyond doubt. */
  readonly keep?: true
  /**
   * The client is busy sending, and a close before what it sends was read is a reset that could swallow the answer: the
   * rest is read and thrown away for a while.
   */
  readonly linger?: true
}

export const refusals = {
  twoLengths: { status: 400, text: 'More than one Content-Length\n' },
  lengthBesideEncoding: { status: 400, text: 'Content-Length beside Transfer-Encoding\n' },
  badLength: { status: 400, text: 'Content-Length is not a whole number of bytes\n' },
  badEncoding: { status: 400, text: 'Transfer-Encoding cannot be read\n' },
  unknownEncoding: { status: 501, text: 'The only Transfer-Encoding known here is chunked\n' },
  noHost: { status: 400, text: 'Host is missing\n' },
  badHost: { status: 400, text: 'Host is not one valid name\n' },
  badTarget: { status: 400, text: 'The request target is not valid\n' },
  badMethod: { status: 400, text: 'The method is not valid\n' },
  noTunnel: { status: 405, text: 'CONNECT is not offered\n' },
  badMessage: { status: 400, text: 'Bad Request\n' },
  badVersion: { status: 505, text: 'HTTP Version Not Supported\n' },
  expectation: { status: 417, text: 'The only expectation known here is 100-continue\n' },
  tooManyHeaders: { status: 431, text: 'Request Header Fields Too Large\n' },
  headTimeout: { status: 408, text: 'The headers took too long\n' },
  bodyStalled: { status: 408, text: 'The body stood still for too long\n' },
  bodyTooLarge: { status: 413, text: 'Request Entity Too Large\n', keep: true },
  bodyTooLong: { status: 413, text: 'Request Entity Too Large\n', linger: true },
  fault: { status: 500, text: 'Internal Server Error\n' },
} as const satisfies Record<string, Refusal>
