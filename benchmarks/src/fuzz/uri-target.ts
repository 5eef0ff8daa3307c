/** Accepted URIs of MCP resources name a closed folder for the rules if they do for any server. */
import { posix } from 'node:path'
import { readResourceUri } from '@turnpike/core/definition'
import { decodePercent } from '@turnpike/core/lib'
import { FuzzFinding, pureTarget } from './fuzz-target.ts'
import { makeRandom, pick } from './generate.ts'

const starts: readonly string[] = ['file:///', 'file:', 'FILE://localhost/', 'http://Host/', 'db://rows/', '']
const pieces: readonly string[] =
  '/ // . .. /../ %2e %2E%2e %2f %5c \\ % %zz %00 ; a ..; ä %ff file: FILE:// file://localhost http:// Host @ :80 ? # %25 private %70rivate'
    .split(' ')
    .concat('\t', ' ', '\n')

/** What an MCP server can make of a URI: it resolves the URI as a browser does, removes the scheme, or decodes it. */
function readingsOf(uri: string): string[] {
  const texts = [uri.replace(/^[^:]*:(\/\/[^/]*)?/, ''), ...(URL.canParse(uri) ? [new URL(uri).pathname] : [])]
  return texts.flatMap((text) => [text, decodePercent(text)]).map((path) => posix.normalize(path))
}

export const uriTarget = pureTarget('uri', (seed) => {
  const random = makeRandom(seed)
  let uri = pick(random, starts)
  for (let i = random(7); i > 0; i--) uri += pick(random, pieces)
  const { canonical } = readResourceUri(uri)
  if (canonical === undefined) return
  const again = readResourceUri(canonical).canonical
  if (again !== undefined && again !== canonical) throw new FuzzFinding('the canonical form has another one', uri)
  if (!canonical.startsWith('file:') || canonical.startsWith('file:///private')) return
  for (const reading of readingsOf(uri)) {
    if (reading.startsWith('/private')) throw new FuzzFinding('a server reads a closed folder', [uri, reading])
  }
})
