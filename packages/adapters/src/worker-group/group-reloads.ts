/**
 * Reloads in all workers at once. First every worker reads and compiles; then, if all succeeded with the same version,
 * every worker swaps, else none does. The supervisor runs the rounds, one at a time.
 */
import type { PreparedReload, ReloadGroup } from '@turnpike/core/engine'
import type { GroupMember } from './group-member.ts'
import type { GroupRelay } from './group-relay.ts'

const topics = { reload: 'reload', prepare: 'reload/prepare', commit: 'reload/commit', drop: 'reload/drop' } as const

/** How often a round is repeated if files change while the workers read them. */
const maxAttempts = 5

interface Prepared {
  readonly version: string
  readonly problem: string | undefined
}

/** Runs the rounds that workers request. */
export function relayReloads(relay: GroupRelay): { reload(): Promise<void> } {
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined
  const start = () => {
    running = runRound(relay).finally(() => {
      running = undefined
    })
    return running
  }
  /** A call during a round waits for the next one, whose workers read what the caller has written. */
  const reload = () => {
    if (running === undefined) return start()
    waiting ??= running.then(() => {
      waiting = undefined
      return start()
    })
    return waiting
  }
  relay.handle(topics.reload, async () => {
    await reload()
    return true
  })
  return { reload }
}

async function runRound(relay: GroupRelay): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const replies = await relay.requestAll(topics.prepare, undefined)
    const problem = problemOf(replies.map(({ value, error }) => (value as Prepared) ?? { version: '', problem: error }))
    if (problem === differs && attempt < maxAttempts) {
      await relay.requestAll(topics.drop, undefined)
      continue
    }
    await (problem === undefined
      ? relay.requestAll(topics.commit, undefined)
      : relay.requestAll(topics.drop, `a worker could not reload, so none did: ${problem}`))
    return
  }
}

const differs = 'the files changed while the workers read them'

function problemOf(prepared: readonly Prepared[]): string | undefined {
  const failed = prepared.find(({ problem }) => problem !== undefined)
  if (failed !== undefined) return failed.problem
  return new Set(prepared.map(({ version }) => version)).size > 1 ? differs : undefined
}

/** The reload group of one worker. */
export function joinReloads(member: GroupMember): ReloadGroup {
  return {
    async reload() {
      await member.request(topics.reload, undefined)
    },
    join(prepare) {
      let prepared: PreparedReload | undefined
      member.handle(topics.prepare, async (): Promise<Prepared> => {
        prepared = await prepare()
        return { version: prepared.version, problem: prepared.problem }
      })
      const end = (act: (one: PreparedReload) => unknown) => async () => {
        const one = prepared
        prepared = undefined
        if (one !== undefined) await act(one)
        return true
      }
      member.handle(
        topics.commit,
        end((one) => one.commit()),
      )
      member.handle(topics.drop, (reason) =>
        end((one) => one.drop(reason === undefined ? undefined : String(reason)))(),
      )
    },
  }
}
