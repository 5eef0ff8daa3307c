import { expect, it } from 'vitest'
import { makeMemorySource } from './memory-source.ts'

const served = { id: 'a', definition: { api_id: 'a', is_oas: true }, document: { openapi: '3.0.3', paths: {} } }
const sidecarIn = async (source: ReturnType<typeof makeMemorySource>) => (await source.read()).definitions[0]?.sidecar

it('hands over a parsed document without its text, until the document is written or removed', async () => {
  const source = makeMemorySource({ definitions: [], policies: {}, served })
  expect(await sidecarIn(source)).toMatchObject({ name: 'a-oas.json', value: served.document, text: undefined })
  expect(await source.readDefinition('a-oas')).toBe(JSON.stringify(served.document))
  const [before] = (await source.read()).definitions
  await source.writeDefinition('a-oas', '{"openapi":"3.1.0"}')
  const [after] = (await source.read()).definitions
  expect(after?.sidecar).toMatchObject({ text: '{"openapi":"3.1.0"}' })
  expect(after?.sidecar?.value).toBe(undefined)
  expect(after?.hash).not.toBe(before?.hash)
  expect(await source.removeDefinition('a-oas')).toBe(true)
  expect(await sidecarIn(source)).toBe(undefined)
  expect(await source.removeDefinition('a-oas')).toBe(false)
  const other = makeMemorySource({ definitions: [], policies: {}, served })
  expect([await other.removeDefinition('a-oas'), await sidecarIn(other)]).toEqual([true, undefined])
})
