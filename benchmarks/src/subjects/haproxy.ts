/** HAProxy as a plain reverse proxy with one thread, over TLS with HTTP/1.1 and HTTP/2 on request. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'
import type { TlsFiles } from './tls-files.ts'

export async function startHaproxy(upstream: string, tls?: TlsFiles): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-haproxy-'))
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  nbthread 1
  maxconn 1024
defaults
  mode http
  timeout connect 5s
  timeout client 120s
  timeout server 120s
  timeout tunnel 120s
frontend in
  bind 127.0.0.1:${port}${tls === undefined ? '' : ` ssl crt ${tls.both} alpn h2,http/1.1`}
  default_backend out
backend out
  http-reuse always
  server one ${new URL(upstream).host}
`,
  )
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  try {
    const subject = await startSubject('HAProxy', ['haproxy', '-db', '-q', '-f', file], url, '/plain')
    return { ...subject, stop: () => subject.stop().finally(remove) }
  } catch (cause) {
    remove()
    throw cause
  }
}
