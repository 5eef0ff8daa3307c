/**
 * The client address if all open connections come from one address, as behind a load balancer or in tests. Requests then
 * need no system call to get their address; that call costs more than all stages of a keyless request together.
 */
export class SingleClientAddress {
  /** The address of every open connection; `undefined` if there are several addresses or no connection. */
  current: string | undefined = undefined
  private open = 0

  connected(address: string): void {
    this.open++
    if (this.open === 1) this.current = address
    // Addresses of single connections are not stored, so it stays undefined until all have disconnected.
    else if (this.current !== address) this.current = undefined
  }

  disconnected(): void {
    // uWS does not report the end of connections that became WebSockets, so `open` can only be too high.
    this.open--
    if (this.open > 0) return
    this.open = 0
    this.current = undefined
  }
}
