/** Whoever wants to hear that a request's client went away; as `GatewayRequest.onAbort` has it. */
export class Departure {
  private listener: (() => void) | undefined = undefined

  /** Only the last listener is kept; `undefined` takes it off. */
  listen(listener: (() => void) | undefined): void {
    this.listener = listener
  }

  /** Nobody waits for the answer any more. Tells it once. */
  tell(): void {
    const told = this.listener
    this.listener = undefined
    told?.()
  }
}
