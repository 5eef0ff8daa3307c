/** A self-signed certificate for the servers of one run, made by openssl. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** Both in one file, as HAProxy reads them. */
  readonly both: string
  remove(): void
}

export function makeTlsFiles(): TlsFiles {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-tls-'))
  const [cert, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'pipe' })
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 })
  return { cert, key, both, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
