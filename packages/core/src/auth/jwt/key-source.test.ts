import { describe, expect, it } from 'vitest'
import { parseDefinition } from '../../definition/parse-definition.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { silentLog } from '../../ports/log.ts'
import type { ParsedToken, TokenKey, TokenVerifier } from '../../ports/token-verifier.ts'
import { makeKeySets } from './key-set-cache.ts'
import { makeKeySource } from './key-source.ts'

const first = 'http://first.test/keys'
const second = 'http://second.test/keys'
const kidsAt: Readonly<Record<string, string>> = { [first]: 'one', [second]: 'two' }

const tokenVerifier: TokenVerifier = {
  parse: () => undefined,
  readKey: (): TokenKey => ({ family: 'rsa', verifies: () => true }),
}

function findBy(kid: string, listed: readonly string[], source = first) {
  const text = JSON.stringify({
    api_id: 'a',
    org_id: 'o',
    enable_jwt: true,
    jwt_signing_method: 'rsa',
    jwt_source: encodeBase64(utf8Bytes(source)),
    proxy: { listen_path: '/a/', target_url: 'http://upstream.test' },
  })
  const { definition } = parseDefinition(text, 'a.json', 'a', { secret: () => undefined })
  if (definition === undefined) throw new Error('the definition cannot be read')
  const keySets = makeKeySets({
    fetch: {
      get: async (url) => ({
        status: 200,
        body: utf8Bytes(JSON.stringify({ keys: [{ kid: kidsAt[url], kty: 'RSA' }] })),
      }),
    },
    tokenVerifier,
    clock: { now: () => 1_000_000 },
    log: silentLog,
  })
  const sessionCache = { find: () => undefined, findNamed: () => undefined, forget() {}, renew() {} }
  const token: ParsedToken = { text: '', family: 'rsa', kid, claims: {} }
  const settings = { keys: { minTokenLength: 3 } }
  return makeKeySource(definition, { keySets, sessionCache, settings }, listed).find(token)
}

describe('key sets that a document lists', () => {
  it('are searched in their order', async () => {
    expect(await findBy('one', [first, second])).toBeDefined()
    expect(await findBy('two', [first, second])).toBeDefined()
    expect(await findBy('three', [first, second])).toBeUndefined()
  })

  it('are used without jwt_source', async () => {
    expect(await findBy('two', [first, second], '')).toBeDefined()
  })

  it('are not used if the definition names a key set itself', async () => {
    expect(await findBy('two', [second])).toBeUndefined()
    expect(await findBy('one', [second])).toBeDefined()
  })
})
