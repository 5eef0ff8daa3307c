/** What must not compile. The functions are never called: the compiler is the test, this file its witness. */
import { expect, it } from 'vitest'
import type { Stage } from '../index.ts'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { Gateway } from './gateway.ts'

export const refused = [
  // @ts-expect-error: no such store
  () => createGateway({ store: 'mysql' }),
  // @ts-expect-error: a misspelt option
  () => createGateway({ definition: [] }),
  // @ts-expect-error: a definition needs to know where to
  () => createGateway({ definitions: [{ api_id: 'a' }] }),
  // @ts-expect-error: a clock is more than a number
  () => createGateway({ clock: 0 }),
  // @ts-expect-error: the target is missing
  () => defineApi({ id: 'a' }),
  // @ts-expect-error: a misspelt option
  () => defineApi({ id: 'a', target: 'http://a.test/', listenpath: '/a/' }),
  // @ts-expect-error: a misspelt position
  (): Stage => ({ name: 'own', phase: '3-admit', after: 'key-acess', make: () => null }),
  // @ts-expect-error: records are no phase of custom stages
  (): Stage => ({ name: 'own', phase: '7-record', make: () => null }),
  // @ts-expect-error: a misspelt member of the configuration
  (): Stage<{ header: string }> => ({ name: 'own', phase: '3-admit', make: ({ config }) => config.heder && null }),
  // @ts-expect-error: the default configuration has another type
  (): Stage<{ header: string }> => ({ name: 'own', phase: '3-admit', defaultConfig: { header: 1 }, make: () => null }),
  // @ts-expect-error: a reply needs a status
  (): Stage => ({ name: 'own', phase: '3-admit', make: () => ({ request: () => ({ body: 'x' }) }) }),
  // @ts-expect-error: no such handler
  (): Stage => ({ name: 'own', phase: '3-admit', make: () => ({ run: () => undefined }) }),
  // @ts-expect-error: the configuration of a stage is an object or false
  () => defineApi({ id: 'a', target: 'http://a.test/', stages: { own: 5 } }),
  // @ts-expect-error: fetch takes a Request
  (gateway: Gateway) => gateway.fetch('http://a.test/'),
  // @ts-expect-error: a request needs a URL
  (gateway: Gateway) => gateway.explain({ dry: true }),
  // @ts-expect-error: dry is true or false
  (gateway: Gateway) => gateway.explain({ url: '/', dry: 'yes' }),
  // @ts-expect-error: limits are numbers
  (gateway: Gateway) => gateway.keys.create({ rate: '5' }),
  // @ts-expect-error: a policy needs an id
  (gateway: Gateway) => gateway.policies.put({ rate: 5 }),
]

/** Stages with configurations of several types are one list. */
export const accepted = () => {
  const text: Stage<{ header: string }> = {
    name: 'text',
    phase: '1-accept',
    make: ({ config: { header } }) => ({ request: ({ headers }) => void headers.get(header) }),
  }
  const untyped: Stage = {
    name: 'untyped',
    phase: '6-shape-response',
    before: 'cache-write',
    make: () => ({ response: async () => new Response('x') }),
  }
  return createGateway({ stages: [text, untyped] })
}

it('wrong options do not compile', () => expect(refused).toHaveLength(18))
