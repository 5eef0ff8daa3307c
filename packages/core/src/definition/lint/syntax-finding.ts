/** A text that is not JSON, as a finding. */

import type { DefinitionProblem } from '../definition-problem.ts'
import { type Finding, fileFinding } from '../findings/finding.ts'

export function syntaxFinding({ message, line, column }: Omit<DefinitionProblem, 'path'>, source: string): Finding {
  return { ...fileFinding('invalid-syntax', source, { problem: message }), line, column }
}
