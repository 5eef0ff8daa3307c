/** The network of a group of servers: where each one listens, and which traffic a test blocks. */

/** A server and those that it is cut from: the other servers and sentinels, the clients, or both. */
export type Peers = 'servers' | 'clients' | 'all'

/** A TCP port of a server, and the one that its peers use. They differ if a proxy is between them. */
export interface PlacePort {
  readonly own: number
  readonly announced: number
}

/** Where a server runs. */
export interface Place {
  readonly host: string
  readonly data: PlacePort
  /** The port of the cluster bus. */
  readonly bus: PlacePort
  /** Arguments of the server for this network. */
  readonly args: readonly string[]
  /** Command that starts a program in this network; empty: the program is started directly. */
  readonly launcher: readonly string[]
}

export interface TestNetwork {
  /** Prepares the place of server `index`. */
  place(index: number): Promise<Place>
  /** Blocks all traffic between server `index` and these peers until `heal`. No connection is closed. */
  partition(index: number, from: Peers): Promise<void>
  heal(index: number): Promise<void>
  close(): void
}
