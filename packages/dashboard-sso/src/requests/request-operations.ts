/** Calls about single requests: their details, and the same request through the stages once more. */
import type { HeaderPairs } from '@turnpike/core/http'
import type { DashboardServices } from '../dashboard-services.ts'
import type { RequestRing } from '../feed/request-ring.ts'
import { failure, ok } from '../http/reply.ts'
import type { ReadOperation } from '../read/read-api.ts'
import { hiderOf } from './hide-credentials.ts'
import { showHeaders, showRequest, showStages } from './show-request.ts'

const gone = () => failure(404, 'The details of this request are no longer kept: only those of the last 300 are')

export function makeRequestOperations(
  { gateway, clock, log }: Pick<DashboardServices, 'gateway' | 'clock' | 'log'>,
  ring: RequestRing,
): readonly ReadOperation[] {
  return [
    {
      method: 'GET',
      path: '/requests/:name',
      needs: ['analytics', 'read'],
      handle({ viewer, name }) {
        const found = ring.find(viewer, name)
        return found === undefined ? gone() : ok('', showRequest(found, viewer, clock.now()))
      },
    },
    {
      method: 'POST',
      path: '/requests/:name/explain',
      needs: ['analytics', 'read'],
      async handle({ viewer, name }) {
        const found = ring.find(viewer, name)
        if (found === undefined) return gone()
        const { original } = found.details
        const hide = hiderOf(found.details)
        try {
          const report = await gateway.explain(original)
          return ok('', {
            status: report.status,
            withoutBody: original.hasBody,
            ...(report.why === undefined || !viewer.may('apis', 'read') ? {} : { why: hide(report.why) }),
            nearest: report.nearest
              .filter(({ apiId }) => gateway.definitions().some(({ id, orgId }) => id === apiId && viewer.sees(orgId)))
              .map(({ listenPath }) => listenPath),
            stages: showStages(report.stages, viewer, hide),
            responseHeaders: showHeaders(maskCookies(report.headers), hide),
          })
        } catch (cause) {
          log.error('a request of the dashboard could not be explained', { reason: String(cause) })
          return failure(500, 'The request could not be explained; the log contains the reason')
        }
      },
    },
  ]
}

/** A response of the cache or of a script can set cookies. */
function maskCookies(headers: HeaderPairs): HeaderPairs {
  return headers.map((text, i) =>
    i % 2 === 1 && headers[i - 1] === 'set-cookie' ? text.replace(/^([^=;]*=)[^;]*/, '$1[masked]') : text,
  )
}
