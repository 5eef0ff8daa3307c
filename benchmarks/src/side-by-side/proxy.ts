/** A proxy of the side-by-side comparison: how it is started, and how its configuration looks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from '../subjects/subject.ts'

/** `limited`: a request needs the key, and requests with a key have a rate limit. */
export type Mode = 'keyless' | 'limited'
export const modes = ['keyless', 'limited'] as const satisfies readonly Mode[]

export interface Settings {
  readonly port: number
  /** Host and TCP port of the upstream. */
  readonly upstream: string
  readonly mode: Mode
  /** Requests per second that a key may send in mode `limited`. */
  readonly perSecond: number
}

export interface ProxySubject {
  readonly name: string
  /** How mode `limited` checks the key and counts the rate, in words. */
  readonly limiter: string
  /** Returns the version; `undefined`: not installed. */
  version(): string | undefined
  /** The configuration by file name, as the page shows it. */
  files(settings: Settings): Readonly<Record<string, string>>
  start(settings: Settings): Promise<Subject>
}

/** A rate that no measurement reaches. */
export const amplePerSecond = 1_000_000
export const key = 'benchone'
/** Headers of a request in each mode. */
export const headersOf = (mode: Mode): Record<string, string> => (mode === 'limited' ? { Authorization: key } : {})

export async function startProxy(proxy: ProxySubject, upstream: string, mode: Mode, perSecond = amplePerSecond) {
  return proxy.start({ port: await freePort(), upstream: new URL(upstream).host, mode, perSecond })
}

/** Starts a program with its configuration in a temporary folder, which is the current folder of the program. */
export async function startInFolder(
  { name, files }: Pick<ProxySubject, 'name' | 'files'>,
  settings: Settings,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-side-'))
  for (const [file, text] of Object.entries(files(settings))) writeFileSync(join(folder, file), text)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const url = `http://127.0.0.1:${settings.port}`
    const options = { env, cwd: folder, probeHeaders: headersOf(settings.mode) }
    const subject = await startSubject(name, command, url, '/plain', options)
    return { ...subject, stop: () => subject.stop().finally(remove) }
  } catch (cause) {
    remove()
    throw cause
  }
}
