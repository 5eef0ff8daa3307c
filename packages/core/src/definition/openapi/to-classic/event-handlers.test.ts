import { expect, it } from 'vitest'
import { eventHandlersOf } from './event-handlers.ts'

const handler = (type: string, more: object = {}) => ({ enabled: true, trigger: 'KeyExpired', type, ...more })

it.each([
  [
    handler('webhook', {
      method: 'POST',
      url: 'http://h',
      bodyTemplate: 't.json',
      headers: [{ name: 'X-A', value: '1' }],
      coolDownPeriod: '1m',
    }),
    {
      handler_name: 'eh_web_hook_handler',
      handler_meta: {
        method: 'POST',
        target_path: 'http://h',
        template_path: 't.json',
        header_map: { 'X-A': '1' },
        event_timeout: 60,
      },
    },
  ],
  [
    handler('custom', { functionName: 'f', path: 'f.js' }),
    { handler_name: 'eh_dynamic_handler', handler_meta: { name: 'f', path: 'f.js' } },
  ],
  [handler('log', { logPrefix: 'seen' }), { handler_name: 'eh_log_handler', handler_meta: { prefix: 'seen' } }],
  [handler('pager'), { handler_name: 'pager', handler_meta: {} }],
])('converts an event handler: %o', (given, converted) => {
  expect(eventHandlersOf([given])).toEqual({ KeyExpired: [converted] })
})

it('leaves out handlers that are not enabled', () => {
  expect(eventHandlersOf([{ ...handler('webhook'), enabled: false }])).toEqual({})
})
