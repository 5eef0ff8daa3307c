/**
 * A verifier of tokens for the tests of the engine. It knows only HMAC and is lenient; the adapter's rules have a suite of
 * their own in testkit.
 */
import { macOf } from '../../../src/lib/mac.ts'
import { decodeBase64 } from '../../../src/lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../../src/lib/text/utf8.ts'
import type { ParsedToken, TokenVerifier } from '../../../src/ports/token-verifier.ts'
import { toUrl } from './sign-token.ts'

const families = new Map<unknown, ParsedToken['family']>([
  ['HS', 'hmac'],
  ['RS', 'rsa'],
  ['ES', 'ecdsa'],
  ['no', 'other'],
])

export const testTokenVerifier: TokenVerifier = {
  parse(text) {
    try {
      const [header, claims] = text.split('.').slice(0, 2).map(readPart) as [Record<string, string>, object]
      const family = families.get(header['alg']?.slice(0, 2))
      if (family === undefined || 'crit' in header || typeof claims !== 'object') return undefined
      return { text, family, kid: header['kid'], claims: claims as ParsedToken['claims'] }
    } catch {
      return undefined
    }
  },
  readKey(material) {
    if (material.kind !== 'secret' || material.bytes.length === 0) return undefined
    const { bytes } = material
    return {
      family: 'hmac',
      verifies({ text }) {
        const [header = '', claims = '', signature] = text.split('.')
        const { alg } = readPart(header) as { alg: string }
        const mac = macOf(`sha${alg.slice(2)}` as 'sha256', bytes, utf8Bytes(`${header}.${claims}`))
        return signature === toUrl(mac)
      },
    }
  },
}

function readPart(text: string): unknown {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = decodeBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
  return JSON.parse(utf8Text(bytes as Uint8Array))
}
