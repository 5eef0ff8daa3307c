/** The entry `@turnpike/dev/measurement`: what benchmarks share to compare results, draw them and describe the machine. */
export { batchLimitMs, efficiencyOf } from './batch-limit.ts'
export type { Series } from './bootstrap.ts'
export { type Judgement, judgeChange, notComparable, scaled, type Verdict } from './judge-change.ts'
export { type ChartLine, chartFile, type LineChart } from './line-chart.ts'
export { loadWarning, type MachineFacts, machineDifferences, machineFacts, machineLine } from './machine-facts.ts'
