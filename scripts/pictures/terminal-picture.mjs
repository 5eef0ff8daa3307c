// Lines of a terminal as an SVG, which is sharp at every size and needs no browser to be drawn.

const style = { fontSize: 13, charWidth: 7.8, lineHeight: 19, padding: 20, barHeight: 30 }
const colours = {
  background: '#15181e',
  bar: '#22262e',
  text: '#d5dae3',
  dim: '#8d97a8',
  command: '#ffffff',
  prompt: '#7fb3ff',
  good: '#7fd18b',
  bad: '#ff8a80',
}

/** `lines` have a text and a kind: `command` (with a prompt), `continued`, `output`. `title` is for screen readers. */
export function terminalPicture(lines, title) {
  const { charWidth, lineHeight, padding, barHeight, fontSize } = style
  const longest = Math.max(...lines.map(({ text, kind }) => text.length + (kind === 'output' ? 0 : 2)))
  const width = Math.ceil(longest * charWidth + 2 * padding)
  const height = lines.length * lineHeight + 2 * padding + barHeight
  const rows = lines.map((line, i) => {
    const y = barHeight + padding + (i + 0.75) * lineHeight
    return `<text x="${padding}" y="${y}" xml:space="preserve">${spansOf(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escapeXml(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${colours.background}"/>
<path d="M0 ${barHeight}V8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v${barHeight - 8}z" fill="${colours.bar}"/>
${[0, 1, 2].map((i) => `<circle cx="${padding + i * 18}" cy="${barHeight / 2}" r="5" fill="#4a5160"/>`).join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="${colours.text}">
${rows.join('\n')}
</g>
</svg>
`
}

function spansOf({ text, kind }) {
  if (kind === 'command') return span('$ ', colours.prompt) + span(text, colours.command)
  if (kind === 'continued') return span(`  ${text}`, colours.command)
  // Statuses, and the results of stages.
  if (/^(\d{3} ?)+$/.test(text))
    return text
      .split(' ')
      .map((status) => span(`${status} `, statusColour(status)))
      .join('')
  const verdict = /^(.*?)(passes|rejects: .*|response: [45].*)$/.exec(text)
  if (verdict !== null)
    return span(verdict[1], colours.text) + span(verdict[2], verdict[2] === 'passes' ? colours.good : colours.bad)
  if (text.startsWith('why: ')) return span(text, colours.prompt)
  return /^ {20}/.test(text) ? span(text, colours.dim) : span(text, colours.text)
}

const statusColour = (status) => (status < '400' ? colours.good : colours.bad)
const span = (text, colour) => (text === '' ? '' : `<tspan fill="${colour}">${escapeXml(text)}</tspan>`)
const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
