import { describe, expect, it } from 'vitest'
import { makeMcpEngine, rule } from '../../../test/support/mcp/mcp-engine.ts'

const paths = { black_list: [rule('/mcp-resource:file:///private/*'), rule('/mcp-prompt:secret')] }
const message = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
const codeOf = (text: string) => (JSON.parse(text) as { error?: { code: number } }).error?.code

async function sendAll(rules: object, messages: readonly object[]) {
  const { post, upstreamRequests } = await makeMcpEngine({ paths: rules })
  const codes: unknown[] = []
  for (const each of messages) codes.push(codeOf((await post(each)).text))
  return { codes, passed: upstreamRequests.length }
}

describe('a blocked folder of resources', () => {
  it.each([
    ['file:///private/a', -32002],
    ['FILE:///private/a', -32002],
    ['file://localhost/private/a', -32002],
    ['file:/private/a', -32002],
    ['file:///pr%69vate/a', -32002],
    ['file:///public/../private/a', -32602],
    ['file:///public/%2e./private/a', -32602],
    ['file:////private/a', -32602],
    ['file:///pri\tvate/a', -32602],
    ['file:///public\\..\\private\\a', -32602],
    ['file:///public/a', undefined],
  ])('cannot be read as %j', async (uri, code) => {
    expect(await sendAll(paths, [message('resources/read', { uri })])).toEqual({
      codes: [code],
      passed: code === undefined ? 1 : 0,
    })
  })

  it('cannot be read under the name localhost if only the rule is written in upper case', async () => {
    const upper = { black_list: [rule('/mcp-resource:DB://Host/Rows')] }
    expect((await sendAll(upper, [message('resources/read', { uri: 'db://hOST/Rows/1' })])).codes).toEqual([-32002])
  })
})

it('methods that name a resource or a prompt are subject to its rules', async () => {
  const uri = 'file:///private/a'
  const messages = [
    message('resources/subscribe', { uri }),
    message('resources/unsubscribe', { uri }),
    message('resources/inspect', { uri }),
    message('prompts/preview', { name: 'secret' }),
    message('completion/complete', { ref: { type: 'ref/resource', uri } }),
    message('completion/complete', { ref: { type: 'ref/prompt', name: 'secret' }, argument: {} }),
    message('later/method', { ref: { type: 'ref/prompt', name: 'secret' } }),
  ]
  expect(await sendAll(paths, messages)).toEqual({ codes: messages.map(() => -32002), passed: 0 })
})

it('methods that name nothing, or something open, pass', async () => {
  const messages = [
    message('resources/subscribe', { uri: 'file:///public/a' }),
    message('completion/complete', { ref: { type: 'ref/prompt', name: 'open' }, argument: { name: 'x', value: '' } }),
    message('resources/list', { cursor: 'x' }),
    message('initialize', { Name: 'secret', uri: 'file:///private/a' }),
    { jsonrpc: '2.0', id: 1, method: 'ping' },
  ]
  expect(await sendAll(paths, messages)).toEqual({ codes: messages.map(() => undefined), passed: messages.length })
})

it('references that parsers read differently are rejected', async () => {
  const messages = [
    message('completion/complete', { ref: 'ref/prompt' }),
    message('completion/complete', { ref: { type: 'ref/tool', name: 'secret' } }),
    message('completion/complete', { ref: { type: 'ref/prompt', name: 'open', Name: 'secret' } }),
    message('completion/complete', { ref: { type: 'ref/prompt', name: 'open', TYPE: 'ref/resource' } }),
    message('completion/complete', { ref: { type: 'ref/prompt', name: 'open' }, Ref: {} }),
    message('resources/subscribe', {}),
  ]
  expect(await sendAll(paths, messages)).toEqual({ codes: messages.map(() => -32602), passed: 0 })
})
