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
