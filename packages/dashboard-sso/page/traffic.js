// Live traffic: numbers of the last minute, and each request with the phase where it ended and why.
import { button, count, el, empty, milliseconds, percent, soft, tableOf, timeOfDay } from './dom.js'
import { makeView } from './view.js'
import { legend, way } from './way.js'

const maxRows = 200

export function makeTraffic({ may, openKey, openRequest }) {
  const figures = makeFigures()
  const body = el('tbody')
  const nothing = empty(
    'No request yet',
    'Requests to the APIs of this organisation are listed here as they happen. Send one:',
    `curl -i ${location.protocol}//GATEWAY/YOUR-API/`,
  )
  const table = tableOf(
    'Requests, latest first',
    [
      ...['Time', 'Request', 'API', 'Phases', 'Outcome', 'Key'],
      el('th', { scope: 'col', className: 'number' }, 'Took'),
    ],
    body,
    'table traffic stack',
  )
  table.hidden = true
  let paused = false
  let rejectedOnly = false
  let search = ''
  const note = el('p', { className: 'soft small' })
  let unseen = 0

  const fits = (row) => {
    if (rejectedOnly && row.dataset.rejected === undefined) return false
    return search === '' || row.dataset.text.includes(search)
  }
  const sift = () => {
    for (const row of body.children) row.hidden = !fits(row)
    show()
  }
  const show = () => {
    table.hidden = body.children.length === 0
    nothing.hidden = !table.hidden
    const none = !table.hidden && [...body.children].every((row) => row.hidden)
    note.textContent = paused ? `Paused. ${count(unseen)} more since.` : none ? 'No request matches the filter.' : ''
  }

  /** A button that stays pressed. `set` receives whether it is. */
  const toggle = (text, set) => {
    let isOn = false
    const click = () => {
      isOn = !isOn
      own.setAttribute('aria-pressed', String(isOn))
      set(isOn)
    }
    const own = button(text, click, { 'aria-pressed': 'false' })
    return own
  }
  const pause = toggle('Pause', (isOn) => {
    paused = isOn
    unseen = 0
    show()
  })
  const only = toggle('Rejected only', (isOn) => {
    rejectedOnly = isOn
    sift()
  })
  const filter = el('input', {
    type: 'search',
    placeholder: 'Path, API, key or reason',
    'aria-label': 'Filter requests',
    on: {
      input: () => {
        search = filter.value.trim().toLowerCase()
        sift()
      },
    },
  })

  const rowOf = (entry) => {
    const { rejection } = entry
    const kind = rejection !== undefined ? 'rejected' : entry.status >= 500 ? 'error' : 'passed'
    const outcome = [el('b', {}, String(entry.status))]
    if (rejection !== undefined)
      outcome.push(el('span', { className: 'stage' }, rejection.stage || 'gateway'), rejection.reason)
    else if (entry.cache === 'hit') outcome.push(soft(' from the cache'))
    else if (entry.status >= 500) outcome.push(soft(' from the upstream'))
    const key =
      entry.key === ''
        ? soft('–')
        : may.keys
          ? button(entry.key.slice(0, 10), () => openKey(entry.key), {
              className: 'text mono',
              title: 'Limits of this key',
            })
          : el('span', { className: 'mono' }, entry.key.slice(0, 10))
    const row = el(
      'tr',
      { className: `${kind} fresh` },
      el('td', { className: 'soft small' }, timeOfDay(entry.at)),
      el('td', {}, el('span', { className: 'method' }, entry.method), pathOf(entry, openRequest)),
      el('td', {}, entry.api),
      el('td', {}, way(entry)),
      el('td', { className: 'outcome' }, ...outcome),
      el('td', { 'data-label': 'key' }, key),
      el('td', { className: 'number', 'data-label': 'took' }, milliseconds(entry.ms)),
    )
    row.dataset.text = [
      entry.method,
      entry.path,
      entry.api,
      entry.key,
      entry.status,
      rejection?.stage,
      rejection?.reason,
    ]
      .join(' ')
      .toLowerCase()
    if (rejection !== undefined) row.dataset.rejected = rejection.code
    if (entry.id !== '') {
      row.dataset.id = entry.id
      row.addEventListener('click', ({ target }) => {
        if (target.closest('button') === null) void openRequest(entry.id)
      })
    }
    row.hidden = !fits(row)
    return row
  }

  return makeView({
    name: 'traffic',
    title: 'Traffic',
    note: 'the last minute',
    controls: [note, filter, only, pause],
    content: [figures.element, el('div', { className: 'card' }, table, nothing, legend())],
    onEvent(event, data) {
      if (event === 'numbers') figures.show(data)
      if (event !== 'traffic') return
      if (paused) unseen += data.rows.length + data.skipped
      else {
        body.prepend(...data.rows.map(rowOf).reverse())
        while (body.children.length > maxRows) body.lastChild.remove()
      }
      show()
    },
  })
}

/** A button that opens the details; text if the gateway keeps none of this request. */
function pathOf({ id, path, method }, openRequest) {
  if (id === '') return el('span', { className: 'mono', title: 'The gateway keeps no details of this request' }, path)
  return button(path, () => void openRequest(id), {
    className: 'text mono path',
    'aria-label': `Details of ${method} ${path}`,
  })
}

function makeFigures() {
  const values = {}
  const figure = (name, title) => {
    values[name] = el('dd', {}, '–')
    return el('div', { className: 'card figure' }, el('dt', {}, title), values[name])
  }
  const element = el(
    'dl',
    { className: 'figures' },
    figure('requests', 'Requests'),
    figure('rejected', 'Rejected'),
    figure('upstreamErrors', 'Upstream errors'),
    figure('time', 'Upstream time'),
    figure('cache', 'Cache hits'),
  )
  const set = (name, value, more = '') => values[name].replaceChildren(value, el('small', {}, more))
  return {
    element,
    show(minute) {
      const looked = minute.cacheHits + minute.cacheMisses
      set('requests', count(minute.requests))
      set(
        'rejected',
        count(minute.rejected),
        minute.requests === 0 ? '' : ` ${percent(minute.rejected / minute.requests)}`,
      )
      set(
        'upstreamErrors',
        count(minute.upstreamErrors),
        minute.forwarded === 0 ? '' : ` of ${count(minute.forwarded)}`,
      )
      set(
        'time',
        minute.forwarded === 0 ? '–' : milliseconds(minute.upstreamMs),
        minute.forwarded === 0 ? '' : ' on average',
      )
      set('cache', looked === 0 ? '–' : percent(minute.cacheHits / looked), looked === 0 ? '' : ` of ${count(looked)}`)
    },
  }
}
