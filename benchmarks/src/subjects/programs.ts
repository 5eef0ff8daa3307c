/** Programs that listen on a free TCP port: upstreams, and proxies that are references. */
import { fileURLToPath } from 'node:url'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'
import type { TlsFiles } from './tls-files.ts'

/** Starts `plain-upstream.ts`. */
export const startPlainUpstream = () => startProgram('upstream', './plain-upstream.js', [])

/** Calls `work` with the URL of `plain-upstream.ts`, and stops that program at the end. */
export async function withPlainUpstream<T>(work: (url: string) => Promise<T>): Promise<T> {
  const upstream = await startPlainUpstream()
  try {
    return await work(upstream.url)
  } finally {
    await upstream.stop()
  }
}

/** Starts `delaying-upstream.ts`. */
export const startDelayingUpstream = () => startProgram('upstream', './delaying-upstream.js', [], { probe: '/0' })

/** Starts `node-proxy-process.ts`, the reference for a plain Node proxy. */
export const startNodeProxy = (upstream: string) =>
  startProgram('node:http with undici', './node-proxy-process.js', [upstream])

/** Starts `bare-server.ts`, over TLS with `tls`. */
export const startBareServer = (tls?: TlsFiles) =>
  startProgram('net server', './bare-server.js', tls === undefined ? [] : [tls.cert, tls.key], {
    tls: tls !== undefined,
  })

/**
 * Starts another gateway by a command: `--other "CMD --port {port} --upstream {upstream}"`. Replaces `{port}` and
 * `{upstream}` (an origin without trailing slash). The gateway must proxy /plain.
 */
export async function startOther(command: string, upstream: string): Promise<Subject> {
  const port = await freePort()
  const filled = command.replaceAll('{port}', String(port)).replaceAll('{upstream}', upstream)
  // A shell interprets quotes and variables; `exec` replaces the shell with the command.
  return startSubject('the other', ['sh', '-c', `exec ${filled}`], `http://127.0.0.1:${port}`, '/plain')
}

interface ProgramOptions {
  /** A path to which it responds. */
  readonly probe?: string
  readonly tls?: boolean
}

/** `file`: a program of this folder, whose first argument is the TCP port. */
async function startProgram(
  name: string,
  file: string,
  more: readonly string[],
  { probe = '/plain', tls = false }: ProgramOptions = {},
): Promise<Subject> {
  const port = await freePort()
  const program = fileURLToPath(new URL(file, import.meta.url))
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return startSubject(name, [process.execPath, program, String(port), ...more], url, probe)
}
