#!/usr/bin/env node
// Checks the changesets and CHANGELOG.md: entries have a group that users know, releases are dated and descend.
import readChangesets from '@changesets/read'
import { manifestOf, publishedPackages } from '../pack.mjs'
import { groups, parseChangelog, readEntries, releasesOf } from '../release/changelog.mjs'
import { read, report, root } from './_files.mjs'

const problems = []
const names = new Set(publishedPackages().map((name) => manifestOf(name).name))
for (const { id, summary, releases } of await readChangesets(root)) {
  const { problem } = readEntries(summary)
  if (problem !== undefined) problems.push(`.changeset/${id}.md: ${problem}`)
  for (const { name } of releases) if (!names.has(name)) problems.push(`.changeset/${id}.md: no package ${name}`)
}
const text = read('CHANGELOG.md')
for (const group of parseChangelog(text).groups.keys()) {
  if (!groups.includes(group))
    problems.push(`CHANGELOG.md: Unreleased has ${group}; the groups are ${groups.join(', ')}`)
}
const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
const releases = releasesOf(text)
if (headings[0] !== 'Unreleased' || headings.length !== releases.length + 1) {
  problems.push('CHANGELOG.md: the sections are "Unreleased" and releases such as "1.2.0 - 2026-11-23"')
}
const dates = releases.map(({ date }) => date)
if (dates.some((date, i) => i > 0 && date > dates[i - 1]))
  problems.push('CHANGELOG.md: the newest release is not first')
report('changesets', problems)
