/**
 * The front end on uWebSockets.js (here "uWS"): the fast one. Its parser sits in front of us and normalises much, so
 * these are the facts to know, all tried on the release that is installed, and what is done about them:
 *
 * - Refused by uWS before we see it: HTTP/1.0 and targets that do not begin with a slash (505), over 99 headers or
 *   `maxHeaderBytes` (431), Content-Length beside Transfer-Encoding and lengths that are no number (400).
 * - Also refused, by mistake: a request line that comes in two pieces, split behind the method or within ` HTTP/1.1`
 *   (505). Nothing can be done about it; longer lines than a network packet make it likelier.
 * - Never answered, and cut by uWS after 8 to 12 s: heads that are not complete, without Host, with folded lines, spaces
 *   before a colon, control characters, or an empty line in front. `headerTimeoutMs` and `keepAliveMs` do not apply.
 * - Taken by uWS, refused here: two Content-Length or Host lines, any Transfer-Encoding but `chunked`, fragments,
 *   methods that are no token. A refusal waits one turn of the loop: were the request answered at once, uWS would go on
 *   to read what follows it in the packet as another request; an unanswered one makes it close the connection instead.
 * - Chunked bodies come unwrapped, and sloppily: bad line ends pass, trailers and chunk extensions are misread. So where
 *   a chunked body ends is never certain. The connection therefore serves nothing after it: the answer says
 *   `Connection: close`, and whatever follows is not read. The same holds for a POST without any length: behind a header
 *   with an empty name uWS shows no further header, so the length may be there and hidden.
 * - A request that comes before the answer to the one before it (pipelining over an asynchronous answer) closes the
 *   connection. Answers that are ready at once are pipelined in order.
 * - WebSocket is the only protocol that a connection can change to; requests for others are served as ordinary ones
 *   (RFC 9110, 7.8). Extensions such as compression are not offered: uWS would unpack what only passes through.
 * - Bodies are read on after a pause while each read is full: see receive-buffer.ts.
 * - Bytes of header values above ASCII come as UTF-8; those at the ends of a value are cut off.
 */
import {
  type Address,
  type Answer,
  type FrontEnd,
  type Handle,
  type HeaderPairs,
  isPromise,
  type Listening,
} from '@turnpike/core'
import { faultAnswer } from '../front-end-common/answer-head.ts'
import { Framing } from '../front-end-common/framing.ts'
import { isPlainValue } from '../front-end-common/header-text.ts'
import { makeInFlight } from '../front-end-common/in-flight.ts'
import { listenError, probePort } from '../front-end-common/listen-error.ts'
import { type FrontEndOptions, type FrontEndRules, toRules } from '../front-end-common/options.ts'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import { makeStallWatch } from '../front-end-common/stall-watch.ts'
import { isMethod, isPlainTarget } from '../front-end-common/target.ts'
import { makePeers } from './peers.ts'
import { limitReceiveBuffer } from './receive-buffer.ts'
import { addressText } from './remote-address.ts'
import { loadUws, type Uws, type UwsRequest, type UwsResponse, type UwsSocketContext } from './uws-binding.ts'
import { UwsExchange } from './uws-exchange.ts'
import { writeRefusal } from './uws-refusal.ts'
import type { UwsServerState } from './uws-server-state.ts'
import { webSocketBehavior, webSocketWish } from './web-socket-wish.ts'

export { uwsAvailable } from './uws-binding.ts'

/** A front end on uWebSockets.js. `listen` rejects where that cannot be loaded: ask `uwsAvailable` before. */
export function makeUwsFrontEnd(options: FrontEndOptions = {}): FrontEnd {
  const rules = toRules(options)
  return { name: 'uws', listen: (handle, at) => listen(handle, at, rules) } satisfies FrontEnd
}

/** Time for the last bytes to leave before all connections are cut. */
const lastBytesMs = 20

async function listen(handle: Handle, at: Address, rules: FrontEndRules): Promise<Listening> {
  const uws = await loadUws(rules.maxHeaderBytes)
  const app = uws.App()
  const state: UwsServerState = {
    rules,
    inFlight: makeInFlight(),
    watch: makeStallWatch(rules.bodyStallMs),
    peers: makePeers(),
    draining: false,
    webSockets: new Set(),
  }
  const countPeer = (res: UwsResponse, change: number): void => {
    if (change > 0) state.peers.met(addressText(new Uint8Array(res.getRemoteAddress())))
    else state.peers.left()
  }
  app.filter(countPeer)
  const meet = makeHandler(handle, state)
  app.any('/*', (res, req) => meet(res, req, undefined))
  app.ws('/*', webSocketBehavior(meet))
  const socket = await opened(uws, app, at, rules).catch((error) => {
    state.watch.stop()
    throw error
  })
  const port = uws.us_socket_local_port(socket)
  const leaveBuffer = rules.limitsReceiveBuffer ? limitReceiveBuffer(port, rules.log) : undefined
  return {
    port,
    async close(graceMs) {
      if (state.draining) return
      state.draining = true
      leaveBuffer?.()
      uws.us_listen_socket_close(socket)
      if (await state.inFlight.settle(graceMs)) await new Promise((resolve) => setTimeout(resolve, lastBytesMs))
      for (const webSocket of state.webSockets) webSocket.cut()
      // Idle connections are kept until here, so that a request that is under way on one of them is not lost.
      app.close()
      state.watch.stop()
    },
  }
}

function opened(uws: Uws, app: ReturnType<Uws['App']>, at: Address, rules: FrontEndRules): Promise<object> {
  return new Promise((resolve, reject) => {
    // Exclusive unless wanted: uWS would share a port with another process without a word.
    const how = rules.sharesPort ? uws.LIBUS_LISTEN_DEFAULT : uws.LIBUS_LISTEN_EXCLUSIVE_PORT
    app.listen(at.host, at.port, how, (socket) => {
      if (socket) resolve(socket)
      else probePort(at).then((reason) => reject(listenError(at, reason)), reject)
    })
  })
}

type Meet = (res: UwsResponse, req: UwsRequest, context: UwsSocketContext | undefined) => void

function makeHandler(handle: Handle, state: UwsServerState): Meet {
  const framing = new Framing()
  // One collector for all requests: heads are read one at a time, and whole.
  let collected: HeaderPairs = []
  const collect = (name: string, value: string) => {
    collected.push(name, isPlainValue(value) ? value : Buffer.from(value).toString('latin1'))
  }

  return (res, req, context) => {
    const method = req.getCaseSensitiveMethod()
    const path = req.getUrl()
    const query = req.getQuery() ?? ''
    const headers: HeaderPairs = []
    collected = headers
    req.forEach(collect)
    const refusal = framing.read(headers) ?? refusalOf(method, path, query)
    if (refusal !== undefined) {
      refuse(res, refusal)
      return
    }
    const { bodyLength } = framing
    const limit = state.rules.maxBodyBytes
    if (limit > 0 && bodyLength !== undefined && bodyLength > limit) {
      refuse(res, refusals.bodyTooLarge)
      return
    }
    const last = bodyLength === undefined || (!framing.lengthTold && mayHaveBody(method))
    const exchange = new UwsExchange(res, method, path, query, headers, bodyLength, last, framing.wantsClose, state)
    if (context !== undefined) exchange.wish = webSocketWish(method, headers, bodyLength, context)
    exchange.readBody()
    answer(exchange)
  }

  function answer(exchange: UwsExchange): void {
    try {
      const made = handle(exchange)
      if (!isPromise(made)) {
        exchange.sendNow(made)
        return
      }
      exchange.goAsync()
      made.then(
        (it) => sendLater(exchange, it),
        (error) => failed(exchange, error),
      )
    } catch (error) {
      exchange.goAsync()
      failed(exchange, error)
    }
  }

  // Not by `catch` behind `then`, which is one promise more for every request.
  function sendLater(exchange: UwsExchange, answer: Answer): void {
    try {
      exchange.sendLater(answer)
    } catch (error) {
      failed(exchange, error)
    }
  }

  function failed(exchange: UwsExchange, error: unknown): void {
    state.rules.log.error('a request could not be answered', { error })
    exchange.sendLater(faultAnswer())
  }

  function refuse(res: UwsResponse, refusal: Refusal): void {
    if (refusal.keep && !state.draining && !state.rules.closesConnections) {
      // uWS knows where this body ends, and throws it away.
      writeRefusal(res, refusal, false)
      return
    }
    let dead = false
    res.onAborted(() => {
      dead = true
    })
    setImmediate(() => {
      if (!dead) res.cork(() => writeRefusal(res, refusal, true))
    })
  }
}

function refusalOf(method: string, path: string, query: string): Refusal | undefined {
  if (!isPlainTarget(path) || !isPlainTarget(query)) return refusals.badTarget
  if (!isMethod(method)) return refusals.badMethod
  return method === 'CONNECT' ? refusals.noTunnel : undefined
}

function mayHaveBody(method: string): boolean {
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'OPTIONS':
    case 'DELETE':
    case 'TRACE':
      return false
    default:
      return true
  }
}
