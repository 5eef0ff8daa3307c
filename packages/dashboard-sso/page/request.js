// The details of one request in a dialog: why it got its response, stages with times, limits, headers, and "run again".
import { change, read } from './data.js'
import {
  allowance,
  button,
  cell,
  count,
  dateAndTime,
  duration,
  el,
  makeDialog,
  milliseconds,
  row,
  tableOf,
} from './dom.js'

export function makeRequestDialog({ notify }) {
  const { element, show } = makeDialog('request')
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close()
  })

  return {
    element,
    async open(id) {
      try {
        const request = await read(`/requests/${encodeURIComponent(id)}`)
        show(`${request.method} ${request.target}`, ...partsOf(request))
        element.scrollTop = 0
      } catch (error) {
        notify(error.message)
      }
    },
  }
}

function partsOf(request) {
  return [
    facts(request),
    part('Why', el('ul', { className: 'why' }, ...request.why.map((sentence) => el('li', {}, sentence)))),
    request.limits.length === 0 ? null : part('Limits', limitTable(request.limits, request.at)),
    request.stages.length === 0 ? null : part('Stages', stageTable(request.stages)),
    runAgain(request),
    part('Request headers', headerTable(request.requestHeaders, 'Request headers')),
    part('Response headers', headerTable(request.responseHeaders, 'Response headers')),
  ].filter((one) => one !== null)
}

const part = (title, ...children) => el('section', { className: 'part' }, el('h3', {}, title), ...children)

function facts(request) {
  const fact = (name, value) => (value === '' ? null : el('div', {}, el('dt', {}, name), el('dd', {}, value)))
  const isBad = request.status >= 400
  return el(
    'dl',
    { className: 'details' },
    fact('Status', el('span', { className: `state ${isBad ? 'bad' : 'good'}` }, String(request.status))),
    fact('Time', dateAndTime(request.at)),
    fact('Duration', milliseconds(request.ms)),
    fact(
      'API',
      request.version === 'Default' || request.version === ''
        ? request.api
        : `${request.api}, version ${request.version}`,
    ),
    fact('Upstream', request.upstream === '' ? '' : `${request.upstream}, ${milliseconds(request.upstreamMs)}`),
    fact('Cache', request.cache),
    fact('Client', request.client),
    fact('Key', request.key === '' ? '' : el('code', {}, request.key.slice(0, 12))),
  )
}

const table = (caption, columns, rows) =>
  el('div', { className: 'scroll' }, tableOf(caption, columns, el('tbody', {}, ...rows)))

const owners = { key: 'key', organisation: 'organisation', api: 'API' }

function limitTable(limits, at) {
  const rows = limits.map((limit) =>
    el(
      'tr',
      { className: limit.allowed ? '' : 'rejected' },
      el(
        'td',
        {},
        `${limit.kind === 'rate' ? 'Rate' : 'Quota'} of the ${owners[limit.owner]}`,
        limit.endpoint === '' ? null : el('code', {}, ` ${limit.endpoint}`),
      ),
      cell('limit', allowance(limit.max, limit.seconds)),
      cell('left before', count(limit.before)),
      cell('left after', limit.allowed ? count(limit.after) : `${count(limit.after)}, exceeded`),
      cell('resets', resetText(limit.resetsAt, at)),
    ),
  )
  return table('Limits before and after the request', ['Limit', 'Allows', 'Left before', 'Left after', 'Resets'], rows)
}

const resetText = (resetsAt, at) =>
  resetsAt === undefined ? '–' : `${duration(Math.max(0, Math.ceil((resetsAt - at) / 1000)))} later`

const time = (micros) => (micros < 1000 ? `${Math.round(micros)} µs` : milliseconds(micros / 1000))

function stageTable(stages) {
  const longest = Math.max(1, ...stages.map(({ micros }) => micros))
  const rows = stages.map(({ stage, phase, verdict, micros, notes }) => {
    const share = el('span', { className: 'share', 'aria-hidden': 'true' }, el('span', { className: 'share-fill' }))
    share.firstChild.style.width = `${Math.max(1, Math.round((micros / longest) * 100))}%`
    const stopped = verdict.startsWith('rejects') || verdict === 'fails'
    return el(
      'tr',
      { className: stopped ? 'rejected' : '' },
      el('td', {}, el('code', {}, stage), el('div', { className: 'soft small' }, phase)),
      el('td', { className: 'number', 'data-label': 'time' }, time(micros), share),
      el(
        'td',
        {},
        verdict,
        notes.length === 0 ? null : el('ul', { className: 'notes' }, ...notes.map((note) => el('li', {}, note))),
      ),
    )
  })
  return table('Stages with their times', ['Stage', 'Time', 'Result'], rows)
}

function headerTable(headers, caption) {
  if (headers.length === 0) return el('p', { className: 'soft' }, 'None.')
  const rows = headers.map(({ name, value }) =>
    row(...[name, value].map((text) => el('td', { className: 'mono' }, text))),
  )
  return table(caption, ['Name', 'Value'], rows)
}

function runAgain({ id }) {
  const result = el('div', { role: 'status' })
  const run = async () => {
    start.disabled = true
    try {
      const again = await change(`/requests/${encodeURIComponent(id)}/explain`)
      result.replaceChildren(
        el(
          'p',
          {},
          el('b', {}, `${again.status}`),
          ' is the response now. Nothing was counted, and no upstream was called.',
        ),
        again.withoutBody ? el('p', { className: 'soft' }, 'The request ran without its body, which is not kept.') : '',
        again.why === undefined ? '' : el('p', {}, again.why),
        again.nearest.length === 0
          ? ''
          : el('p', {}, 'The nearest listen paths: ', ...again.nearest.flatMap((path) => [el('code', {}, path), ' '])),
        again.stages.length === 0 ? '' : stageTable(again.stages),
      )
    } catch (error) {
      // Below the dialog, a notice would be hidden.
      result.replaceChildren(el('p', { className: 'state bad' }, error.message))
    } finally {
      start.disabled = false
    }
  }
  const start = button('Run again', () => void run(), { className: 'main' })
  return part(
    'Run again',
    el('p', { className: 'soft' }, 'Runs the same request through the stages as a dry run.'),
    start,
    result,
  )
}
