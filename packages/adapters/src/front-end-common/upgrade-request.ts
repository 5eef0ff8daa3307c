/** Requests that ask to switch the connection to another protocol (RFC 9110 section 7.8). */

/** A request to switch the connection to another protocol. */
export interface UpgradeRequest {
  /** The name of the protocol in lower case, for example `websocket`. */
  readonly protocol: string
  /** Bytes that the client sent after the request headers. */
  readonly first: Uint8Array
}

// A tunnel to another HTTP version or to TLS would carry requests that the gateway does not check.
const unsupportedProtocols = /^(?:h2c?|http\/|tls\/)/

/** The protocol that these headers ask for, in lower case; empty if it is missing or not supported. */
export function requestedProtocol(raw: readonly string[]): string {
  let protocol = ''
  for (let i = 0; i < raw.length; i += 2) {
    const value = raw[i + 1] as string
    switch ((raw[i] as string).toLowerCase()) {
      case 'upgrade':
        if (protocol !== '' || !/^[\w!#$%&'*+\-.^`|~]+(?:\/[\w.]+)?$/.test(value)) return ''
        protocol = value.toLowerCase()
        break
      case 'transfer-encoding':
        return ''
      case 'content-length':
        // The body would be read as bytes of the new protocol.
        if (value !== '0') return ''
        break
    }
  }
  return unsupportedProtocols.test(protocol) ? '' : protocol
}
