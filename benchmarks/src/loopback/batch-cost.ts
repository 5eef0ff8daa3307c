/**
 * A batch of 50 requests compared with 50 single requests to the same gateway and upstream. The gateway must not spend
 * elsewhere what the client saves in connections and headers.
 */
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition, keyed } from '../subjects/definition.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { startTurnpike, type TurnpikeSubject } from '../subjects/turnpike.ts'
import { type Contestant, compare, shapeOf } from './compare.ts'

const items = 50
/** CPU time of a batch divided by that of its items sent as single requests. */
const budget = 0.9

interface BatchScenario {
  readonly name: string
  readonly definition: object
  readonly headers: Readonly<Record<string, string>>
}

const keyedScenario: BatchScenario = {
  name: 'keyed',
  definition: keyed,
  headers: { Authorization: 'benchone' },
}
const scenarios: readonly BatchScenario[] = [{ name: 'keyless', definition: {}, headers: {} }, keyedScenario]

export async function measureBatches(options: RunOptions): Promise<Row[]> {
  return withPlainUpstream(async (upstream) => {
    const rows: Row[] = []
    for (const scenario of scenarios) {
      const batch = contestantOfBatch(scenario, upstream)
      const { start } = batch
      const single: Contestant = { name: 'single', start, path: '/a0/plain', headers: scenario.headers }
      // Both sides have the same number of concurrent requests: one batch, or one connection per request.
      const shape = { ...shapeOf(options.quick), connections: items }
      const { ratio, subjectCpu, referenceCpu } = await compare(batch, single, options, shape)
      const perItem = subjectCpu.median / items
      const note = [
        `${perItem.toFixed(1)} µs an item against ${referenceCpu.median.toFixed(1)} µs a request`,
        `ratios ${(ratio.min / items).toFixed(2)}–${(ratio.max / items).toFixed(2)}`,
      ]
      rows.push(
        rowOf(
          `batch of ${items}, ${scenario.name}, by single requests`,
          spreadOf(ratio.values.map((value) => value / items)),
          '×',
          budget,
          note.join(', '),
        ),
      )
    }
    return rows
  })
}

const batchPath = '/a0/svc/batch/'

function contestantOfBatch(scenario: BatchScenario, upstream: string, checkout?: string): Contestant {
  return {
    name: `batch of ${items}, ${scenario.name}`,
    start: () => startBatching(upstream, scenario, checkout),
    path: batchPath,
    script: scriptOf(scenario),
    connections: 1,
  }
}

/** A batch whose items have a key. `checkout`: a built checkout of another commit. */
export const keyedBatch = (upstream: string, checkout?: string) => contestantOfBatch(keyedScenario, upstream, checkout)

async function startBatching(upstream: string, scenario: BatchScenario, checkout?: string): Promise<TurnpikeSubject> {
  const api = definition('a0', upstream, { ...scenario.definition, enable_batch_request_support: true })
  const subject = await startTurnpike({ apis: [api], checkout })
  await subject.manage('POST', '/svc/keys/one', roomySession('a0'))
  const answer = await fetch(subject.url + batchPath, { method: 'POST', body: bodyOf(scenario) })
  const replies = (await answer.json()) as { code: number }[]
  if (replies.length !== items || replies.some(({ code }) => code !== 200)) {
    await subject.stop()
    throw new Error(`the batch was answered ${JSON.stringify(replies[0])}, …`)
  }
  return subject
}

function bodyOf({ headers }: BatchScenario): string {
  return JSON.stringify({
    requests: Array.from({ length: items }, () => ({ method: 'GET', headers, relative_url: 'plain' })),
  })
}

function scriptOf(scenario: BatchScenario): string {
  return `local body = [[${bodyOf(scenario)}]]
request = function()
  return wrk.format('POST', nil, nil, body)
end`
}
