/**
 * The client address if all open connections come from one address, as behind a load balancer or in tests. Requests then
 * need no system call to get their address; that call costs more than all stages of a keyless request together.
 */
export interface SingleClientAddress {
  /** The address of every open connection; `undefined` if there are several addresses or no connection. */
  current: string | undefined
  connected(address: string): void
  disconnected(): void
}

export function makeSingleClientAddress(): SingleClientAddress {
  let open = 0
  const client: SingleClientAddress = {
    current: undefined,
    connected(address) {
      open++
      if (open === 1) client.current = address
      // Addresses of single connections are not stored, so it stays undefined until all have disconnected.
      else if (client.current !== address) client.current = undefined
    },
    disconnected() {
      // uWS does not report the end of connections that became WebSockets, so `open` can only be too high.
      open--
      if (open <= 0) {
        open = 0
        client.current = undefined
      }
    },
  }
  return client
}
