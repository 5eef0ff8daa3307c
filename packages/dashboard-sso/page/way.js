// The phases of a request as marks: filled up to the phase where it ended.
import { el } from './dom.js'

const phases = ['1-accept', '2-identify', '3-admit', '4-shape-request', '5-respond', '6-shape-response']
const words = ['accepted', 'identified', 'admitted', 'changed for the upstream', 'responded', 'changed for the client']

export function way({ rejection, cache, status }) {
  const isError = rejection === undefined && status >= 500
  const at = rejection === undefined ? phases.length : Math.max(0, phases.indexOf(rejection.phase))
  const gates = phases.map((_, i) => {
    if (isError && phases[i] === '5-respond') return el('i', { className: 'error' })
    if (i < at) return el('i', { className: cache === 'hit' && i >= 4 ? 'stored' : 'open' })
    return el('i', { className: i === at ? 'shut' : '' })
  })
  const says = rejection === undefined ? wentThrough(cache, isError) : `rejected before it was ${words[at]}`
  return el('span', { className: 'way', role: 'img', 'aria-label': says, title: says }, gates)
}

function wentThrough(cache, isError) {
  if (cache === 'hit') return 'response from the cache'
  return isError ? 'passed; the upstream failed' : 'passed'
}

export function legend() {
  const sample = (text, shown) => el('span', {}, way(shown), ` ${text}`)
  return el(
    'p',
    { className: 'legend' },
    sample('passed all phases', {}),
    sample('response from the cache', { cache: 'hit' }),
    sample('rejected in a phase: here the third, which checks limits', { rejection: { phase: '3-admit' } }),
  )
}
