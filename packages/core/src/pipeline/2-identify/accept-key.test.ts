import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const signature = 'keyId="anna",algorithm="hmac-sha1",signature="x"'

describe('a key whose policies cannot be applied', () => {
  it.each([
    ['token', { use_standard_auth: true }, 'anna'],
    ['basic', { use_basic_auth: true }, `Basic ${encodeBase64(utf8Bytes('anna:secret'))}`],
    ['hmac', { enable_signature_checking: true }, `Signature ${signature}`],
    ['oauth', { use_oauth2: true }, 'Bearer anna'],
  ])('is rejected with the reason in the trace: %s', async (_, mode, authorization) => {
    const { engine, putKey } = await makeTestEngine({
      definitions: [definitionOf('a', { use_keyless: false, ...mode })],
      engine: { clientExists: () => true },
    })
    await putKey('org1anna', { org_id: 'org1', apply_policies: ['gone'] })
    const request = requestOf('GET', '/a/x', { authorization, date: 'Thu, 01 Jan 2026 00:00:00 GMT' })
    const { response, stages } = await engine.explain(request, false, () => 0)
    expect([400, 401, 403]).toContain(response.status)
    expect(stages.flatMap(({ notes }) => notes)).toContain('policies: policy not found: "gone"')
  })
})
