/** The built-in upstream of sample gateways. It responds with the request that it received. */
export interface EchoServer {
  readonly url: string
  /** The TCP port that it listens on. */
  readonly port: number
  close(): Promise<void>
}

/** Starts it on a port, or on a free one if `port` is 0. Rejects if the port is in use, with a message that names the configuration key to change. */
export async function startEcho(port: number): Promise<EchoServer> {
  // Loaded on demand, because most gateways have no echo upstream.
  const { startEchoUpstream } = await import('../echo-upstream/echo-upstream.ts')
  try {
    return await startEchoUpstream({ port })
  } catch (cause) {
    const inUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    if (!inUse) throw cause
    const message = `port ${port} of the echo upstream is already in use; set echo.listen_port to another, or to 0 for a free one`
    throw new Error(message, { cause })
  }
}
