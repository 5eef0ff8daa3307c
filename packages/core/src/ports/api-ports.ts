import type { ListenProtocol } from '../http/listening.ts'

/** A port that APIs of the next table listen on. */
export interface ApiPort {
  /** Never the gateway's own. */
  readonly port: number
  readonly protocol: ListenProtocol
}

/** Opens and closes the ports that APIs have of their own. A reload asks for them in two steps, so that it can fail. */
export interface ApiPorts {
  /**
   * Opens what is not open yet; connections are taken, and requests wait until `serve`. Answers why a port could not be
   * opened, by port. Then nothing that was open has changed, and the reload asks again for what it can do without.
   */
  open(wanted: readonly ApiPort[]): Promise<ReadonlyMap<number, string>>
  /** The table with these ports is served: what waits goes on, and every other port closes as its requests finish. */
  serve(wanted: readonly ApiPort[]): void
}
