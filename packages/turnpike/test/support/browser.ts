/** A real browser without a way to anywhere but this machine. Needs Chromium: `apt-get install chromium`. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { it } from 'vitest'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env['TURNPIKE_CHROMIUM'] ?? places.find((place) => existsSync(place))
const inCi = !['', '0', 'false', undefined].includes(process.env['CI'])

export const hasBrowser: boolean = executablePath !== undefined

/** Names what is left out where there is no browser; where it must be there, that is a failure. */
export function skipWithoutBrowser(what: string): void {
  if (hasBrowser) return
  const reason = 'no Chromium; apt-get install chromium'
  it(what, ({ skip }) => {
    if (inCi) throw new Error(reason)
    skip(reason)
  })
}

export function launchBrowser(): Promise<Browser> {
  const args = [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    ...['--disable-component-update', '--disable-sync'],
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ]
  return chromium.launch({ executablePath: executablePath ?? '', args })
}
