// Live traffic: numbers of the last minute, and each request with the phase where it ended and why.
import { button, cell, count, el, empty, milliseconds, percent, searchField, soft, tableOf, timeOfDay } from './dom.js'
import { makeView } from './view.js'
import { legend, way } from './way.js'

const maxRows = 200

export function makeTraffic(context) {
  const figures = makeFigures()
  const body = el('tbody')
  const table = requestTable(body)
  const nothing = empty(
    'No request yet',
    'Requests to the APIs of this organisation are listed here as they happen. Send one:',
    `curl -i ${location.protocol}//GATEWAY/YOUR-API/`,
  )
  const note = el('p', { className: 'soft small' })
  let paused = false
  let rejectedOnly = false
  let search = ''
  let unseen = 0

  const fits = ({ dataset }) =>
    (!rejectedOnly || dataset.rejected !== undefined) && (search === '' || dataset.text.includes(search))
  const show = () => {
    table.hidden = body.children.length === 0
    nothing.hidden = !table.hidden
    const none = !table.hidden && [...body.children].every((row) => row.hidden)
    note.textContent = paused ? `Paused. ${count(unseen)} more since.` : none ? 'No request matches the filter.' : ''
  }
  const sift = () => {
    for (const row of body.children) row.hidden = !fits(row)
    show()
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
  const filter = searchField('Path, API, key or reason', 'Filter requests', (text) => {
    search = text.toLowerCase()
    sift()
  })

  return makeView({
    name: 'traffic',
    title: 'Traffic',
    note: 'the last minute',
    controls: [note, filter, only, pause],
    content: [figures.element, el('div', { className: 'card' }, table, nothing, legend())],
    onEvent(event, data) {
      if (event === 'numbers') figures.show(data)
      if (event !== 'traffic') return
      if (paused) {
        unseen += data.rows.length + data.skipped
        show()
      } else {
        body.prepend(...data.rows.map((entry) => rowOf(entry, context)).reverse())
        while (body.children.length > maxRows) body.lastChild.remove()
        sift()
      }
    },
  })
}

function requestTable(body) {
  const names = ['Time', 'Request', 'API', 'Phases', 'Outcome', 'Key']
  const took = el('th', { scope: 'col', className: 'number' }, 'Took')
  const table = tableOf('Requests, latest first', [...names, took], body, 'table traffic stack')
  table.hidden = true
  return table
}

/** A button that stays pressed. `set` receives whether it is. */
function toggle(text, set) {
  let isOn = false
  const click = () => {
    isOn = !isOn
    own.setAttribute('aria-pressed', String(isOn))
    set(isOn)
  }
  const own = button(text, click, { 'aria-pressed': 'false' })
  return own
}

function rowOf(entry, { may, openKey, openRequest }) {
  const { id, rejection, status } = entry
  const kind = rejection !== undefined ? 'rejected' : status >= 500 ? 'error' : 'passed'
  const row = el(
    'tr',
    { className: `${kind} fresh` },
    el('td', { className: 'soft small' }, timeOfDay(entry.at)),
    el('td', {}, el('span', { className: 'method' }, entry.method), pathOf(entry, openRequest)),
    el('td', {}, entry.api),
    el('td', {}, way(entry)),
    el('td', { className: 'outcome' }, el('b', {}, String(status)), ...outcomeOf(entry)),
    cell('key', keyOf(entry, may.keys ? openKey : undefined)),
    el('td', { className: 'number', 'data-label': 'took' }, milliseconds(entry.ms)),
  )
  const texts = [entry.method, entry.path, entry.api, entry.key, status, rejection?.stage, rejection?.reason]
  row.dataset.text = texts.join(' ').toLowerCase()
  if (rejection !== undefined) row.dataset.rejected = rejection.code
  if (id !== '') {
    row.dataset.id = id
    row.addEventListener('click', ({ target }) => {
      if (target.closest('button') === null) void openRequest(id)
    })
  }
  return row
}

function outcomeOf({ rejection, cache, status }) {
  if (rejection !== undefined)
    return [el('span', { className: 'stage' }, rejection.stage || 'gateway'), rejection.reason]
  if (cache === 'hit') return [soft(' from the cache')]
  return status >= 500 ? [soft(' from the upstream')] : []
}

/** A button that shows the limits of the key; text if the user may not see keys. */
function keyOf({ key }, openKey) {
  if (key === '') return soft('–')
  const text = key.slice(0, 10)
  if (openKey === undefined) return el('span', { className: 'mono' }, text)
  return button(text, () => openKey(key), { className: 'text mono', title: 'Limits of this key' })
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
