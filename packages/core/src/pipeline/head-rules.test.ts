/** Rules for GET and HEAD requests: docs/reference/request-pipeline.md#head-requests. */
import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../test/support/document-engine.ts'
import { definitionOf, makeTestEngine, withPaths } from '../../test/support/test-engine.ts'
import { plainSettings } from '../../test/support/test-settings.ts'

type Rules = 'compatible' | 'rfc9110' | 'recorded'

const settingsOf = (headRules: Rules) => ({ routing: { ...plainSettings.routing, headRules } })

async function statusOfHead(paths: object, headRules: Rules = 'compatible', path = '/a/x') {
  const definitions = [definitionOf('a', withPaths(paths))]
  const { send } = await makeTestEngine({ definitions, settings: settingsOf(headRules) })
  return (await send('HEAD', path)).status
}

const get = { path: '/x', method: 'GET' }
const head = { path: '/x', method: 'HEAD' }
const schema = { schema: { type: 'object' } }

describe('a rule for GET', () => {
  it.each([
    ['black_list', [get], 403],
    ['internal', [get], 403],
    ['go_plugin', [get], 500],
    ['mock_response', [{ ...get, code: 418 }], 418],
    ['validate_json', [{ ...get, ...schema }], 400],
    ['black_list', [{ path: '/x', method_actions: { GET: { action: 'reply', code: 418 } } }], 418],
  ])('of %s applies to HEAD, except with head_rules recorded', async (list, rules, status) => {
    expect(await statusOfHead({ [list]: rules })).toBe(status)
    expect(await statusOfHead({ [list]: rules }, 'rfc9110')).toBe(status)
    expect(await statusOfHead({ [list]: rules }, 'recorded')).toBe(200)
    expect(await statusOfHead({ [list]: rules }, 'compatible', '/a/y')).toBe(200)
  })

  it('does not apply if HEAD has a rule of its own', async () => {
    expect(
      await statusOfHead({
        mock_response: [
          { ...get, code: 418 },
          { ...head, code: 204 },
        ],
      }),
    ).toBe(204)
    expect(
      await statusOfHead({
        validate_json: [
          { ...get, ...schema },
          { ...head, schema: {} },
        ],
      }),
    ).toBe(400)
    expect(await statusOfHead({ black_list: [get], white_list: [head] })).toBe(200)
    expect(await statusOfHead({ black_list: [get], white_list: [{ path: '/x' }] })).toBe(403)
  })

  it('of an allow list or of ignored paths does not apply to HEAD', async () => {
    expect(await statusOfHead({ white_list: [get] })).toBe(403)
    const keyed = definitionOf('a', { ...withPaths({ ignored: [get] }), use_keyless: false })
    const { send } = await makeTestEngine({ definitions: [keyed] })
    expect([(await send('GET', '/a/x')).status, (await send('HEAD', '/a/x')).status]).toEqual([200, 401])
  })

  it('that limits the rate counts HEAD too', async () => {
    const limited = async (rules: object[], headRules?: Rules) => {
      const definitions = [definitionOf('a', withPaths({ rate_limit: rules }))]
      const { send } = await makeTestEngine({ definitions, settings: settingsOf(headRules ?? 'compatible') })
      const statuses = []
      for (const method of ['GET', 'HEAD']) statuses.push((await send(method, '/a/x')).status)
      return statuses
    }
    const rate = { rate: 1, per: 60 }
    expect(await limited([{ ...get, ...rate }])).toEqual([200, 429])
    expect(await limited([{ ...get, ...rate }], 'recorded')).toEqual([200, 200])
    expect(
      await limited([
        { ...get, ...rate },
        { ...head, ...rate },
      ]),
    ).toEqual([200, 200])
  })
})

describe('an operation for GET of a document', () => {
  const document = (operations: object, listenPath = '/d/') =>
    documentOf(
      {
        paths: {
          '/x': {
            get: {
              operationId: 'read',
              parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'integer' } }],
              responses: { 200: { description: 'x' } },
            },
          },
        },
      },
      { middleware: { operations: { read: operations } }, server: { listenPath: { value: listenPath, strip: true } } },
    )
  const send = async (operations: object, headRules: Rules = 'compatible', listenPath = '/d/') =>
    (await makeDocumentEngine(document(operations, listenPath), { settings: settingsOf(headRules) })).send(
      'HEAD',
      '/d/x?q=a',
    )

  it('checks and mocks HEAD', async () => {
    const on = { enabled: true }
    expect((await send({ validateRequest: on })).status).toBe(422)
    expect((await send({ validateRequest: on }, 'recorded')).status).toBe(200)
    expect((await send({ validateRequest: on }, 'compatible', '/{name}/')).status).toBe(422)
    expect((await send({ validateRequest: on }, 'recorded', '/{name}/')).status).toBe(200)
    expect((await send({ mockResponse: { ...on, code: 418 } })).status).toBe(418)
  })
})
