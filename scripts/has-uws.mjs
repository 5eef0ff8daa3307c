/** Whether uWebSockets.js has a binary for this platform and version of Node. */
import { readFileSync } from 'node:fs'

// Read as text, because the list must be known before the packages are built.
const list = new URL('../packages/adapters/src/front-end-uws/uws-hashes.ts', import.meta.url)
const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

export const hasUws = readFileSync(list, 'utf8').includes(binary)
