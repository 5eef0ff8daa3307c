/** Writes refusals of the front end itself to uWS. */
import type { Refusal } from '../front-end-common/refusal.ts'
import { statusText } from '../front-end-common/status-text.ts'
import type { UwsResponse } from './uws-binding.ts'

/** How long a refused upload is still read. */
const lingerMs = 2_000

/** Writes a refusal whole; to be called corked. The response is dead afterwards. */
export function writeRefusal(res: UwsResponse, refusal: Refusal, close: boolean): void {
  res.writeStatus(statusText(refusal.status)).writeHeader('content-type', 'text/plain; charset=utf-8')
  res.end(refusal.text, close)
}

/**
 * Writes a refusal but for its end, while the client is still sending. Returns what to call when the body is over:
 * `end` is called then, in another turn, or when the client's time is over.
 */
export function refuseSlowly(res: UwsResponse, refusal: Refusal, end: () => void): () => void {
  res.cork(() => {
    res.writeStatus(statusText(refusal.status))
    res.writeHeader('content-type', 'text/plain; charset=utf-8').writeHeader('connection', 'close')
    res.write(refusal.text)
  })
  setTimeout(end, lingerMs).unref()
  return () => void setImmediate(end)
}

/** Ends a slow refusal. Nothing more is read from its connection. */
export function endSlowRefusal(res: UwsResponse): void {
  res.cork(() => {
    res.pause()
    res.end()
  })
}
