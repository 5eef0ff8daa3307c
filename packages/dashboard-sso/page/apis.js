// APIs: where they lead, how their upstreams do, their circuit breakers and their caches.
import { read, repeat } from './data.js'
import { bar, count, dateAndTime, duration, el, empty, milliseconds, percent } from './dom.js'

export function makeApis({ notify, may, edit }) {
  const list = el('ul', { className: 'apis' })
  const none = el(
    'div',
    { className: 'card', hidden: true },
    empty('No API yet', 'Create one here, or put a definition into the folder of app_path and reload.'),
  )
  let shown = false
  let lastText = ''

  const load = async () => {
    try {
      const { apis } = await read('/apis')
      const text = JSON.stringify(apis)
      if (text === lastText) return
      lastText = text
      list.replaceChildren(
        ...apis
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map((api) => card(api, may.edit.apis ? edit : undefined)),
      )
      none.hidden = apis.length > 0
    } catch (error) {
      notify(error.message)
    }
  }
  repeat(load, 2000, () => shown)

  return {
    name: 'apis',
    title: 'APIs',
    element: el(
      'section',
      { 'aria-labelledby': 'apis-title' },
      el(
        'div',
        { className: 'head' },
        el('h1', { id: 'apis-title' }, 'APIs'),
        el('span', { className: 'soft' }, 'numbers of the last minute'),
        el(
          'div',
          { className: 'controls' },
          el(
            'button',
            { type: 'button', className: 'main', hidden: !may.edit.apis, on: { click: () => void edit('apis') } },
            'New API',
          ),
        ),
      ),
      list,
      none,
    ),
    onEvent(event) {
      if (event === 'reload' && shown) void load()
    },
    show() {
      shown = true
      void load()
    },
    hide() {
      shown = false
    },
  }
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
          el(
            'span',
            { className: 'soft' },
            looked === 0 ? 'not used' : `${percent(hits)} of ${count(looked)} requests`,
          ),
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
      ...(api.access.length === 0 ? ['no key'] : api.access.map(accessWord)).map((word) =>
        el('span', { className: 'tag' }, word),
      ),
      ...api.versions.map((version) => el('span', { className: 'tag' }, `version ${version}`)),
      api.active ? null : el('span', { className: 'tag' }, 'inactive'),
    ),
    el(
      'dl',
      { className: 'facts' },
      fact('Requests', count(minute.requests)),
      fact('Rejected', count(minute.refused)),
      fact('Errors', count(minute.faults)),
      fact('Upstream', minute.forwarded === 0 ? '–' : milliseconds(minute.upstreamMs)),
    ),
    rows.length === 0 ? null : el('ul', {}, ...rows),
    edit === undefined
      ? null
      : el(
          'div',
          {},
          el(
            'button',
            { type: 'button', 'aria-label': `Edit API ${api.name}`, on: { click: () => void edit('apis', api.id) } },
            'Edit',
          ),
        ),
  )
}

const accessWord = (mode) =>
  ({ token: 'key', basic: 'basic authentication', hmac: 'signature', jwt: 'JWT', oauth: 'OAuth' })[mode] ?? mode

/** The state of the upstream, by its responses in the last minute. */
function health({ lastMinute: { forwarded, faults }, breakers }) {
  if (breakers.some(({ state }) => state === 'open')) return el('span', { className: 'state bad' }, 'breaker open')
  if (forwarded === 0) return el('span', { className: 'state soft' }, 'not called')
  if (faults === 0) return el('span', { className: 'state good' }, 'upstream healthy')
  return faults * 2 >= forwarded
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
