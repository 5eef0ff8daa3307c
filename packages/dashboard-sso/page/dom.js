// Elements without markup in texts, and numbers as people read them. Nothing here ever parses HTML.

/** An element with properties (attributes where the name has a dash or is `role`) and children; `null` is left out. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue
    if (name === 'on') for (const [event, heard] of Object.entries(value)) element.addEventListener(event, heard)
    else if (name.includes('-') || name === 'role') element.setAttribute(name, value)
    else element[name] = value
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined))
  return element
}

/** A button that does nothing but call `click`. */
export const button = (text, click, properties = {}) =>
  el('button', { type: 'button', on: { click }, ...properties }, text)

/** A field that calls `changed` with its text, without blanks around it. */
export function searchField(placeholder, label, changed) {
  const input = () => changed(field.value.trim())
  const field = el('input', { type: 'search', placeholder, 'aria-label': label, on: { input } })
  return field
}

/** Text that matters less. */
export const soft = (text) => el('span', { className: 'soft' }, text)

/** One tag for each text; `none` without any. */
export const tags = (texts, none) =>
  texts.length === 0 ? soft(none) : texts.map((text) => el('span', { className: 'tag' }, text))

/** A table; screen readers announce the caption. `columns` are names or header cells. */
export function tableOf(caption, columns, body, className = 'table stack') {
  const headers = columns.map((column) => (typeof column === 'string' ? el('th', { scope: 'col' }, column) : column))
  return el(
    'table',
    { className },
    el('caption', { className: 'visually-hidden' }, caption),
    el('thead', {}, el('tr', {}, ...headers)),
    body,
  )
}

/** A row of a table with these cells. */
export const row = (...cells) => el('tr', {}, ...cells)

/** A cell. `label` names its column where the table is too narrow for a head. */
export const cell = (label, ...content) => el('td', { 'data-label': label }, ...content)

/** A dialog with a title and a button that closes it. `name` is the prefix of ids. */
export function makeDialog(name) {
  const title = el('h2', { id: `${name}-title`, tabIndex: -1 })
  const content = el('div', { className: 'sheet-content' })
  const close = button('Close', () => element.close())
  const element = el(
    'dialog',
    { className: 'sheet', 'aria-labelledby': `${name}-title` },
    el('header', { className: 'head' }, title, el('div', { className: 'controls' }, close)),
    content,
  )
  /** Shows the parts, and moves the focus to the title. */
  const show = (text, ...parts) => {
    title.textContent = text
    content.replaceChildren(...parts)
    if (!element.open) element.showModal()
    title.focus()
  }
  return { element, content, show }
}

/** What there is to say where nothing is shown, and what to do about it. */
export function empty(title, text, command) {
  return el(
    'div',
    { className: 'empty' },
    el('strong', {}, title),
    el('p', {}, text),
    command === undefined ? null : el('pre', {}, command),
  )
}

/** A bar of `share` (0 to 1). `label` is what it says to who cannot see it; absent: the text beside it says it all. */
export function bar(share, kind = '') {
  const fill = el('span')
  const element = el('div', { className: `bar ${kind}` }, fill)
  const set = (value) => {
    fill.style.transform = `scaleX(${Math.min(1, Math.max(0, value))})`
  }
  set(share)
  return { element, set }
}

const whole = new Intl.NumberFormat('en')
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export const count = (value) => whole.format(Math.round(value * 100) / 100)
export const timeOfDay = (at) => clock.format(at)
export const dateAndTime = (at) => moment.format(at)
export const percent = (share) => `${Math.round(share * 100)} %`
export const milliseconds = (ms) => `${ms < 10 ? Math.round(ms * 10) / 10 : count(Math.round(ms))} ms`
export const several = (number, word) =>
  `${count(number)} ${number === 1 ? word : word === 'policy' ? 'policies' : `${word}s`}`

/** `10 s`, `5 min`, `2 h`, `3 days`: the largest unit that says it without a fraction, else with one. */
export function duration(seconds) {
  for (const [unit, size] of [
    ['days', 86400],
    ['h', 3600],
    ['min', 60],
  ]) {
    if (seconds >= size)
      return `${Math.round((seconds / size) * 10) / 10} ${unit === 'days' && seconds === size ? 'day' : unit}`
  }
  return `${Math.round(seconds * 10) / 10} s`
}

/** `10 in 5 min`; without a period `10`. */
export const allowance = (max, seconds) => `${count(max)}${seconds > 0 ? ` in ${duration(seconds)}` : ''}`
