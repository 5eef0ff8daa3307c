#!/usr/bin/env node
// Checks that no pattern in the sources is an unanchored repetition before `$`, such as /\s+$/. Such a pattern takes quadratic
// time: for a text with n spaces in its middle, it tries n starts with up to n steps each. /(?<!\s)\s+$/ starts only where a
// run begins, so it is linear; `trimSpaces` of packages/core/src/http/trim-spaces.ts trims header values by index.
import { projectFiles, read, report } from './_files.mjs'

const literal =
  /(?:^|[(,=:[!&|?{};\s])\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/[dgimsuvy]*/g

/** Splits a pattern at `|` outside of groups and classes. */
function alternativesOf(pattern) {
  const parts = ['']
  let depth = 0
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gs)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === '|' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

const isQuadratic = (part) =>
  /^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[(^])(?:[+*]|\{\d+,\})/.test(part) && /(?:[^\\][+*]|\{\d+,\})\??\$$/.test(part)

const problems = []
for (const file of projectFiles()) {
  if (!/^packages\/[^/]+\/src\/.*\.ts$/.test(file) || /\.test\.ts$|\/generated\//.test(file)) continue
  read(file)
    .split('\n')
    .forEach((line, i) => {
      if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return
      for (const [, pattern] of line.matchAll(literal))
        if (alternativesOf(pattern).some(isQuadratic))
          problems.push(`${file}:${i + 1}: /${pattern}/ takes quadratic time`)
    })
}
report('patterns of trailing text', problems)
