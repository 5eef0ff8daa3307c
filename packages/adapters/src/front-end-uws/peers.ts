/**
 * Whether all open connections come from one address, and which. Behind a load balancer, on a laptop and in CI they do,
 * and then no request has to ask the system for it: the call costs more than all stages of a keyless request together.
 */
export interface Peers {
  /** The address of every open connection; `undefined` when there are several, or it is not known. */
  only: string | undefined
  met(address: string): void
  left(): void
}

export function makePeers(): Peers {
  let open = 0
  const peers: Peers = {
    only: undefined,
    met(address) {
      open++
      if (open === 1) peers.only = address
      // Once mixed, it stays unknown until nobody is left: who of them remains is not kept.
      else if (peers.only !== address) peers.only = undefined
    },
    left() {
      // uWS tells no end of connections that became WebSockets; they count on, which errs on the safe side.
      open--
      if (open <= 0) {
        open = 0
        peers.only = undefined
      }
    },
  }
  return peers
}
