/** The entry `@turnpike/judge/limiter`: judges functions. It loads no command line. */
export { type Acquired, type FunctionToJudge, judgeFunction } from './gateway/judge-function.ts'
export { JudgeInputError } from './judge-input.ts'
export type { Judgement } from './report/judge-json-report.ts'
