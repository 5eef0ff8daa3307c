import type { ListenProtocol } from '../http/listen-address.ts'

/** A TCP port that APIs of the next snapshot listen on. */
export interface ApiPort {
  /** Never the gateway's own port. */
  readonly port: number
  readonly protocol: ListenProtocol
}

/** Opens and closes the TCP ports that APIs have of their own, in two steps, so that a reload can fail in between. */
export interface ApiPorts {
  /**
   * Opens the ports that are not open yet. They accept connections, but requests wait until `serve`. Returns the reason
   * for each port that could not be opened; then no port has changed, and the reload retries without those APIs.
   */
  open(wanted: readonly ApiPort[]): Promise<ReadonlyMap<number, string>>
  /** Releases the waiting requests on these ports. Every other port closes once its requests have finished. */
  serve(wanted: readonly ApiPort[]): void
}
