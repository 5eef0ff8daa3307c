import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { ResolvedFrontEndOptions } from '../front-end-common/front-end-options.ts'
import { makeServerState, type ServerState } from '../front-end-common/server-state.ts'

export interface NodeServerState extends ServerState {
  /** Connections that were upgraded. Closing the server does not close them. */
  readonly tunnels: Set<Socket>
  /** HTTP/2 connections. Closing the server does not close them. */
  readonly sessions: Set<ServerHttp2Session>
}

export function makeNodeServerState(options: ResolvedFrontEndOptions): NodeServerState {
  return { ...makeServerState(options), tunnels: new Set(), sessions: new Set() }
}
