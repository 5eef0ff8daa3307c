/** HTTP/2 upstreams that send as many frames per byte as they can. */
import { http2Frame, type RawUpstream, startRawHttp2Upstream } from './raw-upstream.ts'

interface Http2Case {
  readonly name: string
  startUpstream(): Promise<RawUpstream>
}

const frames = { data: 0, headers: 1, settings: 4, ping: 6, goAway: 7, windowUpdate: 8, continuation: 9, altSvc: 10 }
const endStream = 1
const endHeaders = 4
/** Header blocks (RFC 7541): `:status: 200` is in the static table, 103 is a literal without indexing. */
const status200 = Buffer.from([0x88])
const status103 = Buffer.from([0x08, 0x03, 0x31, 0x30, 0x33])
const one = Buffer.from([0, 0, 0, 1])

export function hostileHttp2Cases(): Http2Case[] {
  const ok = (stream: number) => http2Frame(frames.headers, endHeaders, stream, status200)
  const end = (stream: number) => http2Frame(frames.data, endStream, stream)
  const response = (stream: number, more: Buffer) => Buffer.concat([ok(stream), more, end(stream)])
  return [
    http2Case('sends 100,000 data frames of one byte', (stream) =>
      response(stream, repeat(http2Frame(frames.data, 0, stream, Buffer.from('x')), 100_000)),
    ),
    http2Case('sends 200,000 empty data frames', (stream) =>
      response(stream, repeat(http2Frame(frames.data, 0, stream), 200_000)),
    ),
    http2Case('sends 100,000 informational responses', (stream) =>
      Buffer.concat([
        repeat(http2Frame(frames.headers, endHeaders, stream, status103), 100_000),
        response(stream, Buffer.alloc(0)),
      ]),
    ),
    http2Case('sends 200,000 continuation frames', (stream) =>
      Buffer.concat([
        http2Frame(frames.headers, 0, stream, status200),
        repeat(http2Frame(frames.continuation, 0, stream), 200_000),
        http2Frame(frames.continuation, endHeaders, stream),
        end(stream),
      ]),
    ),
    http2Case('sends 200,000 window updates', (stream) =>
      response(stream, repeat(http2Frame(frames.windowUpdate, 0, stream, one), 200_000)),
    ),
    http2Case('sends 100,000 pings', (stream) =>
      response(stream, repeat(http2Frame(frames.ping, 0, 0, Buffer.alloc(8)), 100_000)),
    ),
    http2Case('sends 100,000 settings', (stream) =>
      response(stream, repeat(http2Frame(frames.settings, 0, 0), 100_000)),
    ),
    http2Case('sends 100,000 GOAWAY frames', (stream) =>
      response(
        stream,
        repeat(http2Frame(frames.goAway, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0])), 100_000),
      ),
    ),
    http2Case('sends 200,000 frames of an unknown type', (stream) =>
      response(stream, repeat(http2Frame(0xee, 0, stream), 200_000)),
    ),
  ]
}

function http2Case(what: string, bytesFor: (stream: number) => Buffer): Http2Case {
  return {
    name: `HTTP/2 upstream ${what}`,
    startUpstream: () => startRawHttp2Upstream((socket, stream) => void socket.write(bytesFor(stream))),
  }
}

function repeat(frame: Buffer, count: number): Buffer {
  return Buffer.alloc(frame.length * count, frame)
}
