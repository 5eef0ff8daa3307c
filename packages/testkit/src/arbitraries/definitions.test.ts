import { collectResponse, makeInjectedRequest } from '@turnpike/core/engine'
import { when } from '@turnpike/core/lib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeTestEngine } from '../properties/subjects/test-engine.ts'
import { definitionSets, policyFiles } from './definitions.ts'

it('every set of definitions loads, and each listen path responds', async () => {
  await fc.assert(
    fc.asyncProperty(definitionSets, async (definitions) => {
      const { engine } = await makeTestEngine({ definitions })
      expect(engine.report()?.failed).toEqual([])
      expect(engine.definitions().length).toBe(definitions.length)
      for (const definition of definitions) {
        const { listen_path: path } = definition['proxy'] as { listen_path: string }
        const host = definition['domain'] === 'api.test' ? 'api.test' : 'gateway.test'
        const url = `${path.replace('{id}', '7')}x`
        const request = makeInjectedRequest({ url, headers: { host, 'x-version': 'v1' } })
        const { status } = await collectResponse(await when(engine.handle(request), (response) => response))
        expect(status).not.toBe(500)
      }
    }),
    { numRuns: 30 },
  )
})

it('policies name only existing APIs', () => {
  const drawn = definitionSets.chain((definitions) =>
    policyFiles(definitions).map((policies) => ({ definitions, policies })),
  )
  fc.assert(
    fc.property(drawn, ({ definitions, policies }) => {
      const ids = new Set(definitions.map(({ api_id: id }) => id))
      for (const [id, policy] of Object.entries(policies)) {
        expect(policy['id']).toBe(id)
        for (const name of Object.keys(policy['access_rights'] as object)) expect(ids).toContain(name)
      }
    }),
    { numRuns: 50 },
  )
})
