/**
 * Decides which requests of Node's server are asked to change the protocol. Node asks the message while the
 * connection is still its own; whatever is not wanted here is served as an ordinary request, as RFC 9110, 7.8 allows.
 */
import { IncomingMessage } from 'node:http'

/** A request to change the protocol. */
export interface UpgradeWish {
  /** Lower case. */
  readonly protocol: string
  /** Bytes that came behind the request. */
  readonly first: Uint8Array
}

export class UpgradeAwareMessage extends IncomingMessage {
  private wished = false

  /** The protocol asked for, in lower case; empty: none that can be had. */
  get protocol(): string {
    return wishedProtocol(this.rawHeaders)
  }

  // Set by Node's parser, and read when it decides what to do with the connection.
  get upgrade(): boolean {
    return this.wished && this.protocol !== ''
  }

  set upgrade(wished: boolean) {
    this.wished = wished
  }
}

// Versions of HTTP are no tunnels: what they would carry are requests.
const neverTunnelled = /^(?:h2c?|http\/|tls\/)/

function wishedProtocol(raw: readonly string[]): string {
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
        // The bytes behind the head would be taken for the new protocol.
        if (value !== '0') return ''
        break
    }
  }
  return neverTunnelled.test(protocol) ? '' : protocol
}
