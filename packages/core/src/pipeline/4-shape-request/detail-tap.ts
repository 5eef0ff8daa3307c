/**
 * Keeps a copy of the client's body for a detailed record. It is the first stage of its phase, so the copy is the body as
 * the client sent it. Omitted if no request of the API can have a detailed record.
 */

import { streamOf } from '../../http/byte-stream.ts'
import { DetailCapture } from '../../observability/analytics/detail-capture.ts'
import type { MakeStage } from '../contract/stage.ts'
import { mayWantDetail, wantsDetail } from '../shared/wants-detail.ts'

export const makeDetailTap: MakeStage = (compileContext) => {
  const settings = compileContext.services.analytics?.settings
  if (settings === undefined || !mayWantDetail(compileContext)) return null
  const { detailBytes } = settings
  return {
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

/** Copies a body that an earlier stage has already read. */
function heldAlready(body: Uint8Array, limit: number): DetailCapture {
  const capture = new DetailCapture(streamOf(body), limit)
  capture.data(body)
  return capture
}
