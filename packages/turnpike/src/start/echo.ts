/** The built-in upstream of sample gateways; it answers with the request it got. */
export interface EchoServer {
  readonly url: string
  close(): Promise<void>
}

/** Rejects with a message that names the way out when the port is in use. */
export async function startEcho(port: number): Promise<EchoServer> {
  // Loaded here: gateways without it should not wait for it.
  const { startEchoUpstream } = await import('@turnpike/echo-upstream')
  try {
    return await startEchoUpstream({ port })
  } catch (cause) {
    const inUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    if (!inUse) throw cause
    const message = `port ${port} of the echo upstream is already in use; choose another with echo.listen_port`
    throw new Error(message, { cause })
  }
}
