/**
 * Decides which requests may upgrade their connection to another protocol. Node reads `upgrade` of the message before it
 * detaches the connection from the server. A request whose upgrade is not supported is served as an ordinary request
 * (RFC 9110 section 7.8).
 */
import { IncomingMessage } from 'node:http'
import { requestedProtocol } from '../front-end-common/upgrade-request.ts'
import { connectionOf } from './node-connection.ts'

export class UpgradeAwareMessage extends IncomingMessage {
  private hasUpgrade = false

  /** The requested protocol in lower case; empty if it is missing or not supported. */
  get protocol(): string {
    return requestedProtocol(this.rawHeaders)
  }

  // Node's parser sets this property, and Node reads it to decide whether to emit `upgrade`.
  get upgrade(): boolean {
    return this.hasUpgrade && this.protocol !== ''
  }

  // While an earlier response is being sent, the socket belongs to it and cannot be detached.
  set upgrade(value: boolean) {
    this.hasUpgrade = value && (connectionOf(this.socket)?.open.size ?? 0) === 0
  }
}
