/** docs/reference/support.md shows the current support tables. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { definitionSupport } from '../packages/core/src/definition/support/definition-support.ts'
import { extensionSupport } from '../packages/core/src/definition/support/openapi-support.ts'
import { policySupport, sessionSupport } from '../packages/core/src/definition/support/session-support.ts'
import { configSupport } from '../packages/turnpike/src/config/config-support.ts'
import { supportPage } from './support-page.mjs'

it('the page of the support tables is current', () => {
  const page = supportPage({
    definition: definitionSupport,
    extension: extensionSupport,
    session: sessionSupport,
    policy: policySupport,
    config: configSupport,
  })
  const written = readFileSync(new URL('../docs/reference/support.md', import.meta.url), 'utf8')
  expect(written === page, 'stale: npx tsc -b && node scripts/support-page.mjs').toBe(true)
})
