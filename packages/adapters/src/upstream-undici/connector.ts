/**
 * Opens connections to one origin: directly or through a proxy, with the TLS that the definition asks for. A
 * certificate that cannot be found, or a peer that is not the pinned one, is an error of the connection.
 */
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { UpstreamOptions, UpstreamTls } from '@turnpike/core'
import { buildConnector } from 'undici'
import { type FindPem, fingerprintsOf, pinnedFingerprints } from './certificate-source.ts'
import { openProxyTunnel, parseProxy } from './proxy-tunnel.ts'
import { tlsLimits } from './tls-names.ts'

export interface ConnectorParts {
  readonly serverName: string
  readonly options: UpstreamOptions
  readonly connectMs: number
  readonly findPem: FindPem
}

type Connector = buildConnector.connector
type Callback = buildConnector.Callback

export function makeConnector(parts: ConnectorParts): Connector {
  const { options } = parts
  if (options.tls === undefined && options.proxyUrl === undefined) return withServerName(plainConnector(parts), parts)
  // Made with the first connection, and again until it succeeds or when what it was made of changes: a certificate may
  // be added later, and one that was removed must not be shown to anybody any more.
  let making: Promise<Connector> | undefined
  let madeOf: string | undefined
  const current = async (): Promise<Connector> => {
    const texts = await namedTexts(parts)
    if (making === undefined || texts !== madeOf) {
      madeOf = texts
      making = makeSpecial(parts).catch((error) => {
        making = undefined
        throw error
      })
    }
    return making
  }
  return (wish, callback) => {
    current().then(
      (connect) => connect(wish, callback),
      (error: Error) => (callback as (error: Error, socket: null) => void)(error, null),
    )
  }
}

/** What the definition's names stand for at this moment. */
async function namedTexts({ options, findPem }: ConnectorParts): Promise<string> {
  const { certificate, pinnedKeys = [] } = options.tls ?? {}
  const names = certificate === undefined ? pinnedKeys : [certificate, ...pinnedKeys]
  return JSON.stringify(await Promise.all(names.map(findPem)))
}

function plainConnector({ options, connectMs }: ConnectorParts, more: object = {}): Connector {
  return buildConnector({ rejectUnauthorized: !options.insecure, timeout: connectMs, ...more })
}

// An address is no server name (RFC 6066, 3).
function withServerName(connect: Connector, { serverName }: ConnectorParts): Connector {
  if (isIP(serverName.replace(/^\[|\]$/g, '')) === 0) return connect
  return (wish, callback) => connect({ ...wish, servername: '' }, callback)
}

async function makeSpecial(parts: ConnectorParts): Promise<Connector> {
  const { tls = {}, proxyUrl } = parts.options
  const connect = withServerName(plainConnector(parts, await tlsOptions(tls, parts.findPem)), parts)
  const verify = await makeVerify(tls, parts)
  const verified: Connector = (wish, callback) =>
    connect(wish, verify === undefined ? callback : checked(callback, verify))
  return proxyUrl === undefined ? verified : throughProxy(verified, parseProxy(proxyUrl), parts)
}

async function tlsOptions(tls: UpstreamTls, findPem: FindPem): Promise<object> {
  const { certificate } = tls
  if (certificate === undefined) return tlsLimits(tls)
  const pem = await findPem(certificate)
  if (pem === undefined) throw new Error(`there is no certificate ${certificate}`)
  return { ...tlsLimits(tls), cert: pem, key: pem }
}

/** What is wrong with the peer; `undefined` when all is well. */
type Verify = (socket: TLSSocket) => string | undefined

async function makeVerify(tls: UpstreamTls, { serverName, findPem }: ConnectorParts): Promise<Verify | undefined> {
  const { pinnedKeys = [], checksCommonName = false } = tls
  if (pinnedKeys.length === 0 && !checksCommonName) return undefined
  const pinned = new Set((await Promise.all(pinnedKeys.map((name) => pinnedFingerprints(name, findPem)))).flat())
  return (socket) => {
    const certificate = socket.getPeerX509Certificate()
    if (certificate === undefined) return 'the upstream showed no certificate'
    if (pinnedKeys.length > 0 && !fingerprintsOf(certificate).some((one) => pinned.has(one))) {
      return `the key of ${serverName} is none of those that are pinned`
    }
    const name = /^CN=(.*)$/m.exec(certificate.subject ?? '')?.[1]
    return checksCommonName && name?.toLowerCase() !== serverName.toLowerCase()
      ? `the certificate of ${serverName} is for ${name ?? 'nobody'}`
      : undefined
  }
}

function checked(callback: Callback, verify: Verify): Callback {
  const told = callback as (error: Error | null, socket: Socket | null) => void
  return ((error: Error | null, socket: Socket | null) => {
    const problem = error === null && socket instanceof TLSSocket ? verify(socket) : undefined
    if (problem === undefined) {
      told(error, socket)
      return
    }
    socket?.destroy()
    told(new Error(problem), null)
  }) as Callback
}

/**
 * Over TLS through a tunnel that the proxy opens (CONNECT); without, the proxy is spoken to as if it were the origin,
 * and asked for whole URLs.
 */
function throughProxy(
  connect: Connector,
  proxy: ReturnType<typeof parseProxy>,
  { connectMs }: ConnectorParts,
): Connector {
  return (wish, callback) => {
    const { hostname, port } = proxy
    if (wish.protocol !== 'https:') {
      connect({ ...wish, hostname, port, host: hostname }, callback)
      return
    }
    const target = `${wish.hostname}:${wish.port || 443}`
    openProxyTunnel(proxy, target, connectMs).then(
      (httpSocket) => connect({ ...wish, httpSocket }, callback),
      (error: Error) => (callback as (error: Error, socket: null) => void)(error, null),
    )
  }
}
