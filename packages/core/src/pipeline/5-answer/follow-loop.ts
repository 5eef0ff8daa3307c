/**
 * Sends a request on to the API of this gateway that a rewrite named. What that API's chain answers is the answer:
 * it has been shaped and recorded there, so nothing of this chain is done to it but what it promised to add to
 * whatever is answered. Source: spec/apis-and-pipeline.md 4.5.
 */
import { type Rejection, rejections, reword } from '../../errors.ts'
import { type Answer, headerOf } from '../../http.ts'
import { when } from '../../maybe.ts'
import type { RequestContext } from '../context.ts'
import type { MakeStage } from '../stage.ts'

export const makeFollowLoop: MakeStage = ({ version, tools: { loops } }) => {
  if (version.paths.urlRewrites.length === 0 || loops === undefined) return null
  return {
    name: 'follow-loop',
    phase: '5-answer',
    run(context) {
      const target = context.loop
      if (target === undefined) return undefined
      if (context.loopLevel >= target.limit) return tooDeep(target.limit)
      // A reload may have taken the API away since the rewrite.
      const made = loops.follow(context, target)
      return made === undefined ? rejections.loopTarget : when(made, (answer) => handOn(context, answer))
    },
  }
}

function tooDeep(limit: number): Rejection {
  return reword(rejections.loopTooDeep, {
    message: `Loop level too deep. Found more than ${limit} loops in single request`,
  })
}

function handOn(context: RequestContext, answer: Answer): Answer {
  const { answerHeaders } = context
  context.handedOn = true
  for (let i = 0; i < (answerHeaders?.length ?? 0); i += 2) {
    const name = answerHeaders?.[i] as string
    if (headerOf(answer.headers, name) === undefined) answer.headers.push(name, answerHeaders?.[i + 1] as string)
  }
  return answer
}
