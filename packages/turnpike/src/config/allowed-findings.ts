/** Findings that the owner has allowed, by `check.allow` of the configuration or `--allow` of the command. */
import {
  type FindingId,
  type FindingRule,
  findingRules,
  isFindingId,
  makeNote,
  type Note,
} from '@turnpike/core/definition'
import { nearestName } from '@turnpike/core/lib'
import type { GatewayConfig } from './config-shape.ts'
import type { Finding } from './finding.ts'

export interface KeptFindings {
  readonly findings: readonly Finding[]
  /** How many findings were allowed and left out. */
  readonly silenced: number
}

/** Leaves out the allowed findings. Those that stop the start stay, because the gateway would not start all the same. */
export function withoutAllowed(findings: readonly Finding[], allowed: readonly string[]): KeptFindings {
  const kept = findings.filter(({ id }) => !allowed.includes(id) || stopsStart(id))
  return { findings: kept, silenced: findings.length - kept.length }
}

/** Returns an error for each id that does not exist or that cannot be allowed. */
export function checkAllowed({ check }: Pick<GatewayConfig, 'check'>): Note[] {
  return (check.allow ?? []).flatMap((id, i) => {
    const path = ['check', 'allow', i]
    if (!isFindingId(id)) return [makeNote('unknown-allowed-finding', path, { id }, nearestId(id))]
    return stopsStart(id) ? [makeNote('finding-not-allowable', path, { id })] : []
  })
}

/** The known id that is most similar. */
export function nearestId(id: string): string | undefined {
  return nearestName(id, Object.keys(findingRules))
}

export function stopsStart(id: FindingId): boolean {
  const rule: FindingRule = findingRules[id]
  return rule.stopsStart === true
}
