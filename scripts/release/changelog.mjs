// CHANGELOG.md: one section for each release with its date, above them the section Unreleased; in each the groups Added,
// Changed, Fixed and Security. Entries come from changesets, and from people who write them into Unreleased.

export const groups = ['Added', 'Changed', 'Fixed', 'Security']
const unreleased = '## Unreleased'

/**
 * Reads the entries of a changeset. Each begins on a line of its own with its group: `Fixed: the banner prints the port`.
 * Returns entries of `{ group, text }`, or a `problem` text.
 */
export function readEntries(summary) {
  const parts = summary.trim().split(/\n(?=[A-Z]\w*: )/)
  const entries = parts.map((part) => /^([A-Z]\w*): ([\s\S]+)$/.exec(part.trim()))
  if (entries.some((entry) => entry === null || !groups.includes(entry[1]))) {
    return { problem: `each entry begins with ${groups.map((group) => `"${group}: "`).join(', ')}` }
  }
  return { entries: entries.map(([, group, text]) => ({ group, text: text.replace(/\s*\n\s*/g, ' ').trim() })) }
}

/** Splits the text into what is above Unreleased, its groups by name, and the releases. Throws if Unreleased is missing. */
export function parseChangelog(text) {
  const start = text.indexOf(`${unreleased}\n`)
  if (start < 0) throw new Error(`CHANGELOG.md has no section "${unreleased}"`)
  const end = text.indexOf('\n## ', start)
  const section = text.slice(start + unreleased.length, end < 0 ? undefined : end)
  const found = new Map()
  for (const part of section.split(/^### /m).slice(1)) {
    const [name, ...lines] = part.split('\n')
    found.set(name.trim(), lines.join('\n').trim())
  }
  return { head: text.slice(0, start), groups: found, releases: end < 0 ? '' : text.slice(end + 1) }
}

/** Version and date of each release, newest first. */
export function releasesOf(text) {
  return [...text.matchAll(/^## (\d\S*) - (\d{4}-\d{2}-\d{2})$/gm)].map(([, version, date]) => ({ version, date }))
}

/** The smallest version step for these groups: additions and changes are minor, others are patches. */
export function bumpOf(names) {
  return names.includes('Added') || names.includes('Changed') ? 'minor' : 'patch'
}

/** Returns the text with a release made of Unreleased and the entries of the changesets, and an empty Unreleased above it. */
export function releaseChangelog(text, { entries, version, date }) {
  const { head, groups: written, releases } = parseChangelog(text)
  const sections = groups.flatMap((group) => {
    const lines = entries.filter((entry) => entry.group === group).map((entry) => `- ${entry.text}`)
    const body = [...lines, ...(written.has(group) ? [written.get(group)] : [])].join('\n')
    return body === '' ? [] : [`### ${group}\n${body}\n`]
  })
  const release = `## ${version} - ${date}\n\n${sections.join('\n')}`
  return `${head}${unreleased}\n\n${release}${releases === '' ? '' : `\n${releases}`}`
}
