/**
 * THE list: every stage, top to bottom, as a request meets it. The order is behaviour (spec/apis-and-pipeline.md 3
 * and spec/sessions-and-limits.md 7.1); nothing else in the code decides it. A test checks that the list never steps
 * back in phase and that every stage file stands in it.
 */

import { makeOrgInactive } from './1-accept/org-inactive.ts'
import { makeOrgLimits } from './1-accept/org-limits.ts'
import { makeAuthToken } from './2-identify/auth-token.ts'
import { makeBasicAuth } from './2-identify/basic-auth.ts'
import { makeStripAuthData } from './2-identify/strip-auth-data.ts'
import { makeAccessRights } from './3-admit/access-rights.ts'
import { makeAllowedUrls } from './3-admit/allowed-urls.ts'
import { makeApiRateLimit } from './3-admit/api-rate-limit.ts'
import { makeKeyState } from './3-admit/key-state.ts'
import { makeQuota } from './3-admit/quota.ts'
import { makeRateLimit } from './3-admit/rate-limit.ts'
import { makeForward } from './5-answer/forward.ts'
import { makeRateLimitHeaders } from './6-shape-response/rate-limit-headers.ts'
import { makeRecord } from './7-record/record.ts'
import type { MakeRecordStage, MakeResponseStage, MakeStage } from './stage.ts'

export interface StageOrder {
  readonly stages: readonly MakeStage[]
  readonly responses: readonly MakeResponseStage[]
  readonly records: readonly MakeRecordStage[]
}

export const stageOrder: StageOrder = {
  stages: [
    // 1-accept: may we look at it
    makeOrgInactive,
    makeOrgLimits,

    // 2-identify: whose is it
    makeBasicAuth,
    makeAuthToken,
    makeStripAuthData,

    // 3-admit: may it go on
    makeKeyState,
    makeAccessRights,
    makeAllowedUrls,
    makeRateLimit,
    makeQuota,
    makeApiRateLimit,

    // 4-shape-request: what the upstream will see

    // 5-answer: exactly one of them answers
    makeForward,
  ],
  responses: [makeRateLimitHeaders],
  records: [makeRecord],
}
