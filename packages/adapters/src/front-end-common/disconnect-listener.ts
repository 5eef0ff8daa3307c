/**
 * Notifies one listener that the client of a request disconnected, as `GatewayRequest.onAbort` requires. For most requests
 * the stage `forward` of core sets the listener, which cancels the call to the upstream. Once the response began, the
 * exchange of the front end cancels its body.
 */
export class DisconnectListener {
  private listener: (() => void) | undefined = undefined

  /** Replaces the listener; `undefined` removes it. */
  listen(listener: (() => void) | undefined): void {
    this.listener = listener
  }

  /** Calls the listener. Later calls do nothing until another listener is set. */
  notify(): void {
    const { listener } = this
    this.listener = undefined
    listener?.()
  }
}
