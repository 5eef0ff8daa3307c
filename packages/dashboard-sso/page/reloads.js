// The last reload: what changed, and what could not be loaded.
import { change, read } from './data.js'
import { button, dateAndTime, el, empty, milliseconds, several, soft } from './dom.js'
import { makeView } from './view.js'

export function makeReloads({ notify, may }) {
  const card = el('div', { className: 'card' })
  const start = button('Reload now', () => void reload(), { className: 'main', hidden: !may.reload })

  const draw = (report) =>
    card.replaceChildren(
      report === null
        ? empty('No reload yet', 'Definitions and policies are read when the gateway starts, and at each reload.')
        : reportOf(report),
    )
  const load = async () => {
    try {
      draw(await read('/reload'))
    } catch (error) {
      notify(error.message)
    }
  }
  const reload = async () => {
    start.disabled = true
    notify('Reloading…')
    try {
      const report = await change('/reload')
      draw(report)
      notify(summary(report))
    } catch (error) {
      notify(error.message)
    } finally {
      start.disabled = false
    }
  }
  return makeView({
    name: 'reloads',
    title: 'Reloads',
    controls: [start],
    content: [card],
    load,
    onEvent(event, data) {
      if (event !== 'reload') return
      draw(data)
      notify(summary(data))
    },
    reload,
  })
}

function summary({ loaded, changed, removed, failed, dropped, policiesProblem, durationMs }) {
  if (dropped !== undefined) return `Nothing was changed: ${dropped}`
  const wrong =
    failed.length > 0
      ? `, ${several(failed.length, 'definition')} could not be loaded`
      : policiesProblem !== undefined
        ? ', policies cannot be read'
        : ''
  return `Reloaded in ${milliseconds(durationMs)}: ${several(loaded, 'API')}, ${changed.length} changed, ${removed.length} removed${wrong}`
}

function reportOf(report) {
  const part = (title, items) =>
    items.length === 0 ? null : el('div', {}, el('h2', {}, title), el('ul', {}, ...items))
  const bad = report.failed.length > 0 || report.dropped !== undefined || report.policiesProblem !== undefined
  const place = ({ line, column }) =>
    line === undefined ? '' : `, line ${line}${column === undefined ? '' : `, column ${column}`}`
  return el(
    'div',
    { className: 'report' },
    el(
      'p',
      {},
      el('span', { className: `state ${bad ? 'bad' : 'good'}` }, bad ? 'With problems' : 'Loaded completely'),
      soft(` at ${dateAndTime(report.startedAt)}`),
    ),
    el('p', {}, `${summary(report)}.`, report.policies === undefined ? '' : ` ${several(report.policies, 'policy')}.`),
    report.policiesProblem === undefined ? null : el('p', { className: 'state bad' }, report.policiesProblem),
    part(
      'Could not be loaded',
      report.failed.map((one) =>
        el(
          'li',
          {},
          el('code', {}, one.source),
          `${place(one)}: ${one.reason}`,
          one.keptOld ? ' (its last good version stays in service)' : '',
        ),
      ),
    ),
    part(
      'Listen paths that were changed because of conflicts',
      report.renamed.map(({ apiId, from, to }) =>
        el('li', {}, `${apiId}: `, el('code', {}, from), ' is now ', el('code', {}, to)),
      ),
    ),
    part(
      'Changed',
      report.changed.map((source) => el('li', {}, el('code', {}, source))),
    ),
    part(
      'Removed',
      report.removed.map((source) => el('li', {}, el('code', {}, source))),
    ),
  )
}
