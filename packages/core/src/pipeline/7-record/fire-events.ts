/** Fires events for rejections, if the API has a handler for them (docs/reference/events.md#event-list). */

import type { MakeRecordStage } from '../contract/stage.ts'
import { makeFireRequestEvent } from '../shared/request-events.ts'
import { eventOfRejection } from './event-of-rejection.ts'

export const makeFireEvents: MakeRecordStage = (compileContext) => {
  const fire = makeFireRequestEvent(compileContext)
  if (fire === undefined) return null
  return {
    name: 'fire-events',
    phase: '7-record',
    run(context) {
      const { rejection } = context
      if (rejection === undefined) return
      const event = eventOfRejection(rejection, context.rejectedIn)
      if (event !== undefined) fire(event, context, event.name === 'VersionFailure' ? rejection.message : '')
    },
  }
}
