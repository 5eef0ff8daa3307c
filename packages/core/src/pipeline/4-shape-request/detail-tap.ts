/**
 * Keeps the client's body for a detailed record: first of its phase, so that it is the body as the client sent it,
 * whatever is made of it. Not there unless somebody may want detailed records of this API.
 */

import { streamOf } from '../../http/byte-stream.ts'
import { DetailCapture } from '../../observability/analytics/detail-capture.ts'
import { mayWantDetail, wantsDetail } from '../7-record/wants-detail.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeDetailTap: MakeStage = (compileContext) => {
  const settings = compileContext.services.analytics?.settings
  if (settings === undefined || !mayWantDetail(compileContext)) return null
  const { detailBytes } = settings
  return {
    name: 'detail-tap',
    phase: '4-shape-request',
    run(context) {
      const { outgoing } = context
      if (outgoing.stream === undefined || !wantsDetail(context, settings)) return undefined
      if (outgoing.body === undefined) {
        const capture = new DetailCapture(outgoing.stream, detailBytes)
        outgoing.stream = capture
        context.detail = capture
      } else {
        context.detail = heldAlready(outgoing.body, detailBytes)
      }
      return undefined
    },
  }
}

/** A body that an earlier stage has read. */
function heldAlready(body: Uint8Array, limit: number): DetailCapture {
  const capture = new DetailCapture(streamOf(body), limit)
  capture.data(body)
  return capture
}
