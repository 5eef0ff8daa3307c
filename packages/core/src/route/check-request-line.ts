/** Checks of method and path that depend on no API. Requests of clients, batch items and loops all pass through them. */
import { type Rejection, rejections } from '../http/rejections.ts'
import { hasBrokenEscape } from '../lib/text/percent.ts'
import { hidesSegments } from './hidden-segments.ts'

const lowerCase = /[a-z]/

/** Returns why no API may serve the request, or `undefined`. */
export function checkRequestLine(method: string, path: string): Rejection | undefined {
  if (method === 'TRACE') return rejections.traceRefused
  // Rules name methods in upper case, and some upstreams ignore the case (RFC 9110 section 9.1: it matters).
  if (lowerCase.test(method)) return rejections.methodCase
  if (hasBrokenEscape(path)) return rejections.pathMalformed
  return hidesSegments(path) ? rejections.pathAmbiguous : undefined
}
