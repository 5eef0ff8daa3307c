// The page of all events with the body of their web hooks, from the names and the default bodies of core.
import { code, generatedNote, page, table } from './markdown.mjs'

const head = `# Event names

${generatedNote}

[Events](../events.md) says when each event is fired, and how handlers subscribe to it. The body is that of a web hook without a template; all values are text or numbers.`

/** What the facts of each kind of event are; the values are examples. */
const groups = [
  ['About requests', 'requestEventNames', { about: 'request', path: '/orders/1', origin: '127.0.0.1', key: 'KEY' }],
  ['About quotas', 'triggerEventNames', { about: 'trigger', orgId: 'acme', key: 'KEY', triggerLimit: 80 }],
  [
    'About circuit breakers',
    'breakerEventNames',
    { about: 'breaker', apiId: 'orders', path: '/items', change: 'tripped' },
  ],
  [
    'About upstream hosts',
    'hostEventNames',
    { about: 'host', url: 'http://127.0.0.1/', responseCode: 503, tcpError: false, host: '127.0.0.1', apiId: 'orders' },
  ],
  ['About keys', 'keyEventNames', { about: 'key', orgId: 'acme', key: 'KEY' }],
  [
    'About certificates',
    'certificateEventNames',
    {
      about: 'certificate',
      certificateId: 'ID',
      certificateName: 'NAME',
      expiresAt: Date.UTC(2030, 0, 1),
      days: 14,
      role: 'client',
      apiId: 'orders',
    },
  ],
]

/** `names` are the lists of core/src/definition/event-names.ts, `defaultBody` makes the body of one event. */
export function eventsPage(names, defaultBody) {
  const listed = groups.flatMap(([, list]) => names[list])
  const missing = names.eventNames.filter((name) => !listed.includes(name))
  if (missing.length > 0) throw new Error(`scripts/reference/events-page.mjs has no group for: ${missing.join(', ')}`)
  const sections = groups.map(([title, list, facts]) => {
    const rows = names[list].map((name) => {
      const body = JSON.parse(defaultBody({ name, at: Date.UTC(2030, 0, 1), facts: { message: 'text', ...facts } }))
      return [code(name), Object.keys(body).map(code).join(', ')]
    })
    return page(`## ${title}`, table(['Event', 'Members of the body'], rows))
  })
  return page(head, ...sections)
}
