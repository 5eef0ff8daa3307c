/**
 * Opens connections to one origin, directly or through a proxy, with the TLS options of the definition. A missing
 * certificate or a peer that does not match a pinned key is a connection error.
 */
import { isIP, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { UpstreamOptions, UpstreamTls } from '@turnpike/core/ports'
import { buildConnector } from 'undici'
import { publicConnector } from '../shared/public-connector.ts'
import { type FindPem, fingerprintsOf, pinnedFingerprints } from './certificate-source.ts'
import { namingExpiredCertificates } from './expired-certificate.ts'
import { openProxyTunnel, parseProxy } from './proxy-tunnel.ts'
import { tlsLimits } from './tls-names.ts'

export interface ConnectorOptions {
  readonly serverName: string
  readonly options: UpstreamOptions
  /** Offer HTTP/2. The caller checks the protocol that the upstream selected. Default: false. */
  readonly http2?: boolean
  readonly connectTimeoutMs: number
  readonly findPem: FindPem
}

type Connector = buildConnector.connector
type Callback = buildConnector.Callback

export function makeConnector(connectorOptions: ConnectorOptions): Connector {
  const { options } = connectorOptions
  if (options.tls === undefined && options.proxyUrl === undefined)
    return withServerName(plainConnector(connectorOptions), connectorOptions)
  // Created at the first connection, and again after a failure or if a certificate or key has changed: a certificate may
  // be added later, and a removed one must no longer be used.
  let making: Promise<Connector> | undefined
  let builtFrom: string | undefined
  const current = async (): Promise<Connector> => {
    const texts = await namedTexts(connectorOptions)
    if (making === undefined || texts !== builtFrom) {
      builtFrom = texts
      making = makeCustomConnector(connectorOptions).catch((error) => {
        making = undefined
        throw error
      })
    }
    return making
  }
  return (connectOptions, callback) => {
    current().then(
      (connect) => connect(connectOptions, callback),
      (error: Error) => (callback as (error: Error, socket: null) => void)(error, null),
    )
  }
}

/** Returns the current texts of all certificates and keys that the definition names. */
async function namedTexts({ options, findPem }: ConnectorOptions): Promise<string> {
  const { certificate, pinnedKeys = [] } = options.tls ?? {}
  const names = certificate === undefined ? pinnedKeys : [certificate, ...pinnedKeys]
  return JSON.stringify(await Promise.all(names.map(findPem)))
}

function plainConnector({ options, http2 = false, connectTimeoutMs }: ConnectorOptions, more: object = {}): Connector {
  const build = options.publicOnly === true ? publicConnector : buildConnector
  return namingExpiredCertificates(
    build({ rejectUnauthorized: !options.insecure, timeout: connectTimeoutMs, allowH2: http2, ...more }),
  )
}

// An IP address is not allowed as a TLS server name (RFC 6066 section 3).
function withServerName(connect: Connector, { serverName }: ConnectorOptions): Connector {
  if (isIP(serverName.replace(/^\[|\]$/g, '')) === 0) return connect
  return (connectOptions, callback) => connect({ ...connectOptions, servername: '' }, callback)
}

async function makeCustomConnector(connectorOptions: ConnectorOptions): Promise<Connector> {
  const { tls = {}, proxyUrl } = connectorOptions.options
  const connect = withServerName(
    plainConnector(connectorOptions, await tlsOptions(tls, connectorOptions.findPem)),
    connectorOptions,
  )
  const verify = await makeVerify(tls, connectorOptions)
  const verified: Connector = (connectOptions, callback) =>
    connect(connectOptions, verify === undefined ? callback : withVerification(callback, verify))
  return proxyUrl === undefined ? verified : throughProxy(verified, parseProxy(proxyUrl), connectorOptions)
}

async function tlsOptions(tls: UpstreamTls, findPem: FindPem): Promise<object> {
  const { certificate } = tls
  if (certificate === undefined) return tlsLimits(tls)
  const pem = await findPem(certificate)
  if (pem === undefined) throw new Error(`certificate ${certificate} does not exist`)
  return { ...tlsLimits(tls), cert: pem, key: pem }
}

/** Returns why the peer is rejected, or `undefined` if it is accepted. */
type Verify = (socket: TLSSocket) => Error | undefined

/** Has the code of Node for a certificate with another name. */
class OtherName extends Error {
  readonly code = 'ERR_TLS_CERT_ALTNAME_INVALID'
}

async function makeVerify(tls: UpstreamTls, { serverName, findPem }: ConnectorOptions): Promise<Verify | undefined> {
  const { pinnedKeys = [], checksCommonName = false } = tls
  if (pinnedKeys.length === 0 && !checksCommonName) return undefined
  const pinned = new Set((await Promise.all(pinnedKeys.map((name) => pinnedFingerprints(name, findPem)))).flat())
  return (socket) => {
    const certificate = socket.getPeerX509Certificate()
    if (certificate === undefined) return new Error('the upstream sent no certificate')
    if (pinnedKeys.length > 0 && !fingerprintsOf(certificate).some((one) => pinned.has(one))) {
      return new Error(`the key of ${serverName} does not match a pinned key`)
    }
    const name = /^CN=(.*)$/m.exec(certificate.subject ?? '')?.[1]
    return checksCommonName && name?.toLowerCase() !== serverName.toLowerCase()
      ? new OtherName(`the certificate of ${serverName} is for ${name ?? 'nobody'}`)
      : undefined
  }
}

function withVerification(callback: Callback, verify: Verify): Callback {
  const typed = callback as (error: Error | null, socket: Socket | null) => void
  return ((error: Error | null, socket: Socket | null) => {
    const problem = error === null && socket instanceof TLSSocket ? verify(socket) : undefined
    if (problem === undefined) {
      typed(error, socket)
      return
    }
    socket?.destroy()
    typed(problem, null)
  }) as Callback
}

/**
 * Connects through a proxy: with CONNECT for `https:` origins, and directly to the proxy for `http:` origins, whose
 * requests then have an absolute URL as target.
 */
function throughProxy(
  connect: Connector,
  proxy: ReturnType<typeof parseProxy>,
  { connectTimeoutMs }: ConnectorOptions,
): Connector {
  return (connectOptions, callback) => {
    const { hostname, port } = proxy
    if (connectOptions.protocol !== 'https:') {
      connect({ ...connectOptions, hostname, port, host: hostname }, callback)
      return
    }
    const target = `${connectOptions.hostname}:${connectOptions.port || 443}`
    openProxyTunnel(proxy, target, connectTimeoutMs).then(
      (httpSocket) => connect({ ...connectOptions, httpSocket }, callback),
      (error: Error) => (callback as (error: Error, socket: null) => void)(error, null),
    )
  }
}
