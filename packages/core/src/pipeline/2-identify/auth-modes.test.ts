import { expect, it } from 'vitest'
import { fakeCompileContext } from '../../../test/support/pipeline/fake-compile-context.ts'
import { authModeOf, authModes } from '../../definition/auth-modes/auth-modes.ts'
import { defaultSettings } from '../../ports/settings.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { stageOrder } from '../stage-order.ts'

/** Switches each mode on in a definition. */
const definitions = {
  oauth: { use_oauth2: true },
  'external-oauth': { external_oauth: { enabled: true } },
  basic: { use_basic_auth: true },
  hmac: { enable_signature_checking: true },
  jwt: { enable_jwt: true },
  openid: { use_openid: true },
  custom: { custom_plugin_auth_enabled: true },
  token: { use_standard_auth: true },
}

function identifyStages(definition: object): string[] {
  const services = { store: {}, passwords: {}, upstream: { connect: () => ({}) } } as unknown as Partial<StageServices>
  const compileContext = fakeCompileContext(
    { use_keyless: false, ...definition },
    {},
    {},
    { settings: defaultSettings, services },
  )
  const entries = stageOrder.stages.filter(({ phase }) => phase === '2-identify')
  return entries.filter(({ make }) => make(compileContext) !== null).map(({ name }) => name)
}

it.each(Object.entries(definitions))('mode %s has the stage of its record', (name, definition) => {
  const { stage, field } = authModeOf(name as keyof typeof definitions)
  expect(definition).toHaveProperty(field, true)
  expect(identifyStages(definition)).toEqual([stage])
})

it('this test covers every mode', () => {
  expect(Object.keys(definitions)).toEqual(authModes.map(({ name }) => name))
})

it('stages of several modes run in the order of the records', () => {
  const all = Object.assign({}, ...Object.values(definitions)) as object
  const stages = authModes.map(({ stage }) => stage)
  expect(identifyStages(all)).toEqual(stages)
})
