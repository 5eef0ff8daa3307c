/** `eh_dynamic_handler`: runs a script in the background. Source: docs/reference/scripts.md#event-scripts. */
import { eventScriptShape } from '../../definition/event-handlers-shape.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { eventFields } from './event-fields.ts'
import type { EventHandler } from './event-handler.ts'

/** Queues a call of an event script and returns at once. `event` and `context` are JSON texts. */
export type RunEventScript = (name: string, event: string, context: string) => void

/** `run` undefined: scripts are switched off. */
export function readScriptHandler(
  meta: unknown,
  run: RunEventScript | undefined,
): EventHandler | { readonly problem: string } | undefined {
  const { value, readable } = readShape(eventScriptShape, meta)
  if (!readable || value.name === '') return { problem: 'its meta data must be {name, path}' }
  if (value.disabled) return undefined
  if (run === undefined) return { problem: 'scripts are switched off; set "enable_jsvm" to true in the configuration' }
  return {
    handle(event) {
      const { api } = event
      // Handlers of the configuration belong to no API, so they have no script scope.
      if (api === undefined) return
      const fields = JSON.stringify(eventFields(event, true), (_, field) =>
        typeof field === 'bigint' ? Number(field) : field,
      )
      run(value.name, fields, JSON.stringify({ APIID: api.id, OrgID: api.orgId }))
    },
  } satisfies EventHandler
}
