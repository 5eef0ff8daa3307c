/** docs/reference/support.md shows the current support tables. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { classicShape } from '../packages/core/src/definition/classic.ts'
import { extensionShape } from '../packages/core/src/definition/openapi/extension-shape/extension-shape.ts'
import { extensionSupport } from '../packages/core/src/definition/openapi/openapi-support.ts'
import { definitionSupport } from '../packages/core/src/definition/support-status/definition-support.ts'
import { policySupport, sessionSupport } from '../packages/core/src/definition/support-status/session-support.ts'
import { sessionShape } from '../packages/core/src/ports/session.ts'
import { policyShape } from '../packages/core/src/session/policies/policy.ts'
import { configShape } from '../packages/turnpike/src/config/config-shape.ts'
import { configSupport } from '../packages/turnpike/src/config/config-support.ts'
import { supportPage } from './support-page.mjs'

it('the page of the support tables is current', () => {
  const page = supportPage({
    classicShape,
    definitionSupport,
    extensionShape,
    extensionSupport,
    sessionShape,
    sessionSupport,
    policyShape,
    policySupport,
    configShape,
    configSupport,
  })
  const written = readFileSync(new URL('../docs/reference/support.md', import.meta.url), 'utf8')
  expect(written === page, 'stale: node scripts/support-page.mjs').toBe(true)
})
