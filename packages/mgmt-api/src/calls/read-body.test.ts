import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, sessionFor } from '../../test/test-gateway.ts'
import { parseJson } from '../http/parse-json.ts'

describe('bodies of management calls', () => {
  it('of 100,000 levels are rejected like any other nonsense', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const deep = `{"org_id":"org1","meta_data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`
    for (const path of ['/svc/keys/x', '/svc/apis', '/svc/policies', '/svc/org/keys/o']) {
      const said = await gateway.call('POST', path, deep)
      expect([said.status, said.text], path).toEqual([400, '{"status":"error","message":"Request malformed"}\n'])
    }
  })

  it('longer than the limit are rejected without being read to the end', async () => {
    const gateway = await makeTestGateway({ options: { maxBodyBytes: 1000 } })
    const said = await gateway.call('POST', '/svc/keys', 'x'.repeat(1001))
    expect([said.status, said.json]).toEqual([
      413,
      { status: 'error', message: 'the body is longer than 1000 bytes, the limit of max_management_body_size' },
    ])
    expect((await gateway.call('POST', '/svc/keys', 'x'.repeat(1000))).status).toBe(400)
  })

  it('lose keys that mean something to JavaScript', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const body = JSON.stringify(sessionFor('a')).replace(
      '{',
      '{"__proto__":{"rate":1},"meta_data":{"\\u005f_proto__":{"polluted":1},"kept":1,"constructor":"x"},',
    )
    await gateway.call('POST', '/svc/keys/proto', body)
    const { json } = await gateway.call('GET', '/svc/keys/org1proto')
    expect(json).toMatchObject({ meta_data: { kept: 1, constructor: 'x' } })
    expect(JSON.stringify(json)).not.toContain('polluted')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('numbers', () => {
  it('that overflow are no numbers', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a')] })
    const body = JSON.stringify(sessionFor('a')).replace('{', '{"rate":1e999,')
    expect((await gateway.call('POST', '/svc/keys/x', body)).status).toBe(400)
  })
})

describe('parsing', () => {
  it('does not count brackets inside of texts', () => {
    expect(parseJson(JSON.stringify('['.repeat(10_000)))?.value).toBe('['.repeat(10_000))
    expect(parseJson(JSON.stringify(`"\\${'{'.repeat(1000)}`))).toBeDefined()
  })

  it('rejects a body that is not JSON', () => {
    for (const text of ['', '{', 'nojson', '{"a":1}}', "{'a':1}", '[1,]']) expect(parseJson(text), text).toBeUndefined()
  })
})
