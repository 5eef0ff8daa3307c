// Charts over the last hour, drawn as SVG, each with a table of the same numbers.
import { count, el, empty, milliseconds, tableOf, timeOfDay } from './dom.js'
import { loader, makeView } from './view.js'

const namespace = 'http://www.w3.org/2000/svg'
const [width, height] = [720, 200]
const [left, right, top, bottom] = [56, 8, 12, 24]
const plot = { width: width - left - right, height: height - top - bottom }
/** Colours and patterns of series; more stages than these are summed as "other". */
const maxSeries = 6

export function makeCharts({ notify }) {
  const body = el('div', { className: 'charts' })
  const draw = ({ minutes }) => {
    const wasOpen = [...body.querySelectorAll('details')].map(({ open }) => open)
    body.replaceChildren(...drawAll(minutes))
    for (const [i, details] of [...body.querySelectorAll('details')].entries()) details.open = wasOpen[i] === true
  }
  return makeView({
    name: 'charts',
    title: 'Charts',
    note: 'the last hour, per minute',
    content: [body],
    load: loader('/history', draw, notify),
    everyMs: 5000,
  })
}

function drawAll(minutes) {
  if (minutes.every(({ requests }) => requests === 0))
    return [
      el('div', { className: 'card' }, empty('No request in the last hour', 'The charts start with the next request.')),
    ]
  const stages = stagesOf(minutes)
  return [
    figure({
      title: 'Requests per minute',
      minutes,
      series: [{ name: 'requests', values: minutes.map(({ requests }) => requests) }],
      kind: 'bars',
      format: count,
    }),
    figure({
      title: 'Rejections per minute, by stage',
      minutes,
      series: stages,
      kind: 'bars',
      format: count,
      none: 'No request was rejected in the last hour.',
    }),
    figure({
      title: 'Duration until the response',
      minutes,
      series: [
        { name: 'median', values: minutes.map(({ p50 }) => p50) },
        { name: '95 %', values: minutes.map(({ p95 }) => p95) },
        { name: '99 %', values: minutes.map(({ p99 }) => p99) },
      ],
      kind: 'lines',
      format: milliseconds,
    }),
  ]
}

/** One series per stage, the most frequent first; the rest together. */
function stagesOf(minutes) {
  const totals = new Map()
  for (const { rejections } of minutes)
    for (const [stage, number] of Object.entries(rejections)) totals.set(stage, (totals.get(stage) ?? 0) + number)
  const names = [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  const own = names.length > maxSeries ? names.slice(0, maxSeries - 1) : names
  const series = own.map((name) => ({ name, values: minutes.map(({ rejections }) => rejections[name] ?? 0) }))
  if (own.length < names.length) {
    const others = names.slice(own.length)
    const values = minutes.map(({ rejections }) => others.reduce((sum, name) => sum + (rejections[name] ?? 0), 0))
    series.push({ name: 'other stages', values })
  }
  return series
}

function figure({ title, minutes, series, kind, format, none }) {
  const card = el('figure', { className: 'card chart' }, el('figcaption', {}, el('h2', {}, title)))
  if (series.length === 0) {
    card.append(el('p', { className: 'soft' }, none))
    return card
  }
  const names = series.map(({ name }, i) => el('li', {}, el('span', { className: `swatch series-${i}` }), name))
  if (series.length > 1) card.append(el('ul', { className: 'keys' }, ...names))
  card.append(drawing({ title, minutes, series, kind, format }), numbers({ title, minutes, series, format }))
  return card
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(namespace, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}

function drawing({ title, minutes, series, kind, format }) {
  const totals = minutes.map((_, i) => series.reduce((sum, { values }) => sum + values[i], 0))
  const highest = kind === 'bars' ? Math.max(...totals) : Math.max(...series.flatMap(({ values }) => values))
  const max = niceMax(highest)
  const x = (i) => left + (i * plot.width) / minutes.length
  const y = (value) => top + plot.height - (value / max) * plot.height
  const peak = kind === 'bars' ? `at most ${format(highest)} in a minute` : `at most ${format(highest)}`
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}: ${peak}` },
    ...grid(max, y, format),
    ...timeLabels(minutes, x),
    ...(kind === 'bars' ? bars(minutes, series, x, y) : lines(minutes, series, x, y)),
  )
}

/** 1, 2 or 5 times a power of ten, so that the labels are round. */
function niceMax(value) {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value
}

function grid(max, y, format) {
  return [0, max / 2, max].flatMap((value) => [
    svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }),
    svg('text', { class: 'axis', x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, format(value)),
  ])
}

function timeLabels(minutes, x) {
  return [0, 15, 30, 45].map((i) =>
    svg('text', { class: 'axis', x: x(i), y: height - 6 }, timeOfDay(minutes[i].at).slice(0, 5)),
  )
}

function bars(minutes, series, x, y) {
  const barWidth = Math.max(1, plot.width / minutes.length - 2)
  return minutes.flatMap((_, i) => {
    let below = 0
    return series.flatMap(({ values }, at) => {
      const value = values[i]
      if (value === 0) return []
      const [from, to] = [y(below), y(below + value)]
      below += value
      return [svg('rect', { class: `series-${at}`, x: x(i), y: to, width: barWidth, height: Math.max(1, from - to) })]
    })
  })
}

/** A line breaks where a minute had no request. */
function lines(minutes, series, x, y) {
  const middle = plot.width / minutes.length / 2
  return series.flatMap(({ values }, at) => {
    const marks = []
    let path = ''
    for (const [i, { requests }] of minutes.entries()) {
      if (requests === 0) {
        path += ' '
        continue
      }
      const point = `${x(i) + middle} ${y(values[i])}`
      const continues = i > 0 && minutes[i - 1].requests > 0
      path += `${continues ? 'L' : 'M'}${point}`
      marks.push(svg('circle', { class: `dot series-${at}`, cx: x(i) + middle, cy: y(values[i]), r: 2.5 }))
    }
    return [svg('path', { class: `line series-${at}`, d: path.trim() }), ...marks]
  })
}

/** The same numbers as text, of minutes with requests, the latest first. */
function numbers({ title, minutes, series, format }) {
  const rows = minutes.flatMap((minute, i) =>
    minute.requests === 0
      ? []
      : [
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, timeOfDay(minute.at).slice(0, 5)),
            ...series.map(({ values }) => el('td', { className: 'number' }, format(values[i]))),
          ),
        ],
  )
  const columns = ['Minute', ...series.map(({ name }) => name)]
  return el(
    'details',
    {},
    el('summary', {}, 'Numbers'),
    el(
      'div',
      { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `${title}, numbers` },
      tableOf(title, columns, el('tbody', {}, ...rows.reverse()), 'table'),
    ),
  )
}
