// The last reload: what it took over, and what it could not.
import { change, read } from './data.js'
import { dateAndTime, el, empty, milliseconds, several } from './dom.js'

export function makeReloads({ tell, may }) {
  const report = el('div', { className: 'card' })
  const button = el(
    'button',
    { type: 'button', className: 'main', hidden: !may.reload, on: { click: () => void reload() } },
    'Reload now',
  )

  const draw = (told) =>
    report.replaceChildren(
      told === null
        ? empty('No reload yet', 'Definitions and policies are read when the gateway starts, and at each reload.')
        : reportOf(told),
    )
  const load = async () => {
    try {
      draw(await read('/reload'))
    } catch (error) {
      tell(error.message)
    }
  }
  const reload = async () => {
    button.disabled = true
    tell('Reloading…')
    try {
      const told = await change('/reload')
      draw(told)
      tell(summary(told))
    } catch (error) {
      tell(error.message)
    } finally {
      button.disabled = false
    }
  }
  return {
    name: 'reloads',
    title: 'Reloads',
    element: el(
      'section',
      { 'aria-labelledby': 'reloads-title' },
      el(
        'div',
        { className: 'head' },
        el('h1', { id: 'reloads-title' }, 'Reloads'),
        el('div', { className: 'controls' }, button),
      ),
      report,
    ),
    hear(event, data) {
      if (event !== 'reload') return
      draw(data)
      tell(summary(data))
    },
    show: load,
    reload,
  }
}

function summary({ loaded, changed, removed, failed, dropped, policiesProblem, durationMs }) {
  if (dropped !== undefined) return `Nothing was taken over: ${dropped}`
  const wrong =
    failed.length > 0
      ? `, ${several(failed.length, 'definition')} could not be loaded`
      : policiesProblem !== undefined
        ? ', policies cannot be read'
        : ''
  return `Reloaded in ${milliseconds(durationMs)}: ${several(loaded, 'API')}, ${changed.length} changed, ${removed.length} removed${wrong}`
}

function reportOf(told) {
  const part = (title, items) =>
    items.length === 0 ? null : el('div', {}, el('h2', {}, title), el('ul', {}, ...items))
  const bad = told.failed.length > 0 || told.dropped !== undefined || told.policiesProblem !== undefined
  const place = ({ line, column }) =>
    line === undefined ? '' : `, line ${line}${column === undefined ? '' : `, column ${column}`}`
  return el(
    'div',
    { className: 'report' },
    el(
      'p',
      {},
      el('span', { className: `state ${bad ? 'bad' : 'good'}` }, bad ? 'With problems' : 'All taken over'),
      el('span', { className: 'soft' }, ` at ${dateAndTime(told.startedAt)}`),
    ),
    el('p', {}, `${summary(told)}.`, told.policies === undefined ? '' : ` ${several(told.policies, 'policy')}.`),
    told.policiesProblem === undefined ? null : el('p', { className: 'state bad' }, told.policiesProblem),
    part(
      'Could not be loaded',
      told.failed.map((one) =>
        el(
          'li',
          {},
          el('code', {}, one.source),
          `${place(one)}: ${one.reason}`,
          one.keptOld ? ' (its last good version goes on serving)' : '',
        ),
      ),
    ),
    part(
      'Moved out of each other’s way',
      told.renamed.map(({ apiId, from, to }) =>
        el('li', {}, `${apiId}: `, el('code', {}, from), ' is now ', el('code', {}, to)),
      ),
    ),
    part(
      'Changed',
      told.changed.map((source) => el('li', {}, el('code', {}, source))),
    ),
    part(
      'Removed',
      told.removed.map((source) => el('li', {}, el('code', {}, source))),
    ),
  )
}
