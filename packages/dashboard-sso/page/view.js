// The frame of a view: its title, its controls, and the calls that keep it current.
import { read, repeat } from './data.js'
import { el, soft } from './dom.js'

/**
 * A view behind the tab `title`. `note` is beside the title. `load` reads and draws: when the view is shown, after each
 * reload of the gateway if `afterReload` is set, and every `everyMs`. `more`: further members of the view.
 */
export function makeView({ name, title, note, controls = [], content, load, everyMs, afterReload = false, ...more }) {
  let shown = false
  if (everyMs !== undefined) repeat(load, everyMs, () => shown)
  return {
    name,
    title,
    element: el(
      'section',
      { 'aria-labelledby': `${name}-title` },
      el(
        'div',
        { className: 'head' },
        el('h1', { id: `${name}-title` }, title),
        note === undefined ? null : soft(note),
        controls.length === 0 ? null : el('div', { className: 'controls' }, ...controls),
      ),
      ...content,
    ),
    isShown: () => shown,
    onEvent(event) {
      if (event === 'reload' && afterReload && shown) void load()
    },
    show() {
      shown = true
      void load?.()
    },
    hide() {
      shown = false
    },
    ...more,
  }
}

/** Reads `path` and calls `draw` if the response differs from the last one. `notify` shows errors. */
export function loader(path, draw, notify) {
  let lastText = ''
  return async () => {
    try {
      const found = await read(path)
      const text = JSON.stringify(found)
      if (text === lastText) return
      lastText = text
      draw(found)
    } catch (error) {
      notify(error.message)
    }
  }
}
