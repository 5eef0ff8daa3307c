// APIs: where they lead, how their upstreams do, their circuit breakers and their caches.
import { bar, button, count, dateAndTime, duration, el, empty, milliseconds, percent, soft, tags } from './dom.js'
import { loader, makeView } from './view.js'

export function makeApis({ notify, may, edit }) {
  const list = el('ul', { className: 'apis' })
  const none = el(
    'div',
    { className: 'card', hidden: true },
    empty('No API yet', 'Create one here, or put a definition into the folder of app_path and reload.'),
  )
  const draw = ({ apis }) => {
    const sorted = apis.toSorted((a, b) => a.name.localeCompare(b.name))
    list.replaceChildren(...sorted.map((api) => card(api, may.edit.apis ? edit : undefined)))
    none.hidden = apis.length > 0
  }
  return makeView({
    name: 'apis',
    title: 'APIs',
    note: 'numbers of the last minute',
    controls: [button('New API', () => void edit('apis'), { className: 'main', hidden: !may.edit.apis })],
    content: [list, none],
    load: loader('/apis', draw, notify),
    everyMs: 2000,
    afterReload: true,
  })
}

function card(api, edit) {
  const { lastMinute: minute } = api
  const looked = minute.cacheHits + minute.cacheMisses
  const fact = (name, value) => el('div', {}, el('dt', {}, name), el('dd', {}, value))
  const rows = [...api.breakers.map(breakerRow)]
  if (api.cached || looked > 0) {
    const hits = looked === 0 ? 0 : minute.cacheHits / looked
    rows.push(
      el(
        'li',
        {},
        el(
          'div',
          { className: 'row says' },
          el('span', {}, `Cache${api.cacheSeconds > 0 ? `, ${duration(api.cacheSeconds)}` : ''}: `),
          soft(looked === 0 ? 'not used' : `${percent(hits)} of ${count(looked)} requests`),
        ),
        bar(hits, 'cache slim').element,
      ),
    )
  }
  return el(
    'li',
    { className: 'card api' },
    el('header', {}, el('h2', {}, api.name), health(api)),
    el(
      'p',
      { className: 'route' },
      el('code', {}, api.internal ? 'internal' : `${api.domain}${api.listenPath}`),
      ' to ',
      el('code', {}, api.target),
    ),
    el(
      'div',
      {},
      tags([
        ...(api.access.length === 0 ? ['no key'] : api.access.map(accessWord)),
        ...api.versions.map((version) => `version ${version}`),
        ...(api.active ? [] : ['inactive']),
      ]),
    ),
    el(
      'dl',
      { className: 'facts' },
      fact('Requests', count(minute.requests)),
      fact('Rejected', count(minute.rejected)),
      fact('Errors', count(minute.upstreamErrors)),
      fact('Upstream', minute.forwarded === 0 ? '–' : milliseconds(minute.upstreamMs)),
    ),
    rows.length === 0 ? null : el('ul', {}, ...rows),
    edit === undefined
      ? null
      : el(
          'div',
          {},
          button('Edit', () => void edit('apis', api.id), { 'aria-label': `Edit API ${api.name}` }),
        ),
  )
}

const accessWord = (mode) =>
  ({ token: 'key', basic: 'basic authentication', hmac: 'signature', jwt: 'JWT', oauth: 'OAuth' })[mode] ?? mode

/** The state of the upstream, by its responses in the last minute. */
function health({ lastMinute: { forwarded, upstreamErrors }, breakers }) {
  if (breakers.some(({ state }) => state === 'open')) return el('span', { className: 'state bad' }, 'breaker open')
  if (forwarded === 0) return el('span', { className: 'state soft' }, 'not called')
  if (upstreamErrors === 0) return el('span', { className: 'state good' }, 'upstream healthy')
  return upstreamErrors * 2 >= forwarded
    ? el('span', { className: 'state bad' }, 'upstream failing')
    : el('span', { className: 'state near' }, 'some errors')
}

function breakerRow({ path, method, state, failures, successes, threshold, samples, closesAt }) {
  const calls = failures + successes
  const words = { closed: 'good', open: 'bad', 'half-open': 'near' }
  const until = closesAt === undefined ? '' : `, closes by ${dateAndTime(closesAt)}`
  return el(
    'li',
    { className: 'row' },
    el('span', {}, 'Breaker ', el('code', {}, `${method} ${path}`)),
    el(
      'span',
      {
        className: `state ${words[state]}`,
        title: `opens at ${percent(threshold)} failures of at least ${count(samples)} calls`,
      },
      `${state}: ${count(failures)} of ${count(calls)} failed${until}`,
    ),
  )
}
