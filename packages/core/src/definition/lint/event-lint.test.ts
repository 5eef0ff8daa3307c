import { describe, expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'

const findingsOf = (events: object) =>
  lintDefinition(
    JSON.stringify({
      name: 'a',
      active: true,
      api_id: 'a',
      use_keyless: true,
      version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
      proxy: { listen_path: '/a/', target_url: 'http://up.test' },
      event_handlers: { events },
    }),
  ).map(({ field, reason, fix }) => [
    field.replace('event_handlers.events.', '').replace(/\[(\d+)\]/g, '.$1'),
    reason,
    fix,
  ])

const hook = (more: object = {}) => ({
  handler_name: 'eh_web_hook_handler',
  handler_meta: { method: 'POST', target_path: 'https://hooks.test/x', ...more },
})

describe('event handlers', () => {
  it('are accepted if they are valid', () => {
    const log = { handler_name: 'eh_log_handler', handler_meta: { prefix: 'p' } }
    expect(findingsOf({ AuthFailure: [hook(), log], KeyExpired: null })).toEqual([])
  })

  it('are reported for an unknown event, with a suggestion', () => {
    expect(findingsOf({ RateLimitExceeded: [hook()] })).toEqual([
      ['RateLimitExceeded', 'is not a known event, so its handlers never run', 'did you mean "RatelimitExceeded"?'],
    ])
  })

  it('are errors if their name is unknown', () => {
    expect(findingsOf({ AuthFailure: [{ handler_name: 'eh_webhook_handler' }, 7] })).toMatchObject([
      ['AuthFailure.0.handler_name', expect.any(String), 'did you mean "eh_web_hook_handler"?'],
      ['AuthFailure.1', 'must be an object, is the number 7', 'correct it'],
      ['AuthFailure.1.handler_name', expect.any(String), expect.stringContaining('eh_log_handler')],
    ])
  })

  it('need an absolute URL and a known method', () => {
    const found = findingsOf({ AuthFailure: [hook({ target_path: '/x' }), hook({ method: 'BREW' })] })
    expect(found).toMatchObject([
      ['AuthFailure.0.handler_meta.target_path', 'must be an absolute URL over http or https', undefined],
      [
        'AuthFailure.1.handler_meta.method',
        'is not one of GET, PUT, POST, DELETE, PATCH; GET is used',
        'write one of them',
      ],
    ])
  })
})
