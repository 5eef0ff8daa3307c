/** Checks a seed file: fields of its keys and organisations without effect, and policies that do not exist. */
import { readFileSync } from 'node:fs'
import {
  findUnsupported,
  ineffectiveFindings,
  makeNote,
  placeNote,
  unknownFields,
  unsupportedInSessions,
} from '@turnpike/core/definition'
import { nearestName, readShape } from '@turnpike/core/lib'
import { sessionShape } from '@turnpike/core/ports'
import type { Finding } from '../config/finding.ts'
import { readSeed, type Seed } from '../start/seed.ts'
import { findingAt } from './finding-at.ts'

/** All findings of a seed file. `policyIds`: the policies that keys may name. `strict`: the key of the configuration. */
export function checkSeed(file: string, policyIds: ReadonlySet<string>, strict = false): Finding[] {
  const read = readSeed(file)
  if ('problem' in read) {
    return [placeNote(makeNote('unreadable-seed', ['seed'], { problem: read.problem }), file, undefined)]
  }
  const text = readFileSync(file, 'utf8')
  return [...sessionFindings(read.seed, file, text, strict), ...missingPolicies(read.seed, file, text, policyIds)]
}

/** Fields of a readable seed file that have no effect. */
export function seedFieldFindings(seed: Seed, file: string): Finding[] {
  return sessionFindings(seed, file, readFileSync(file, 'utf8'), false)
}

function sessionFindings(seed: Seed, file: string, text: string, strict: boolean): Finding[] {
  return (['organisations', 'keys'] as const).flatMap((group) =>
    Object.entries(seed[group] ?? {}).flatMap(([name, session]) => {
      const { value, problems, readable } = readShape(sessionShape, session)
      const above = [group, name]
      const wrong = problems
        .filter(({ kind }) => kind === 'type')
        .map(({ path, message }) => findingAt({ file, text }, 'wrong-type', [...above, ...path], { problem: message }))
      const unsupported = readable ? findUnsupported(unsupportedInSessions, value) : []
      const ineffective = [...unknownFields(problems), ...unsupported]
      return [...wrong, ...ineffectiveFindings(text, ineffective, { source: file, above, strict })]
    }),
  )
}

function missingPolicies(seed: Seed, file: string, text: string, policyIds: ReadonlySet<string>): Finding[] {
  return Object.entries(seed.keys ?? {}).flatMap(([key, session]) => {
    const { applyPolicies } = readShape(sessionShape, session).value
    return (applyPolicies ?? []).flatMap((id, i): Finding[] => {
      if (policyIds.has(id)) return []
      const path = ['keys', key, 'apply_policies', i]
      return [findingAt({ file, text }, 'unknown-policy', path, { id }, nearestName(id, policyIds))]
    })
  })
}
