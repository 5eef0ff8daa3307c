import { expect, it } from 'vitest'
import { fakeCompileContext } from '../../../test/support/pipeline/fake-compile-context.ts'
import { defaultSettings } from '../../ports/settings.ts'
import { makeChain } from '../compile/chain.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { Tracing } from '../contract/tracing.ts'

const tracing: Tracing = {
  start() {
    throw new Error('no request is sent')
  },
  nowMicros: () => 0,
}
const upstream: StageServices['upstream'] = {
  connect: () => ({
    send() {
      throw new Error('no request is sent')
    },
    release() {},
  }),
  async close() {},
}

function stagesWith(given: Pick<Partial<StageServices>, 'tracing'>) {
  const options = { settings: defaultSettings, services: { upstream, ...given } }
  const { stages, responses, records } = makeChain(fakeCompileContext({}, {}, {}, options))
  return [...stages, ...responses, ...records].map(({ name }) => name)
}

it('is the only stage that tracing adds to a chain', () => {
  const off = stagesWith({})
  expect(off).toContain('forward')
  expect(stagesWith({ tracing: undefined })).toEqual(off)
  expect(stagesWith({ tracing })).toContain('describe-span')
  expect(stagesWith({ tracing }).filter((name) => name !== 'describe-span')).toEqual(off)
})
