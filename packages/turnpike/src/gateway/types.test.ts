/** What must not compile. The functions are never called: the compiler is the test, this file its witness. */
import { expect, it } from 'vitest'
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
  // @ts-expect-error: a request needs a URL
  (gateway: Gateway) => gateway.explain({ dry: true }),
  // @ts-expect-error: dry is true or false
  (gateway: Gateway) => gateway.explain({ url: '/', dry: 'yes' }),
  // @ts-expect-error: limits are numbers
  (gateway: Gateway) => gateway.keys.create({ rate: '5' }),
  // @ts-expect-error: a policy needs an id
  (gateway: Gateway) => gateway.policies.put({ rate: 5 }),
]

it('wrong options do not compile', () => expect(refused).toHaveLength(10))
